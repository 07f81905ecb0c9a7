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
