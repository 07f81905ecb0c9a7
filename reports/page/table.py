"""A table of texts, and the same as CSV that a page carries with it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from tdrc_theory.tables.table import csv_text

if TYPE_CHECKING:
    import numpy as np

_READABLE = 300
"""Rows of a table that a page shows."""
_SHOWN = 20
"""Rows of a table that a page shows without being asked."""
_UNQUOTED = "!$()*+,-./:;=?@_~"
"""Signs that an address may have as they are, except those that HTML would write longer."""
_WORD, _FACTOR, _START = 32, 20, 24
"""Letters of the longest word that a column is as wide as, of that in a polynomial, and of what stands for a longer."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts under titles, of which the first column names its row, and a caption of a line."""

    caption: str
    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def readable(self) -> bool:
        """Return whether it is short enough to be read on a page, and not only downloaded."""
        return len(self.rows) <= _READABLE

    @property
    def long(self) -> bool:
        """Return whether it is so long that a page shows it only when it is asked to."""
        return len(self.rows) > _SHOWN

    @property
    def csv_link(self) -> str:
        """Return a link that holds the table as CSV."""
        return data_link("text/csv", csv_text(self.titles, self.rows))


def curves_table(caption: str, steps: np.ndarray, titles: Iterable[str], columns: Iterable[np.ndarray]) -> Table:
    """Return curves as a table, a row for each number of updates; what is not finite is "-"."""
    rows = tuple(
        (str(n), *(f"{value:.6g}" if math.isfinite(value) else "-" for value in values))
        for n, *values in zip(steps.tolist(), *columns, strict=True)
    )
    return Table(caption, ("updates", *titles), rows)


def data_link(kind: str, content: str) -> str:
    """Return a link that holds a file of a media type.

    >>> data_link("text/csv", "a,b & c")
    'data:text/csv;charset=utf-8,a,b%20%26%20c'
    """
    return f"data:{kind};charset=utf-8,{quote(content, safe=_UNQUOTED)}"


def is_unbroken(cell: str) -> bool:
    """Return whether a cell would push others out of sight: a long word, or a polynomial of long integers."""
    longest = max(map(len, cell.split()), default=0)
    return longest > _WORD or ("*t" in cell and longest > _FACTOR)


def start(cell: str) -> str:
    """Return how a cell begins, to stand for it until the whole of it is asked for.

    >>> start("root of 123456789123456789123456789123456789*t - 1")
    'root of 1234567891234567...'
    """
    return f"{cell[:_START]}..."
