"""A report on logged transitions as plain text."""

from __future__ import annotations

from tdrc_theory.cli.command import printable
from tdrc_theory.figures.panel import COLOURS, Area, Curve, Panel, Picture
from tdrc_theory.parameters import setting_text
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table
from verify.data.checks import text
from verify.data.intervals import LEVEL
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


def picture(report: DataReport) -> Picture:
    """Return the spectral abscissa of this learner and of the others on the same data, each with its interval."""
    own = setting_text(report.form.algorithm.name, report.form.parameters)
    result = [*((each.text, each.abscissa) for each in reversed(report.alternatives)), (own, report.abscissa)]
    lines = [[(each.lower, y), (each.upper, y)] for y, (_, each) in enumerate(result)]
    reach = (-0.6, len(result) - 0.4)
    curves = [
        Curve("estimate", [each.value for _, each in result], list(range(len(result))), marks=True),
        Curve("0: diverges to the right of it", [0.0, 0.0], list(reach), plain=True, colour=COLOURS[-1]),
    ]
    areas = [Area(f"{LEVEL:.0%} interval", lines, COLOURS[0])]
    names = [(float(y), name) for y, (name, _) in enumerate(result)]
    panel = Panel(curves, "spectral abscissa of G", "learner", areas=areas, y_ends=reach, y_ticks=names)
    return Picture(headline(report), "; ".join(f"{name}: {text(each)}" for name, each in result), [panel])


DataReport.view = View(
    lambda report: headline(report).removesuffix("."),
    tables,
    picture,
    lambda report: [f"{report.name}: {where_from(report)}", *reasons(report), *changes(report)],
)
