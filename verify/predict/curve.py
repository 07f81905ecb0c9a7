"""What every prediction begins with: what was asked, and the mean weights at recorded steps, with their table."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.finite import finite_list
from tdrc_theory.exact.number import number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameter_texts, parameters_text
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.sampling import remarks, sampling_warnings
from tdrc_theory.tables.table import Table

AT_REST = (
    "note: the start is a fixed point of every update looked at, so nothing moves; to start elsewhere: "
    "initial_weights of the problem, or --initial-weights"
)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class PredictedCurve:
    """A prediction under a constant step size; arrays are read-only.

    Attributes:
        problem, algorithm, parameters, alpha, steps, sampling: what was asked.
        recorded: (points,), numbers of updates: 0, every, 2 every, ... and `steps`.
        mean_weights: (points, k), E[w].
        at_rest: whether the start is a fixed point of every update that the prediction is of; exact.
    """

    problem: Problem | MatrixProblem
    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    alpha: Fraction
    steps: int
    sampling: str
    recorded: np.ndarray
    mean_weights: np.ndarray
    at_rest: bool = False

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def asked_json(self) -> dict[str, Any]:
        """Return what was asked, and the mean weights."""
        return {
            "problem": self.problem.to_json(),
            "algorithm": {"name": self.algorithm.name, **parameter_texts(self.parameters)},
            "alpha": number_text(self.alpha),
            "sampling": self.sampling,
            "sampling_warnings": list(sampling_warnings(self.problem, self.sampling)),
            "steps": self.steps,
            "recorded": self.recorded.tolist(),
            "initial_weights": [number_text(w) for w in self.problem.initial_weights],
            "at_rest": self.at_rest,
            "mean_weights": finite_list(self.mean_weights),
        }

    def weight_columns(self, mean_h: np.ndarray | None) -> dict[str, np.ndarray]:
        """Return mean weights, w and then h, each (points,) by its title in a table."""
        columns = {f"mean_w{i}": column for i, column in enumerate(self.mean_weights.T)}
        return columns | {f"mean_h{i}": column for i, column in enumerate([] if mean_h is None else mean_h.T)}

    def heading(self, kind: str) -> Iterator[str]:
        """Yield the first lines of text: what was asked, of what kind the answer is, and remarks."""
        used = parameters_text({**self.parameters, "alpha": self.alpha})
        yield f"{self.algorithm.name}, {used} on {self.problem}, {self.sampling} sampling{kind}"
        yield from remarks(self.problem, self.sampling)
        if self.at_rest:
            yield AT_REST


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MeanCurve(PredictedCurve):
    """A prediction of mean weights, which are the expected update, iterated.

    Attributes, besides those of every prediction:
        mspbe_of_mean: (points,), the MSPBE of the mean weights, at most E[MSPBE].
        why_alpha: why the step size was chosen; "" where it was asked for.
    """

    mspbe_of_mean: np.ndarray
    why_alpha: str = ""

    @property
    def course(self) -> str:
        """Return how far the MSPBE of the mean weights gets, in words."""
        ends = f"from {shown(self.mspbe_of_mean[0])} to {shown(self.mspbe_of_mean[-1])}"
        return f"goes {ends} in {counted(self.steps, 'update')}"

    @property
    def table(self) -> Table:
        """Return mean weights and their MSPBE at some of the recorded steps."""
        rows = [
            (str(self.recorded[i]), shown(self.mspbe_of_mean[i], 8), f"({', '.join(map(shown, self.mean_weights[i]))})")
            for i in checkpoints(self.recorded)
        ]
        return Table("predicted mean weights", ("updates", "MSPBE of the mean weights", "mean weights"), rows)

    def tables(self) -> list[Table]:
        """Return what is printed in columns."""
        return [self.table]


def checkpoints(recorded: np.ndarray) -> list[int]:
    """Return the places of 0, of 1, 3, 10, 30, ... updates or the next recorded after, and of the last."""
    steps = int(recorded[-1])
    wanted = [factor * 10**power for power in range(len(str(steps))) for factor in (1, 3)]
    places = np.searchsorted(recorded, [0, *(count for count in wanted if count < steps), steps])
    return list(dict.fromkeys(places.tolist()))


def recorded_steps(steps: int, every: int) -> np.ndarray:
    """Return 0, every, 2 every, ... and `steps` (points,)."""
    return np.array(sorted({*range(0, steps, every), steps}))


def shown(value: float, digits: int = 6) -> str:
    """Return a number, or what stands for one that is not there."""
    if math.isnan(value):
        return "not found"
    return f"{value:.{digits}g}" if math.isfinite(value) else "infinite"


def logarithm_for(values: Sequence[float]) -> int | None:
    """Return the base of an axis' logarithm, None where nothing finite and positive is drawn."""
    return 10 if any(0 < value < math.inf for value in values) else None


def iterated(M: np.ndarray, constant: np.ndarray, y: np.ndarray, recorded: np.ndarray) -> np.ndarray:
    """Return y after each number of steps y <- M y + constant (points, n)."""
    n, rows, z = len(y), [], np.append(y, 1.0)
    affine = np.eye(n + 1)
    affine[:n, :n], affine[:n, n] = M, constant
    power = functools.cache(lambda count: np.linalg.matrix_power(affine, count))
    with np.errstate(all="ignore"):
        for count in np.diff(recorded, prepend=0).tolist():
            z = power(count) @ z if count else z
            rows.append(z[:n])
    return np.array(rows).reshape(len(recorded), n)
