"""A prediction in one plain sentence: whether errors stay bounded at its step size, and how far they get."""

from __future__ import annotations

from math import isfinite
from typing import Any

from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.default_step_size import StepSizes, above_limit
from tdrc_theory.exact.convert import number_text
from verify.check import Check, Proof, Status
from verify.conditions.setting import Setting
from verify.conditions.trace_variance import trace_variance
from verify.predict.limits import Limits
from verify.predict.prediction import Prediction
from verify.predict.study import shown


def prediction_answer(
    prediction: Prediction, limits: Limits, floor: float, over_periods: str = "", bounded: Check | None = None
) -> str:
    """Return what a prediction says, in one sentence that is safe to show.

    Args:
        prediction: the prediction.
        limits: of the step size, searched or not.
        floor: E[MSPBE] in the long run; not finite where there is none.
        over_periods: what is known of the mean where weights are copied periodically.
        bounded: that second moments are bounded at the step size, where it is known apart from the limits.
    """
    return printable(f"{over_periods or _bounded(prediction, limits, bounded)}; {_curve(prediction, floor)}.")


def first_order_answer(value: Any, settled: str) -> str:
    """Return what is known to first order in the step size, in one sentence that is safe to show.

    Args:
        value: a `FirstOrder`.
        settled: whether the exact mean goes to 0, in words; "" where that is not decided.
    """
    name, variance = f"{value.algorithm.name} on {value.problem.name}", value.variance
    if value.at_rest:
        known = f"Learning of {name} starts at a fixed point of every update, so that nothing moves"
    elif settled:
        known = settled
    elif variance is not None and variance.status is Status.FAILS:
        known = f"Runs of {name} need not follow their mean: {variance.reason} ({variance.proof.value})"
    elif isfinite(value.floor):
        where = f"about {shown(value.floor)} (first order, {Proof.FLOAT.value})"
        known = f"E[MSPBE] of {name} settles at {where} if alpha = {number_text(value.alpha)} is small enough"
    else:
        known = f"Whether errors of {name} stay bounded was not decided"
    ends = f"from {shown(value.mspbe_of_mean[0])} to {shown(value.mspbe_of_mean[-1])}"
    curve = f"the MSPBE of the expected update's weights goes {ends} in {counted(value.steps, 'update')}"
    return printable(f"{known}; {curve} ({Proof.FLOAT.value}).")


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


def _curve(prediction: Prediction, floor: float) -> str:
    first, last, updates = prediction.mspbe[0], prediction.mspbe[-1], counted(prediction.steps, "update")
    ends = f"E[MSPBE] goes from {shown(first)} to {shown(last)} in {updates}"
    if first == last:
        ends = f"E[MSPBE] is {shown(first)} before and after {updates}"
    if not prediction.at_rest and isfinite(floor):
        return f"{ends}, and to {shown(floor)} in the long run ({Proof.FLOAT.value})"
    return f"{ends} ({prediction.proof.value})"
