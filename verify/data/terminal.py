"""A report on logged transitions in words, tables and a picture: what happens, why, and what to change."""

from __future__ import annotations

import math

import numpy as np

from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.figures.panel import COLOURS, Area, Curve, Panel, Picture
from tdrc_theory.parameters import setting_text
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table
from verify.check import CONVERGES, Outcome, Status, check_of
from verify.data.intervals import LEVEL, Interval
from verify.data.numbers import BETA, ETA, LOWEST, MEAN_RATIO, SQUARE_STEP, STEP
from verify.data.report import DataReport, RatioVariance

_MOST_NAMED = 4
"""Entries of a direction that are shown, the largest."""
FEW_EFFECTIVE = 0.1
"""Share of effective rows below which the ratios' variance is named as trouble."""
LIMITS = (
    "the verdict is on the expected update, with states as often as in these rows; features and gamma are as given",
    "a step size below that of the mean is necessary, not sufficient; that of the mean square is for independent rows",
    "where units depend on one another, intervals are too narrow",
)


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
    others = [(each.text, each.stable.value, str(each.abscissa)) for each in report.alternatives]
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
    return Picture(headline(report), "; ".join(f"{name}: {each}" for name, each in result), [panel])


def headline(report: DataReport) -> str:
    """Return what happens, in one sentence."""
    who = setting_text(report.form.algorithm.name, report.form.parameters)
    if report.status is Outcome.NOT_CONVERGENT:
        return f"{who} diverges on these data, however small the step size ({LEVEL:.0%} confidence)."
    if report.status is Outcome.UNDECIDED:
        return f"It is undecided whether {who} converges on these data: {report.reason}."
    to = "to one point" if report.status is Outcome.CONVERGENT else "to a set of points"
    return f"The expected update of {who} converges on these data, {to} ({LEVEL:.0%} confidence){_below(report)}."


def _step(report: DataReport) -> tuple[Interval, bool]:
    """Return the largest constant step size: of the mean square and True where that is known, else of the mean."""
    noisy = SQUARE_STEP in report.numbers
    return report.numbers[SQUARE_STEP if noisy else STEP], noisy


def _below(report: DataReport) -> str:
    """Return below which constant step sizes it converges, at the lower end of an interval; "" where there is none."""
    step, noisy = _step(report)
    if not (math.isfinite(step.lower) and step.lower > 0):
        return ""
    return f", its {'mean square' if noisy else 'mean'} at constant step sizes below {step.lower:.3g}"


def reasons(report: DataReport) -> list[str]:
    """Return why, a sentence each."""
    definite, lowest = check_of(report.checks, "A-positive-definite").status, report.numbers[LOWEST]
    sentences = []
    if definite is Status.FAILS:
        along = direction_text(report.direction)
        sentences.append(f"A is not positive definite: z^T A z is {lowest} along z = {along}.")
    elif definite is Status.UNDECIDED:
        sentences.append(f"It is undecided whether A is positive definite: its lowest form is {lowest}.")
    else:
        sentences.append(f"A is positive definite: its lowest form is {lowest}.")
    ratio = check_of(report.checks, "ratio-mean-one").status
    if ratio is Status.FAILS:
        mean = report.numbers[MEAN_RATIO]
        sentences.append(f"The importance ratios do not average 1, as they do under behaviour: their mean is {mean}.")
    ratios = RatioVariance(report.moments, report.sample.whole)
    if ratios.effective_rows < FEW_EFFECTIVE * report.moments.rows:
        sentences.append(
            f"The importance ratios vary much: variance {ratios.variance:.3g}, largest {ratios.largest:.3g}; "
            f"{report.moments.rows} rows tell as much as {ratios.effective_rows:.0f} of equal weight."
        )
    if report.status in CONVERGES:
        sentences.append(
            "If a run diverges all the same, its step size is too large, or its update is another than this one."
        )
    return sentences


