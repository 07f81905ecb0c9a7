"""Every verdict of a site in one table, a row a problem, a column an algorithm."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from reports.page import evidence
from reports.page.section import Section, Tell
from reports.page.subject import OnSite, SiteRow
from reports.page.table import Table


@dataclass(frozen=True, slots=True)
class Overview:
    """What the section shows.

    Attributes:
        algorithms: (name, parameters used) of the columns.
        rows: problems with their cells.
        counts: (verdict, how many) pairs.
        numbers: the table as text.
        paper: (file, what was found) of the paper's page.
    """

    algorithms: tuple[tuple[str, str], ...]
    rows: tuple[SiteRow, ...]
    counts: tuple[tuple[str, int], ...]
    numbers: Table
    paper: tuple[str, str]


def collect(subject: OnSite, _: Tell) -> Overview:
    """Return the table of a site."""
    algorithms = tuple((cell.learner, cell.parameters) for cell in subject.rows[0].cells)
    counted = Counter(cell.status for row in subject.rows for cell in row.cells)
    counts = tuple((verdict, counted[verdict]) for verdict, _ in evidence.VERDICTS if counted[verdict])
    rows = tuple(
        (row.problem, *(f"{cell.status} ({cell.proof}): {cell.reason}" for cell in row.cells)) for row in subject.rows
    )
    numbers = Table("Verdicts", ("problem", *(f"{name} {used}".strip() for name, used in algorithms)), rows)
    return Overview(algorithms, subject.rows, counts, numbers, subject.paper)


SECTION = Section("overview", "Does the expected update converge?", OnSite, collect)
