"""The problems of the tables as environments: replayed as the paper's runs were, or with fresh experience."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulate.environment import Environment, environment
from simulate.error_measure import ErrorMeasure
from simulate.tables.streams import LegacyStream
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem


def replayed(name: str, steps: int, error_weights: Sequence[Fraction] | None = None) -> Environment:
    """Return a problem with the experience of the paper's runs.

    Args:
        name: of the problem.
        steps: number of updates.
        error_weights: d(s) in the RMSPBE, which need not sum to 1; by default the problem's own, exact.
    """
    problem = find_problem(name)
    stream = LegacyStream(problem, steps)
    made = environment(problem, steps=steps)
    error, told = made.error, "exact weights"
    if error_weights is not None:
        error, told = _weighted(problem, list(error_weights), steps)
    return replace(made, trajectory=stream, error=error, key="\n".join([made.key, told, stream.key]))


def fresh(name: str, steps: int, seed: int) -> Environment:
    """Return a problem with experience of its own, run i of a seed being the same whatever else is run."""
    return environment(find_problem(name), steps=steps, seed=seed)


def _weighted(problem: Problem, weights: list[Fraction], steps: int) -> tuple[ErrorMeasure, str]:
    """Return the RMSPBE under other state weights, which need not sum to 1: it grows with the root of their sum."""
    total = sum(weights, Fraction(0))
    fields: dict[str, Any] = {
        name: getattr(problem, name)
        for name in ("name", "gamma", "features", "transitions", "behaviour", "target", "terminal", "start")
    }
    other = Problem(**fields, state_weights=[weight / total for weight in weights])
    measure = environment(other, steps=steps).error
    root = math.sqrt(total)
    return ErrorMeasure(measure.residual * root, measure.offset * root), f"weights {weights}"
