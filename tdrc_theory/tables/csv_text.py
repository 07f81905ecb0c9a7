"""Tables as CSV, safe to print and to open in a spreadsheet, whatever text is in them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from tdrc_theory.cli.command import printable

Cell = str | int | float | None

_FORMULA = re.compile(r"[=@]|[+-](?![\d./ ()e+-]*\Z|inf\Z)")
"""How a cell begins that spreadsheets take for a formula, and obey; one of numbers and signs alone does nothing."""


def csv_text(titles: Sequence[str], rows: Iterable[Iterable[Cell]]) -> str:
    r"""Return rows under their titles as CSV.

    A number is written as it is read back, and None as an empty cell. Text has no character that a terminal would
    obey, and an apostrophe before what a spreadsheet would obey.

    >>> csv_text(("name", "alpha"), [("=1+1", -0.5), ("a\u202e", None)])
    "name,alpha\n'=1+1,-0.5\na\\u202e,\n"
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_cell(cell) for cell in row] for row in (titles, *rows))
    return out.getvalue()


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return repr(float(cell)) if isinstance(cell, float) else str(cell)
    shown = printable(cell)
    return f"'{shown}" if _FORMULA.match(shown) else shown
