"""Numbers in reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping

from simulate.tables.areas import Areas

SHORT = {
    "random-walk-tabular": "tabular",
    "random-walk-inverted": "inverted",
    "random-walk-dependent": "dependent",
    "boyan": "Boyan",
    "baird": "Baird",
}
WALKS = ("random-walk-tabular", "random-walk-inverted", "random-walk-dependent")


def number(value: float) -> str:
    """Return a number to three digits, or what stands for infinity."""
    return f"{value:.3g}" if math.isfinite(value) else "diverged"


def by_problem(values: Mapping[str, float]) -> str:
    """Return numbers by problem.

    >>> by_problem({"boyan": 0.25, "baird": 2})
    'Boyan 0.25, Baird 2'
    """
    return ", ".join(f"{SHORT[problem]} {number(value)}" for problem, value in values.items())


def means(cells: Mapping[str, Areas]) -> str:
    """Return the means of rows."""
    return ", ".join(f"{row} {number(found.mean)}" for row, found in cells.items())
