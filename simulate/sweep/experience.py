"""The experience of a problem in a study, fresh or that of the paper's own runs, and the error that is measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from simulate.environment import Environment, environment
from simulate.error_measure import ErrorMeasure, error_measure
from simulate.legacy_stream import LegacyStream
from tdrc_theory.errors import BadExperiment
from tdrc_theory.exact.convert import number_text
from tdrc_theory.problem import Problem

EXPERIENCES = ("fresh", "replayed")
"""Where the random numbers of a run are from: its seed, or the paper's own streams (`LegacyStream`)."""


def replayed(problem: Problem, steps: int, error_weights: Sequence[Fraction] | None = None) -> Environment:
    """Return a problem with the experience of the paper's own runs.

    Args:
        problem: see `LegacyStream`.
        steps: number of updates.
        error_weights: see `weighted`; by default the problem's own d, exact.
    """
    stream, simulated = LegacyStream(problem, steps), environment(problem, steps=steps)
    there = replace(simulated, key=f"{simulated.key}\nexact weights")
    if error_weights is not None:
        there = weighted(simulated, problem, error_weights)
    return replace(there, trajectory=stream, key=f"{there.key}\n{stream.key}")


def weighted(there: Environment, problem: Problem, weights: Sequence[Fraction]) -> Environment:
    """Return an environment whose RMSPBE is under other state weights d, which need not sum to 1.

    The RMSPBE grows with the root of their sum.
    """
    total = sum(weights, Fraction(0))
    measure, root = error_measure(with_error_weights(problem, weights)), math.sqrt(total)
    error = ErrorMeasure(measure.residual * root, measure.offset * root)
    return replace(there, error=error, key=f"{there.key}\nweights {list(weights)}")


def with_error_weights(problem: Problem, weights: Sequence[Fraction]) -> Problem:
    """Return the problem with d(s) in proportion to these weights.

    Raises:
        TheoryError: they are not one for each state, or negative, or sum to 0.
    """
    total = sum(weights, Fraction(0))
    if total <= 0:
        raise BadExperiment(f"they sum to {number_text(total)}, which is not positive")
    return replace(problem, state_weights=tuple(weight / total for weight in weights))