def changes(report: DataReport) -> list[str]:
    """Return what to change, a sentence each."""
    sentences = []
    if check_of(report.checks, "ratio-mean-one").status is Status.FAILS:
        sentences.append(
            "Check rho first: is it target over behaviour of the action that was taken, not clipped, in its row?"
        )
    if report.status not in CONVERGES:
        stable = [each.text for each in report.alternatives if each.stable is Status.HOLDS]
        if stable:
            sentences.append(f"Learners whose expected update is stable here: {'; '.join(stable)}.")
        beta, eta = report.numbers[BETA], report.numbers[ETA]
        if math.isfinite(beta.lower) and math.isfinite(eta.upper):
            sentences.append(
                f"Of TDRC, beta below {beta.lower:.3g} and eta above {eta.upper:.3g} suffice "
                "(Theorem 3.1 (ii), corrected)."
            )
        if report.status is Outcome.UNDECIDED and (rows := rows_needed(report)) is not None:
            sentences.append(f"About {rows} rows like these would decide.")
    else:
        step, noisy = _step(report)
        if step.lower <= 0:
            sentences.append(
                f"The largest constant step size is about {step.value:.3g}, but its interval reaches 0: "
                "begin well below it, or bring more rows."
            )
        elif math.isfinite(step.lower):
            why = ": above it the variance of the weights grows" if noisy else ", and well below it where ratios vary"
            sentences.append(f"Keep a constant step size below {step.lower:.3g}{why}.")
    return sentences


def rows_needed(report: DataReport) -> int | None:
    """Return how many rows would put 0 outside the interval, which shrinks by the root of their number; one digit."""
    abscissa = report.abscissa
    if not abscissa.lower <= abscissa.upper or not abscissa.value:
        return None
    reach = max(abscissa.upper - abscissa.value, abscissa.value - abscissa.lower)
    needed = report.moments.rows * (reach / abs(abscissa.value)) ** 2
    if not 0 < needed < 1e15:
        return None
    unit = 10 ** math.floor(math.log10(needed))
    return int(math.ceil(needed / unit) * unit)


def direction_text(direction: np.ndarray) -> str:
    """Return a direction by its largest entries.

    >>> direction_text(np.array([0.6, 0.0, -0.8]))
    '0.6 x_0 - 0.8 x_2'
    """
    order = sorted(np.argsort(-np.abs(np.round(direction, 9)), kind="stable")[:_MOST_NAMED])
    parts = [
        f"{'-' if direction[i] < 0 else '+'} {abs(direction[i]):.3g} x_{i}" for i in order if abs(direction[i]) > 1e-3
    ]
    rest = float(np.linalg.norm(np.delete(direction, order)))
    shown = " ".join(parts).removeprefix("+ ")
    return f"{shown}{', and smaller ones' if rest > 1e-3 else ''}"


def where_from(report: DataReport) -> str:
    """Return what was read, on one line."""
    moments = report.moments
    parts = [counted(moments.rows, "row"), counted(moments.features, "feature"), f"gamma {report.form.gamma}"]
    return ", ".join([*parts[:1], *([counted(moments.episodes, "episode")] if moments.ordered else []), *parts[1:]])


def notes(report: DataReport) -> list[str]:
    """Return what was left out and what the numbers do not tell."""
    lines = [report.method]
    directions = report.moments.features - report.sample.at.rank
    if directions:
        lines.append(f"{directions} of {report.moments.features} directions are left out: no row has them")
    if not report.resamples:
        lines.append(
            "to first order, the bias that noise gives extreme eigenvalues is not seen; many rows a feature avoid it"
        )
    if report.ignored:
        lines.append(f"columns that were not read: {', '.join(report.ignored)}")
    return [*lines, *LIMITS]


DataReport.view = View(
    lambda report: headline(report).removesuffix("."),
    tables,
    picture,
    lambda report: [f"{report.name}: {where_from(report)}", *reasons(report), *changes(report)],
)
