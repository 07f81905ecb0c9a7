"""The problems of the tables as environments: replayed as the paper's runs were, or with fresh experience."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulate.environment import Environment, environment
from simulate.error_measure import ErrorMeasure
from simulate.tables.streams import LegacyStream
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem

STEPS: Mapping[str, int] = {
    "random-walk-tabular": 3000,
    "random-walk-inverted": 3000,
    "random-walk-dependent": 3000,
    "boyan": 10000,
    "baird": 5000,
}
"""How long each problem was really run."""

STATED_STEPS: Mapping[str, int] = dict.fromkeys(STEPS, 3000)
"""How long the text says that it ran: 3000 steps, whatever the problem."""

_WALK = (".111111", ".222222", ".333333", ".222222", ".111111")
_BOYAN = (
    *(".07757417", ".07680082", ".0768048", ".07680444", ".0767995", ".07680488", ".07680497"),
    *(".07680541", ".0768076", ".07680623", ".07680757", ".07680545", ".07757417"),
)
ERROR_WEIGHTS: Mapping[str, Sequence[str]] = {
    "random-walk-tabular": _WALK,
    "random-walk-inverted": _WALK,
    "random-walk-dependent": _WALK,
    "boyan": _BOYAN,
}
"""d(s) in the RMSPBE of the published cells, where it is not exact: the walk's is rounded to six digits, and Boyan's is
nearly uniform, although the chain visits some states more often than others."""


def replayed(name: str, steps: int, *, error_weights: bool) -> Environment:
    """Return a problem with the experience of the paper's runs.

    Args:
        name: of the problem.
        steps: number of updates.
        error_weights: whether the RMSPBE has ERROR_WEIGHTS; otherwise d is the problem's own, exact.
    """
    problem = find_problem(name)
    stream = LegacyStream(problem, steps)
    made = environment(problem, steps=steps)
    error, told = made.error, "exact weights"
    if error_weights and name in ERROR_WEIGHTS:
        error, told = _weighted(problem, [Fraction(weight) for weight in ERROR_WEIGHTS[name]], steps)
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
