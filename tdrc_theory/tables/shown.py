"""Results at a prompt and in a notebook: one line, tables, and a picture."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from tdrc_theory.cli.command import printable
from tdrc_theory.tables.table import Table

if TYPE_CHECKING:
    from tdrc_theory.figures.panel import Picture

_MOST_ROWS = 60
"""Rows of a table that a notebook shows."""


class View(NamedTuple):
    """How results of a class are shown; each function takes one.

    Attributes:
        line: the answer with its numbers, on one line.
        tables: what a command prints in columns.
        picture: what `plot` draws.
        notes: lines that stand below the first one in a notebook.
    """

    line: Callable[[Any], str]
    tables: Callable[[Any], Sequence[Table]]
    picture: Callable[[Any], Picture]
    notes: Callable[[Any], Sequence[str]] = lambda _: ()


class Shown:
    """A result that a prompt shows on one line, and a notebook as tables.

    Attributes:
        view: how; set by the module that renders the class, which its package imports.
    """

    __slots__ = ()
    view: ClassVar[View]

    def __repr__(self) -> str:
        return f"<{printable(self.view.line(self))}>"

    def _repr_html_(self) -> str:
        """Return tables for notebooks; whatever a user wrote is escaped."""
        line, *notes = (html.escape(printable(each)) for each in (self.view.line(self), *self.view.notes(self)))
        head = f"<p>{'<br>'.join([f'<strong>{line}</strong>', *notes])}</p>"
        return head + "".join(_table(table) for table in self.view.tables(self) if table.rows)

    def plot(self, ax: Any = None) -> Any:
        """Draw the result with matplotlib.

        Args:
            ax: axes to draw on, of a result that is drawn as one panel; by default those of a new figure.

        Returns:
            The axes: one, or an array of them where there are several panels.

        Raises:
            BadOption: one pair of axes is given for several panels.
        """
        from tdrc_theory.figures.figure import plot

        return plot(self.view.picture(self), ax)


def _table(table: Table) -> str:
    def row(cells: Sequence[str], begin: str, end: str) -> str:
        return f"<tr>{''.join(f'{begin}{html.escape(printable(cell))}{end}' for cell in cells)}</tr>"

    more = len(table.rows) - _MOST_ROWS
    head = row(table.titles, '<th scope="col">', "</th>")
    body = "".join(row(cells, "<td>", "</td>") for cells in table.rows[:_MOST_ROWS])
    rest = f"<p>and {more} more rows</p>" if more > 0 else ""
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>{rest}"
