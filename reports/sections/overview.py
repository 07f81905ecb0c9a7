"""Every verdict of a site in one table, a row a problem, a column an algorithm."""

from __future__ import annotations

from collections import Counter

from reports.page import evidence
from reports.page.section import Content, Section, Tell
from reports.page.subject import OnSite
from reports.page.table import Table


def collect(subject: OnSite, _: Tell) -> Content:
    """Return the table of a site."""
    algorithms = tuple((name, used) for name, used, _ in subject.rows[0].cells)
    counted = Counter((verdict.status, verdict.bias) for row in subject.rows for *_, verdict in row.cells)
    order = [verdict for verdict, _ in evidence.VERDICTS]
    counts = sorted(((*both, n) for both, n in counted.items()), key=lambda it: (order.index(it[0]), str(it[1] or "")))
    rows = tuple((row.problem, *(verdict.cell() for *_, verdict in row.cells)) for row in subject.rows)
    numbers = Table("Verdicts", ("problem", *(f"{name} {used}".strip() for name, used in algorithms)), rows)
    return Content(
        algorithms=algorithms,
        rows=subject.rows,
        counts=counts,  # (verdict, what stands beside it, how many)
        numbers=numbers,
        papers=subject.papers,
        learners=subject.learners,
    )


SECTION = Section("overview", "Does the expected update converge?", collect)
