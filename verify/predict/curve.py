"""What every prediction begins with: what was asked, and the mean weights at recorded steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.cli.finite import finite_list
from tdrc_theory.exact.convert import number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameter_texts, parameters_text
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.remarks import remarks, sampling_warnings

AT_REST = (
    "note: the start is a fixed point of every update looked at, so nothing moves; to start elsewhere: "
    "initial_weights of the problem, or --initial-weights"
)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Curve:
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

    def heading(self, kind: str) -> Iterator[str]:
        """Yield the first lines of text: what was asked, of what kind the answer is, and remarks."""
        used = parameters_text({**self.parameters, "alpha": self.alpha})
        yield f"{self.algorithm.name}, {used} on {self.problem}, {self.sampling} sampling{kind}"
        yield from remarks(self.problem, self.sampling)
        if self.at_rest:
            yield AT_REST
