"""Logged transitions: what happens on them, why, what to change, and the numbers with their intervals."""

from __future__ import annotations

from fractions import Fraction

from reports.page.figure import Figure
from reports.page.section import Content, Section, Tell
from reports.page.subject import OnData
from reports.page.table import Table
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.figure import svg
from tdrc_theory.figures.panel import Curve, Panel
from verify.check import Outcome
from verify.data.moments import SMALL
from verify.data.report import BETAS, rates_over_beta
from verify.data.terminal import changes, notes, reasons, where_from

_TITLES = {
    Outcome.NOT_CONVERGENT: "Why it diverges",
    Outcome.UNDECIDED: "What is known",
    Outcome.CONVERGENT: "Why it is stable",
    Outcome.CONVERGENT_TO_A_SET: "Why it is stable",
}


def collect(subject: OnData, tell: Tell) -> Content:
    """Return the answer of a report."""
    report = subject.report
    checks = tuple((check.claim, check.status.value, check.reason, check.source) for check in report.checks)
    tables = [Table("Checks, each decided by its interval", ("check", "status", "number", "source"), checks)]
    if report.alternatives:
        rows = tuple((each.text, each.stable.value, str(each.abscissa)) for each in report.alternatives)
        titles = ("learner", "stable", "spectral abscissa")
        tables.append(Table("Other learners on the same data", titles, rows))
    return Content(
        headline=subject.headline,
        why=_TITLES[report.status],
        reasons=tuple(reasons(report)),
        changes=tuple(changes(report)),
        read=f"{report.name}: {where_from(report)}",
        tables=tuple(tables),
        figure=_over_beta(subject, tell) if _drawn(subject) else None,
        notes=tuple(notes(report)),
    )


def _drawn(subject: OnData) -> bool:
    return subject.report.moments.features <= SMALL and bool(subject.report.alternatives)


def _over_beta(subject: OnData, tell: Tell) -> Figure:
    """Return TDRC's spectral abscissa over beta."""
    eta = subject.report.form.parameters.get("eta", Fraction(1))
    result = rates_over_beta(subject.report.sample, subject.report.form.gamma, eta, tell)
    x, y = [float(beta) for beta, _ in result], [rate.value for _, rate in result]
    lower, upper = [rate.lower for _, rate in result], [rate.upper for _, rate in result]
    title = f"TDRC with eta = {number_text(eta)} on {subject.report.name}"
    caption = (
        f"{title}: the spectral abscissa over beta, with 95% intervals by a jackknife. Where all of the band is below "
        "0 the expected update is stable; where all of it is above, it diverges."
    )
    curves = [Curve("spectral abscissa", x, y, lower, upper), Curve("0", [x[0], x[-1]], [0.0, 0.0])]
    drawn = svg(title, caption, [Panel(curves, "beta", "spectral abscissa", log_x=2)])
    rows = tuple(
        (number_text(beta), *(f"{v:.6g}" for v in (rate.value, rate.lower, rate.upper))) for beta, rate in result
    )
    return Figure("over-beta", caption, drawn, Table(title, ("beta", "spectral abscissa", "from", "to"), rows))


SECTION = Section("logged_data", "What these data say", collect, lambda it: len(BETAS) if _drawn(it) else None)
