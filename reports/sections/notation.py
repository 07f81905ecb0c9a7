"""What the symbols of a page stand for."""

from __future__ import annotations

from reports.page.section import Section, Tell
from reports.page.subject import OnPage
from reports.page.table import Table
from tdrc_theory.notation import NOTATION

_SHOWN = (
    *("alpha", "beta", "eta", "gamma", "lam", "rho", "x", "x_next", "R", "w", "h", "delta", "delta_hat", "d"),
    *("A", "b", "C", "H", "varrho", "G", "g", "MSPBE"),
)
"""Those that pages use; the claims of a paper have others of their own."""


def collect(_: OnPage, __: Tell) -> Table:
    """Return the rows of the notation table that a page uses."""
    rows = tuple((symbol.name, symbol.meaning, symbol.shape) for symbol in NOTATION if symbol.name in _SHOWN)
    return Table("Symbols, what they are, and their shapes", ("symbol", "meaning", "shape"), rows)


SECTION = Section("notation", "Notation", collect)
