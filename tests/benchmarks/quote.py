"""The rows of the table that README.md quotes, brought up to date where they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from reports.sections.benchmarks import cells, dated

Row = Mapping[str, str]


def line(row: Row) -> str:
    """Return a row as a line of a Markdown table."""
    what, ours, baseline, ratio, _ = cells(row)
    return f"| {what} | {ours} | {baseline} | {ratio} |"


def caption(rows: Sequence[Row]) -> str:
    """Return when and on what rows were measured."""
    return f"Measured {'; '.join(dated(rows))}."


def quoted(text: str, rows: Sequence[Row]) -> list[Row]:
    """Return the rows that a text quotes, whatever their numbers are there."""
    return [row for row in rows if _place(row).search(text)]


def requoted(text: str, rows: Sequence[Row]) -> str:
    """Return the text with the rows that it quotes, and what it says of them, as they are now."""
    found = quoted(text, rows)
    for row in found:
        text = _place(row).sub(lambda _, row=row: line(row), text)
    return re.sub(r"^Measured .*\.$", lambda _: caption(found), text, flags=re.MULTILINE) if found else text


def _place(row: Row) -> re.Pattern[str]:
    against = rf"{re.escape(row['against'])}: [^|\n]*" if row["baseline"] else ""
    return re.compile(rf"^\| {re.escape(row['what'])} \| [^|\n]* \| {against} \| [^|\n]* \|$", re.MULTILINE)
