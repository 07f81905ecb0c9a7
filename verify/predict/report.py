"""A prediction with its limits, its floor and its study: as text, as the contract's object, as rows, as a figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tdrc_theory.csv_text import csv_text
from tdrc_theory.default_step_size import chosen_lines
from tdrc_theory.exact.convert import number_text
from tdrc_theory.finite import finite, finite_list
from tdrc_theory.learner.offered import TWICE
from tdrc_theory.panel import Curve, Panel, Picture
from tdrc_theory.parameters import parameters_text
from tdrc_theory.shown import View
from tdrc_theory.table import Table
from verify.check import Check, Proof, Status
from verify.predict.answer import prediction_answer
from verify.predict.limits import Limits
from verify.predict.periodic import Period
from verify.predict.prediction import Prediction
from verify.predict.study import PredictedStudy, logarithm_for, shown

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
_CHECKPOINTS = (1, 3)


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
        """Return what the prediction says, in one sentence."""
        over_periods = "" if self.period is None else self.period.answer
        return prediction_answer(self.prediction, self.limits, self.floor, over_periods, self.second_moments)

    @property
    def assumptions(self) -> list[str]:
        """Return what the numbers take for granted."""
        copy = self.prediction.copy
        copied = [] if copy is None else [f"{copy.target} = {copy.source} at the start; its own rule is left aside"]
        twice = [TWICE] if self.prediction.algorithm.second else []
        return [_SAMPLING[self.prediction.sampling], *copied, *twice, *ASSUMPTIONS]

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object; what is past the range of floats is null."""
        made = self.prediction
        at = checkpoints(made.recorded)
        found = {
            "answer": self.answer,
            "why_alpha": self.why_alpha or None,
            **made.asked_json(),
            "mspbe": finite_list(made.mspbe),
            "sqrt_mspbe": finite_list(made.rmspbe_most),
            "mean_rmspbe_at_least": finite_list(made.rmspbe_least),
            "mean_h": None if made.mean_h is None else finite_list(made.mean_h),
            "area": finite(made.area),
            "area_over": "recorded steps",
            "floor": finite(self.floor),
            **self.limits.to_json(),
            "proof": {"curve": made.proof.value, "floor": Proof.FLOAT.value},
            "method": made.method,
            "assumptions": self.assumptions,
        }
        if made.covariance is not None:
            kept = {"updates": made.recorded[at].tolist(), "covariance": finite_list(made.covariance[at])}
            found["weight_covariance"] = kept
        if self.settles is not None:
            found["mean_settles"] = self.settles.to_json()
        if self.second_moments is not None:
            found["second_moments"] = self.second_moments.to_json()
        if self.study is not None:
            found["study"] = self.study.to_json()
        if self.period is not None:
            found["copy"] = self.period.to_json()
        return found

    def lines(self) -> Iterator[str]:
        """Yield the lines of text."""
        made = self.prediction
        yield self.answer
        yield from chosen_lines(made.alpha, self.why_alpha)
        yield from made.heading(f" ({made.proof.value})")
        yield from settles_lines(self.settles)
        yield from curve_table(made).text().splitlines()
        yield f"area (mean of E[MSPBE] over the recorded steps): {shown(made.area, 8)}"
        yield f"floor (E[MSPBE] in the long run): {shown(self.floor, 8)} (float)"
        yield f"mean limit of alpha: {self.limits.mean}"
        yield f"mean-square limit of alpha: {self.limits.mean_square}"
        if self.second_moments is not None:
            yield f"second moments ({self.second_moments.proof.value}): {self.second_moments.reason}"
        if self.period is not None:
            yield from self.period.lines()
        if self.study is not None:
            yield from self.study.lines()
        yield f"computed: {made.method}"
        yield from (f"assumed: {line}" for line in self.assumptions)

    def tables(self) -> list[Table]:
        """Return the curve at some of its steps, and the study if there is one."""
        return [curve_table(self.prediction), *([] if self.study is None else [self.study.table])]

    def csv(self) -> str:
        """Return one row for each recorded step: errors, expected weights, and the weights' covariances."""
        made = self.prediction
        k = made.mean_weights.shape[1]
        pairs = list(zip(*np.triu_indices(k), strict=True)) if made.covariance is not None else []
        titles = ["updates", "mspbe", "sqrt_mspbe", "mean_rmspbe_at_least", *(f"mean_w{i}" for i in range(k))]
        titles += [f"mean_h{i}" for i in range(k)] if made.mean_h is not None else []
        titles += [f"cov_w{i}_w{j}" for i, j in pairs]
        rows = []
        for point, n in enumerate(made.recorded):
            row = [made.mspbe[point], made.rmspbe_most[point], made.rmspbe_least[point], *made.mean_weights[point]]
            row += [] if made.mean_h is None else list(made.mean_h[point])
            row += [] if made.covariance is None else [made.covariance[point, i, j] for i, j in pairs]
            rows.append([int(n), *map(float, row)])
        return csv_text(titles, rows)

    def picture(self) -> Picture:
        """Return the curve, and the study beside it, as a figure."""
        return prediction_picture(self.prediction, self.study)


