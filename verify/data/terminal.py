"""A report on logged transitions as plain text."""

from __future__ import annotations

from tdrc_theory.command import printable
from tdrc_theory.table import Table
from verify.data.checks import text
from verify.data.report import DataReport
from verify.data.words import changes, headline, notes, reasons, where_from


def plain_text(report: DataReport) -> str:
    """Return the answer, then what to change, then the numbers."""
    checks, others = tables(report)
    changing = changes(report)
    lines = [
        headline(report),
        f"{report.status.value} (sampled): {printable(report.name)}, {where_from(report)}",
        "",
        *(f"  {sentence}" for sentence in reasons(report)),
        *(["", "What to change:", *(f"  {sentence}" for sentence in changing)] if changing else []),
        "",
        checks.text(),
        "",
        others.text(),
        "",
        *(f"note: {printable(each)}" for each in notes(report)),
    ]
    return "\n".join(lines) + "\n"


def tables(report: DataReport) -> list[Table]:
    """Return the checks, and other learners."""
    checks = [(check.claim, check.status.value, check.reason) for check in report.checks]
    others = [(each.text, each.stable.value, text(each.abscissa)) for each in report.alternatives]
    return [
        Table("checks", ("check", "status", "number"), checks),
        Table("other learners", ("other learners on these data", "stable", "spectral abscissa"), others),
    ]
