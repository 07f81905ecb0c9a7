"""A prediction with its limits, its floor and its study: as text, as the contract's object, as rows, as a figure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.finite import finite, finite_list
from tdrc_theory.default_step_size import StepSizes, above_limit, chosen_lines
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import Curve, Panel, Picture
from tdrc_theory.learner.modes import TWICE
from tdrc_theory.parameters import parameters_text
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table, csv_text
from verify.check import Check, Proof, Status
from verify.conditions.setting import Setting
from verify.conditions.trace_variance import trace_variance
from verify.predict.curve import checkpoints, logarithm_for, shown
from verify.predict.limits.limit import Limits
from verify.predict.limits.periodic import Period
from verify.predict.prediction import Prediction
from verify.predict.study import PredictedStudy

ASSUMPTIONS = (
    "the step size is constant, every update uses one transition, h starts at 0 and w at the problem's initial weights",
    "E[...] is over all runs; the MSPBE is weighted by the problem's d, with the pseudo-inverse of a singular C",
    "the mean RMSPBE of runs is E[sqrt(MSPBE)], not sqrt(E[MSPBE]): by Jensen's inequality it is at most that, and at "
    "least the norm of the expected residual, taken state by state",
    "a limit is of the linear part, off the directions in which nothing ever moves",
)
_SAMPLING = {
    "markov": "transitions follow the behaviour chain; after an episode's end features are 0, and the next one begins",
    "iid": "every update draws its own state from d, action from behaviour, and next state",
}


@dataclass(frozen=True)
class Report:
    """All that is known of one question.

    Attributes:
        settles: whether the exact mean goes to 0, where that is decided.
        why_alpha: why the step size was chosen, "" where it was asked for.
        second_moments: that they are bounded at the step size, where a proof assistant has checked it.
    """

    prediction: Prediction
    limits: Limits
    floor: float
    study: PredictedStudy | None
    period: Period | None = None
    settles: Check | None = None
    why_alpha: str = ""
    second_moments: Check | None = None

    @property
    def answer(self) -> str:
        """Return what the prediction says in one sentence: whether errors stay bounded, and how far they get."""
        over_periods = "" if self.period is None else self.period.answer
        bounded = over_periods or _bounded(self.prediction, self.limits, self.second_moments)
        return printable(f"{bounded}; {_how_far(self.prediction, self.floor)}.")

    @property
    def assumptions(self) -> list[str]:
        """Return what the numbers take for granted."""
        copy = self.prediction.copy
        copied = [] if copy is None else [f"{copy.target} = {copy.source} at the start; its own rule is left aside"]
        twice = [TWICE] if self.prediction.algorithm.second else []
        return [_SAMPLING[self.prediction.sampling], *copied, *twice, *ASSUMPTIONS]

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object; what is past the range of floats is null."""
        prediction = self.prediction
        result = {
            "answer": self.answer,
            "why_alpha": self.why_alpha or None,
            **prediction.asked_json(),
            "mspbe": finite_list(prediction.mspbe),
            "sqrt_mspbe": finite_list(prediction.rmspbe_most),
            "mean_rmspbe_at_least": finite_list(prediction.rmspbe_least),
            "mean_h": None if prediction.mean_h is None else finite_list(prediction.mean_h),
            "area": finite(prediction.area),
            "area_over": "recorded steps",
            "floor": finite(self.floor),
            **self.limits.to_json(),
            "proof": {"curve": prediction.proof.value, "floor": Proof.FLOAT.value},
            "method": prediction.method,
            "assumptions": self.assumptions,
        }
        if prediction.covariance is not None:
            at = checkpoints(prediction.recorded)
            kept = {"updates": prediction.recorded[at].tolist(), "covariance": finite_list(prediction.covariance[at])}
            result["weight_covariance"] = kept
        checked = {"mean_settles": self.settles, "second_moments": self.second_moments}
        further = {**checked, "study": self.study, "copy": self.period}
        return result | {name: each.to_json() for name, each in further.items() if each is not None}

    def lines(self) -> Iterator[str]:
        """Yield the lines of text."""
        prediction = self.prediction
        yield self.answer
        yield from chosen_lines(prediction.alpha, self.why_alpha)
        yield from prediction.heading(f" ({prediction.proof.value})")
        yield from settles_lines(self.settles)
        yield from curve_table(prediction).text().splitlines()
        yield f"area (mean of E[MSPBE] over the recorded steps): {shown(prediction.area, 8)}"
        yield f"floor (E[MSPBE] in the long run): {shown(self.floor, 8)} (float)"
        yield f"mean limit of alpha: {self.limits.mean}"
        yield f"mean-square limit of alpha: {self.limits.mean_square}"
        if self.second_moments is not None:
            yield f"second moments ({self.second_moments.proof.value}): {self.second_moments.reason}"
        if self.period is not None:
            yield from self.period.lines()
        if self.study is not None:
            yield from self.study.lines()
        yield f"computed: {prediction.method}"
        yield from (f"assumed: {line}" for line in self.assumptions)

    def tables(self) -> list[Table]:
        """Return the curve at some of its steps, and the study if there is one."""
        return [curve_table(self.prediction), *([] if self.study is None else [self.study.table])]

    def csv(self) -> str:
        """Return one row for each recorded step: errors, expected weights, and the weights' covariances."""
        p = self.prediction
        columns = {"mspbe": p.mspbe, "sqrt_mspbe": p.rmspbe_most, "mean_rmspbe_at_least": p.rmspbe_least}
        columns |= p.weight_columns(p.mean_h)
        if p.covariance is not None:
            pairs = zip(*np.triu_indices(p.mean_weights.shape[1]), strict=True)
            columns |= {f"cov_w{i}_w{j}": p.covariance[:, i, j] for i, j in pairs}
        numbers = np.column_stack(list(columns.values())).tolist()
        rows = [[n, *values] for n, values in zip(p.recorded.tolist(), numbers, strict=True)]
        return csv_text(["updates", *columns], rows)

    def picture(self) -> Picture:
        """Return the curve, and the study beside it, as a figure."""
        return prediction_picture(self.prediction, self.study)


