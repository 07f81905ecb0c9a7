"""A report on logged transitions as plain text."""

from __future__ import annotations

from tdrc_theory.columns import columns
from tdrc_theory.command import printable
from verify.data.checks import text
from verify.data.report import DataReport
from verify.data.words import changes, headline, notes, reasons, where_from


def plain_text(report: DataReport) -> str:
    """Return the answer, then what to change, then the numbers."""
    checks = [(check.claim, check.status.value, check.reason) for check in report.checks]
    others = [(each.text, each.stable.value, text(each.abscissa)) for each in report.alternatives]
    changing = changes(report)
    lines = [
        headline(report),
        f"{report.status.value} (sampled): {printable(report.name)}, {where_from(report)}",
        "",
        *(f"  {sentence}" for sentence in reasons(report)),
        *(["", "What to change:", *(f"  {sentence}" for sentence in changing)] if changing else []),
        "",
        columns(("check", "status", "number"), checks),
        "",
        columns(("other learners on these data", "stable", "spectral abscissa"), others),
        "",
        *(f"note: {printable(each)}" for each in notes(report)),
    ]
    return "\n".join(lines) + "\n"
