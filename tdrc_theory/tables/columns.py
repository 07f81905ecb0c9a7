"""Tables as plain text."""

from __future__ import annotations

from collections.abc import Sequence


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
