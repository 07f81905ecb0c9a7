"""Every verdict of a site in one table, a row a problem, a column an algorithm."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from reports.page import evidence
from reports.page.section import Section, Tell
from reports.page.subject import OnSite, SiteCell, SiteRow
from reports.page.table import Table
from verify.conditions.fixed_points import Bias


@dataclass(frozen=True, slots=True)
class Overview:
    """What the section shows.

    Attributes:
        algorithms: (name, parameters used) of the columns.
        rows: problems with their cells.
        counts: (verdict, what stands beside it, how many).
        numbers: the table as text.
        papers: (file, title, what is there) of each paper's page.
        learners: (file, what is there) of theirs.
    """

    algorithms: tuple[tuple[str, str], ...]
    rows: tuple[SiteRow, ...]
    counts: tuple[tuple[str, Bias | None, int], ...]
    numbers: Table
    papers: tuple[tuple[str, str, str], ...]
    learners: tuple[str, str]


def collect(subject: OnSite, _: Tell) -> Overview:
    """Return the table of a site."""
    algorithms = tuple((cell.learner, cell.parameters) for cell in subject.rows[0].cells)
    counted = Counter((cell.status, cell.bias) for row in subject.rows for cell in row.cells)
    order = [verdict for verdict, _ in evidence.VERDICTS]
    counts = sorted(((*both, n) for both, n in counted.items()), key=lambda it: (order.index(it[0]), str(it[1] or "")))
    rows = tuple((row.problem, *map(_text, row.cells)) for row in subject.rows)
    numbers = Table("Verdicts", ("problem", *(f"{name} {used}".strip() for name, used in algorithms)), rows)
    return Overview(algorithms, subject.rows, tuple(counts), numbers, subject.papers, subject.learners)


def _text(cell: SiteCell) -> str:
    beside = "" if cell.bias is None else f"{cell.bias}; "
    return f"{cell.status} ({cell.proof}): {beside}{cell.reason}"


SECTION = Section("overview", "Does the expected update converge?", collect)
