"""A table as commands print it, and the same as CSV, JSON or LaTeX: the one writer of tables."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple

from tdrc_theory.cli.command import printable
from tdrc_theory.cli.files import write_whole


def columns(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return rows as aligned columns under their titles; nothing where there are no rows.

    >>> print(columns(("bound", "value"), [("beta", "1"), ("eta", "2")]))
    bound  value
    beta   1
    eta    2
    """
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in (titles, *rows)) for i in range(len(titles))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (titles, *rows)]
    return "\n".join(line.rstrip() for line in lines)


def some_rows(count: int, wanted: int = 11) -> list[int]:
    """Return the numbers of about so many rows of a long table, as far apart as can be, the first and the last too.

    >>> some_rows(101), some_rows(3), some_rows(0)
    ([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100], [0, 1, 2], [])
    """
    return sorted({round(i * (count - 1) / (wanted - 1)) for i in range(wanted)}) if count else []


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


_ABSENT = ("", "-")
_INTEGER = re.compile(r"[+-]?\d{1,15}")


class Table(NamedTuple):
    """Rows of texts under titles.

    Attributes:
        name: what it is of, in a few words.
        titles: of the columns; two may be the same.
        rows: texts as they are printed; "-" where there is nothing.
    """

    name: str
    titles: Sequence[str]
    rows: Sequence[Sequence[str]]

    def text(self) -> str:
        """Return aligned columns; nothing where there are no rows."""
        return columns(self.titles, self.rows)

    def to_json(self) -> dict[str, object]:
        """Return the table, numbers as numbers and null where there is nothing."""
        rows = [[_value(cell) for cell in row] for row in self.rows]
        return {"name": self.name, "columns": list(self.titles), "rows": rows}


def write_tables(path: str | None, tables: Callable[[], Iterable[Table]]) -> None:
    """Write tables that have rows to a file, whose name says in what format; None is no file.

    Raises:
        BadOption: it cannot be written; nothing is left behind.
    """
    if path is not None:
        write_whole(path, tables_text(tables(), PurePath(path).suffix.lower().removeprefix(".")))


def tables_text(tables: Iterable[Table], form: str) -> str:
    """Return tables that have rows as csv (an empty line between two), json or tex."""
    shown = [table for table in tables if table.rows]
    if form == "json":
        import json

        return json.dumps({"tables": [table.to_json() for table in shown]}, allow_nan=False, indent=1) + "\n"
    if form == "csv":
        cells = [[[None if cell in _ABSENT else cell for cell in row] for row in table.rows] for table in shown]
        return "\n".join(csv_text(table.titles, rows) for table, rows in zip(shown, cells, strict=True))
    from tdrc_theory.tables.latex_table import PACKAGES, latex_table

    return f"{PACKAGES}\n" + "\n\\bigskip\n\n".join(latex_table(*table) for table in shown)


def _value(cell: str) -> str | int | float | None:
    """Return the number that a cell is, None where it says that there is none, else its text.

    >>> [_value(cell) for cell in ("0.10", "+3", "1/2", "-", "inf")]
    [0.1, 3, '1/2', None, 'inf']
    """
    if cell in _ABSENT:
        return None
    if _INTEGER.fullmatch(cell):
        return int(cell)
    try:
        value = float(cell)
    except ValueError:
        return cell
    return value if math.isfinite(value) and "_" not in cell else cell