def curve_table(made: Prediction) -> Table:
    """Return the curve at some of its steps."""
    rows = []
    for i in checkpoints(made.recorded):
        squared, least, most = (shown(part[i], 8) for part in (made.mspbe, made.rmspbe_least, made.rmspbe_most))
        rows.append((str(made.recorded[i]), squared, f"[{least}, {most}]"))
    return Table("predicted errors", ("updates", "E[MSPBE]", "E[sqrt(MSPBE)] is in"), rows)


def prediction_picture(made: Prediction, study: PredictedStudy | None = None) -> Picture:
    """Return the curve, and the study beside it if there is one, as a figure."""
    name = f"{made.algorithm.name} on {made.problem.name}, alpha = {number_text(made.alpha)}, {made.sampling} sampling"
    x = made.recorded.tolist()
    most, least = made.rmspbe_most.tolist(), made.rmspbe_least.tolist()
    band = Curve("E[sqrt(MSPBE)] is in the band below", x, most, lower=least, upper=most)
    panels = [Panel([band], "updates", "sqrt(E[MSPBE])", log_y=logarithm_for(most))]
    if study is not None:
        panels.append(study.panel(float(made.mspbe[0])))
    return Picture(f"Predicted: {name}", _course(made), panels)


def _course(made: Prediction) -> str:
    return f"E[MSPBE] goes from {made.mspbe[0]:.6g} to {made.mspbe[-1]:.6g} in {made.steps} updates"


def _line(made: Prediction) -> str:
    used = parameters_text({**made.parameters, "alpha": made.alpha})
    where = f"{made.problem.name}, {made.sampling} sampling"
    return f"{made.algorithm.name}, {used} on {where}: {_course(made)} ({made.proof.value})"


def settles_lines(settles: Check | None) -> Iterator[str]:
    """Yield whether the exact mean goes to 0, where that is decided."""
    if settles is not None:
        what = "goes to 0" if settles.status is Status.HOLDS else "is unbounded"
        yield f"the mean weight {what} ({settles.proof.value}): {settles.reason}"


def checkpoints(recorded: np.ndarray) -> list[int]:
    """Return the places of 0, of 1, 3, 10, 30, ... updates or the next recorded after, and of the last."""
    wanted, scale, steps = [0], 1, int(recorded[-1])
    while scale <= steps:
        wanted += [factor * scale for factor in _CHECKPOINTS if factor * scale < steps]
        scale *= 10
    places = np.searchsorted(recorded, [*wanted, steps])
    return list(dict.fromkeys(int(place) for place in places))


def mean_weights_table(recorded: np.ndarray, mspbe: np.ndarray, mean_weights: np.ndarray) -> Table:
    """Return mean weights and their MSPBE at some of the recorded steps."""
    rows = []
    for i in checkpoints(recorded):
        weights = ", ".join(shown(v) for v in mean_weights[i])
        rows.append((str(recorded[i]), shown(mspbe[i], 8), f"({weights})"))
    return Table("predicted mean weights", ("updates", "MSPBE of the mean weights", "mean weights"), rows)


Prediction.view = View(_line, lambda made: [curve_table(made)], prediction_picture)