def _bounded(prediction: Prediction, limits: Limits, known: Check | None) -> str:
    """Return whether second moments are bounded at the step size."""
    alpha, who = prediction.alpha, f"{prediction.algorithm.name} on {prediction.problem.name}"
    at = f"alpha = {number_text(alpha)}"
    if prediction.at_rest:
        return f"Learning starts at a fixed point of every update, so that nothing moves at {at}"
    limit = limits.mean_square
    bounded, proof = limit.bounded_at(alpha) if known is None else (True, known.proof)
    if bounded is None:
        return _estimated(prediction, at)
    if not bounded:
        if limit.value is not None:
            return above_limit(alpha, limit.value, proof.value)
        if limit.changes:
            return f"Errors of {who} grow without bound at {at} ({proof.value})"
        return f"No step size keeps the errors of {who} bounded ({proof.value}), so that they grow at {at}"
    kept = f"Errors of {who} stay bounded at {at} ({proof.value})"
    if limit.value is None:
        return kept
    again = "though it is above the first" if alpha > limit.value else "below the"
    return f"{kept}, {again} mean-square limit {limit.value:.3g}"


def _estimated(prediction: Prediction, at: str) -> str:
    """Return what floats estimate where no limit is known."""
    if prediction.copy is None:
        sizes = StepSizes(prediction.problem, prediction.algorithm, prediction.parameters, prediction.sampling)
        if warning := sizes.warning(prediction.alpha):
            return warning
        if prediction.algorithm.memory:
            variance = trace_variance(Setting(prediction.problem, prediction.algorithm, prediction.parameters))
            if variance.status is Status.FAILS:
                return f"Errors need not stay bounded at {at}: {variance.reason} ({variance.proof.value})"
        if sizes.stable(prediction.alpha):
            return f"Errors stay bounded at {at}, as far as an estimate tells ({sizes.kind})"
    return f"Whether errors stay bounded at {at} was not decided"


def _how_far(prediction: Prediction, floor: float) -> str:
    """Return how far E[MSPBE] gets, and where it ends up."""
    first, last, updates = prediction.mspbe[0], prediction.mspbe[-1], counted(prediction.steps, "update")
    ends = f"E[MSPBE] goes from {shown(first)} to {shown(last)} in {updates}"
    if first == last:
        ends = f"E[MSPBE] is {shown(first)} before and after {updates}"
    if not prediction.at_rest and math.isfinite(floor):
        return f"{ends}, and to {shown(floor)} in the long run ({Proof.FLOAT.value})"
    return f"{ends} ({prediction.proof.value})"


def curve_table(prediction: Prediction) -> Table:
    """Return the curve at some of its steps."""
    rows = []
    for i in checkpoints(prediction.recorded):
        curves = (prediction.mspbe, prediction.rmspbe_least, prediction.rmspbe_most)
        squared, least, most = (shown(curve[i], 8) for curve in curves)
        rows.append((str(prediction.recorded[i]), squared, f"[{least}, {most}]"))
    return Table("predicted errors", ("updates", "E[MSPBE]", "E[sqrt(MSPBE)] is in"), rows)


def prediction_picture(prediction: Prediction, study: PredictedStudy | None = None) -> Picture:
    """Return the curve, and the study beside it if there is one, as a figure."""
    what = f"{prediction.algorithm.name} on {prediction.problem.name}"
    name = f"{what}, alpha = {number_text(prediction.alpha)}, {prediction.sampling} sampling"
    x = prediction.recorded.tolist()
    most, least = prediction.rmspbe_most.tolist(), prediction.rmspbe_least.tolist()
    band = Curve("E[sqrt(MSPBE)] is in the band below", x, most, lower=least, upper=most)
    panels = [Panel([band], "updates", "sqrt(E[MSPBE])", log_y=logarithm_for(most))]
    if study is not None:
        panels.append(study.panel(float(prediction.mspbe[0])))
    return Picture(f"Predicted: {name}", _course(prediction), panels)


def _course(prediction: Prediction) -> str:
    return f"E[MSPBE] goes from {prediction.mspbe[0]:.6g} to {prediction.mspbe[-1]:.6g} in {prediction.steps} updates"


def _line(prediction: Prediction) -> str:
    used = parameters_text({**prediction.parameters, "alpha": prediction.alpha})
    where = f"{prediction.problem.name}, {prediction.sampling} sampling"
    return f"{prediction.algorithm.name}, {used} on {where}: {_course(prediction)} ({prediction.proof.value})"


def settles_lines(settles: Check | None) -> Iterator[str]:
    """Yield whether the exact mean goes to 0, where that is decided."""
    if settles is not None:
        what = "goes to 0" if settles.status is Status.HOLDS else "is unbounded"
        yield f"the mean weight {what} ({settles.proof.value}): {settles.reason}"


Prediction.view = View(_line, lambda prediction: [curve_table(prediction)], prediction_picture)
