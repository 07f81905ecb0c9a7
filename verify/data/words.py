"""The answer in sentences: what happens, why, and what to change."""

from __future__ import annotations

import math

import numpy as np

from tdrc_theory.cli.counted import counted
from tdrc_theory.parameters import setting_text
from verify.check import Status, check_of
from verify.data.checks import ratio_variance, text
from verify.data.intervals import LEVEL
from verify.data.numbers import BETA, ETA, LOWEST, MEAN_RATIO, SQUARE_STEP, STEP
from verify.data.report import DataReport
from verify.outcome import CONVERGES, Outcome

_MOST_NAMED = 4
"""Entries of a direction that are shown, the largest."""
FEW_EFFECTIVE = 0.1
"""Share of effective rows below which the ratios' variance is named as trouble."""
LIMITS = (
    "the verdict is on the expected update, with states as often as in these rows; features and gamma are as given",
    "a step size below that of the mean is necessary, not sufficient; that of the mean square is for independent rows",
    "where units depend on one another, intervals are too narrow",
)


def headline(report: DataReport) -> str:
    """Return what happens, in one sentence."""
    who = setting_text(report.form.algorithm.name, report.form.parameters)
    if report.status is Outcome.NOT_CONVERGENT:
        return f"{who} diverges on these data, however small the step size ({LEVEL:.0%} confidence)."
    if report.status is Outcome.UNDECIDED:
        return f"It is undecided whether {who} converges on these data: {report.reason}."
    to = "to one point" if report.status is Outcome.CONVERGENT else "to a set of points"
    return f"The expected update of {who} converges on these data, {to} ({LEVEL:.0%} confidence){_below(report)}."


def _below(report: DataReport) -> str:
    """Return below which constant step sizes it does, at the lower end of an interval; "" where none was found."""
    noisy = SQUARE_STEP in report.numbers
    step = report.numbers[SQUARE_STEP if noisy else STEP].lower
    if not (math.isfinite(step) and step > 0):
        return ""
    return f", its {'mean square' if noisy else 'mean'} at constant step sizes below {step:.3g}"


def reasons(report: DataReport) -> list[str]:
    """Return why, a sentence each."""
    definite, lowest = check_of(report.checks, "A-positive-definite").status, report.numbers[LOWEST]
    told = []
    if definite is Status.FAILS:
        along = direction_text(report.direction)
        told.append(f"A is not positive definite: z^T A z is {text(lowest)} along z = {along}.")
    elif definite is Status.UNDECIDED:
        told.append(f"It is undecided whether A is positive definite: its lowest form is {text(lowest)}.")
    else:
        told.append(f"A is positive definite: its lowest form is {text(lowest)}.")
    ratio = check_of(report.checks, "ratio-mean-one").status
    if ratio is Status.FAILS:
        mean = text(report.numbers[MEAN_RATIO])
        told.append(f"The importance ratios do not average 1, as they do under behaviour: their mean is {mean}.")
    ratios = ratio_variance(report.moments, report.sample.whole)
    if ratios.effective_rows < FEW_EFFECTIVE * report.moments.rows:
        told.append(
            f"The importance ratios vary much: variance {ratios.variance:.3g}, largest {ratios.largest:.3g}; "
            f"{report.moments.rows} rows tell as much as {ratios.effective_rows:.0f} of equal weight."
        )
    if report.status in CONVERGES:
        told.append(
            "If a run diverges all the same, its step size is too large, or its update is another than this one."
        )
    return told


def changes(report: DataReport) -> list[str]:
    """Return what to change, a sentence each."""
    text = []
    if check_of(report.checks, "ratio-mean-one").status is Status.FAILS:
        text.append(
            "Check rho first: is it target over behaviour of the action that was taken, not clipped, in its row?"
        )
    if report.status not in CONVERGES:
        stable = [each.text for each in report.alternatives if each.stable is Status.HOLDS]
        if stable:
            text.append(f"Learners whose expected update is stable here: {'; '.join(stable)}.")
        beta, eta = report.numbers[BETA], report.numbers[ETA]
        if math.isfinite(beta.lower) and math.isfinite(eta.upper):
            text.append(
                f"Of TDRC, beta below {beta.lower:.3g} and eta above {eta.upper:.3g} suffice "
                "(Theorem 3.1 (ii), corrected)."
            )
        if report.status is Outcome.UNDECIDED and (rows := rows_needed(report)) is not None:
            text.append(f"About {rows} rows like these would decide.")
    else:
        noisy = SQUARE_STEP in report.numbers
        step = report.numbers[SQUARE_STEP if noisy else STEP]
        if step.lower <= 0:
            text.append(
                f"The largest constant step size is about {step.value:.3g}, but its interval reaches 0: "
                "begin well below it, or bring more rows."
            )
        elif math.isfinite(step.lower):
            why = "above it the variance of the weights grows" if noisy else "and well below it where ratios vary"
            text.append(
                f"Keep a constant step size below {step.lower:.3g}: {why}."
                if noisy
                else f"Keep a constant step size below {step.lower:.3g}, {why}."
            )
    return text


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
    text = [report.method]
    directions = report.moments.features - report.sample.at.rank
    if directions:
        text.append(f"{directions} of {report.moments.features} directions are left out: no row has them")
    if not report.resamples:
        text.append(
            "to first order, the bias that noise gives extreme eigenvalues is not seen; many rows a feature avoid it"
        )
    if report.ignored:
        text.append(f"columns that were not read: {', '.join(report.ignored)}")
    return [*text, *LIMITS]
