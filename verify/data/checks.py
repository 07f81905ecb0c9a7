"""Hypotheses and conclusions on logged transitions, each decided by an interval; all `sampled`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from tdrc_theory.exact.number import number_text
from verify.check import Check, Proof, Status
from verify.data.estimate import Estimate, Sample
from verify.data.intervals import LEVEL, Interval
from verify.data.moments import Moments
from verify.data.numbers import ABSCISSA, BETA, ETA, LOWEST, MEAN_RATIO, SQUARE_STEP, STEP
from verify.data.products import RATIO, RATIO_SQUARE, Form
from verify.outcome import Outcome

_SAME = 1e-7
"""A relative residual up to which an equation is taken to have a solution."""


class RatioVariance(NamedTuple):
    """How much importance ratios vary.

    Attributes:
        mean, variance: over rows.
        effective_rows: (sum rho)^2 / sum rho^2, so many rows of equal weight would tell as much.
        largest: the largest.
    """

    mean: float
    variance: float
    effective_rows: float
    largest: float


def ratio_variance(moments: Moments, whole: Estimate) -> RatioVariance:
    """Return how much the ratios vary."""
    mean, square = float(whole.means[RATIO]), float(whole.means[RATIO_SQUARE])
    effective = moments.rows * mean**2 / square if square else 0.0
    return RatioVariance(mean, max(square - mean**2, 0.0), effective, moments.largest_ratio)


def checks_of(
    moments: Moments, sample: Sample, form: Form, numbers: Mapping[str, Interval], residual: float
) -> tuple[tuple[Check, ...], Outcome, str]:
    """Return the checks, and the verdict with its reason."""
    ratios = ratio_variance(moments, sample.whole)
    lowest, abscissa, step = numbers[LOWEST], numbers[ABSCISSA], numbers[STEP]
    stable = abscissa.below(0)
    spread = f"variance {ratios.variance:.3g}, largest {ratios.largest:.3g}, {ratios.effective_rows:.0f} effective rows"
    mean = numbers[MEAN_RATIO]
    checks = [
        _check("ratio-mean-one", "E[rho] = 1", _one(mean), f"mean of rho; {spread}", mean),
        _check("A-positive-definite", "Theorem 3.1 (i)", lowest.above(0), LOWEST, lowest),
    ]
    beta, eta = form.parameters.get("beta"), form.parameters.get("eta")
    if beta is not None and form.algorithm.name == "tdrc":
        within = Status.HOLDS if beta == 0 else numbers[BETA].above(float(beta))
        what = f"bound of beta; beta is {number_text(beta)}"
        checks.append(_check("beta-below-bound", "Theorem 3.1 (ii), corrected", within, what, numbers[BETA]))
    if eta is not None and form.algorithm.name == "tdrc":
        within, what = numbers[ETA].below(float(eta)), f"bound of eta; eta is {number_text(eta)}"
        checks.append(_check("eta-above-bound", "Theorem 3.1 (ii), corrected", within, what, numbers[ETA]))
    solvable = Status.of(True if residual < _SAME else None)
    checks += [
        _check("fixed-point-exists", "G varrho + g = 0", solvable, f"relative residual {residual:.1g} on these data"),
        _check("expected-update-stable", "eigenvalues of G", stable, ABSCISSA, abscissa),
        _check("step-size", "mean of the linear recursion", _positive(step), "largest step size of the mean", step),
    ]
    if SQUARE_STEP in numbers:
        square, source = numbers[SQUARE_STEP], "mean square of the linear recursion, independent rows"
        checks.append(_check("step-size-with-noise", source, _positive(square), SQUARE_STEP, square))
    return tuple(checks), *_verdict(moments, sample, stable, abscissa, solvable)


def _one(mean: Interval) -> Status:
    """Return whether 1 is in an interval: outside it is no mean of ratios under behaviour; inside proves nothing."""
    if mean.lower <= 1 <= mean.upper and mean.upper - mean.lower < 0.5:
        return Status.HOLDS
    return Status.FAILS if mean.above(1) is not Status.UNDECIDED else Status.UNDECIDED


def _positive(step: Interval) -> Status:
    return Status.FAILS if step.upper == 0 else step.above(0)


def _check(claim: str, source: str, status: Status, what: str, number: Interval | None = None) -> Check:
    """Return a check of a number that its interval decides, or of data as they are."""
    reason = what if number is None else f"{what}: {number}"
    evidence: dict[str, Any] = {} if number is None else {**number.to_json(), "level": LEVEL}
    return Check(claim=claim, source=source, status=status, proof=Proof.SAMPLED, reason=reason, evidence=evidence)


def _verdict(
    moments: Moments, sample: Sample, stable: Status, abscissa: Interval, solvable: Status
) -> tuple[Outcome, str]:
    rate = f"the spectral abscissa of G is {abscissa} at {LEVEL:.0%}"
    if stable is Status.FAILS:
        return Outcome.NOT_CONVERGENT, f"{rate}, above 0: errors grow"
    if stable is Status.UNDECIDED:
        return Outcome.UNDECIDED, f"{rate}" + ("" if math.isnan(abscissa.lower) else ", on both sides of 0")
    if solvable is not Status.HOLDS:
        why = "G varrho + g = 0 has no solution on these data, so weights drift unless that is chance"
        return Outcome.UNDECIDED, why
    whole = sample.at.rank == moments.features
    return Outcome.CONVERGENT if whole else Outcome.CONVERGENT_TO_A_SET, f"{rate}, below 0"
