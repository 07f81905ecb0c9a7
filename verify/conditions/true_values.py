"""Whether an expected update rests at the true values: those of the target policy, or values relative to an average."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.convert import short_number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem.target_values import differential_values, target_values, values_are_unique
from verify.check import Check
from verify.conditions.setting import Setting

MOST_PLACES = 200
"""Number of states, or pairs, up to which true values are computed."""


def of_average_reward(algorithm: Algorithm) -> bool:
    """Return whether a learner estimates values relative to an average reward: one number beside w, and no discount."""
    numbers = algorithm.scalars & set(algorithm.weights)
    return len(numbers) == 1 and not algorithm.trace.names & {"gamma", "gamma_next"}


class _Truth(NamedTuple):
    """What values are to be: those of each place, with the average reward first where the learner estimates one.

    Attributes:
        values: a column.
        rows: what weights are multiplied by to give estimates of them, in the order of varrho.
        free: directions in which values may differ (a constant, where they are relative), as columns.
    """

    values: Matrix
    rows: Matrix
    free: Matrix


_check = partial(Check.exact, "true-values", "values of the target policy")


def true_values_check(setting: Setting) -> Check:
    """Judge whether every point at which the update rests has the true values at all places that behaviour visits."""
    average = of_average_reward(setting.algorithm)
    what = "the average reward and the differential values" if average else "the true values"
    truth = _truth(setting, average) if setting.process.places <= MOST_PLACES else None
    if truth is None:
        why = "there are no unique ones" if setting.process.places <= MOST_PLACES else f"more than {MOST_PLACES} states"
        return _check(None, f"{what} were not compared: {why}")
    G, g = setting.update
    point, kernel = G.solve(-g), G.null_space()
    if point is None:
        return _check(False, "it rests nowhere")
    representable = _spanned(truth.rows, truth, truth.values)
    moved = [truth.rows @ kernel.select(range(kernel.shape[0]), [j]) for j in range(kernel.shape[1])]
    off = truth.rows @ point - truth.values
    if all(_is_free(truth, each) for each in (off, *moved)):
        unvisited = any(not setting.process.d[s] for s in setting.process.live_states)
        return _check(True, f"it rests at {what}{' wherever d > 0' if unvisited else ''}", representable=representable)
    why = f"weights have {what}, and it may rest elsewhere" if representable else f"no weights have {what}"
    return _check(False, f"{why}{_farthest(off, average)}", representable=representable)


def _truth(setting: Setting, average: bool) -> _Truth | None:
    problem, algorithm = setting.process, setting.algorithm
    visited = [place for place in range(problem.places) if problem.weights[place]]
    features = Matrix([problem.rows[place] for place in visited])
    before = Matrix.zeros(len(visited), algorithm.size(problem.k) - problem.k)
    rows = Matrix.block([[before, features]])
    if not average:
        values = target_values(problem) if values_are_unique(problem) else None
        if values is None:
            return None
        return _Truth(values.select(visited, [0]), rows, Matrix.zeros(len(visited), 0))
    result = differential_values(problem)
    if result is None:
        return None
    mean, values = result
    widths = {name: 1 if name in algorithm.scalars else problem.k for name in algorithm.stacked}
    first = [int(name in algorithm.scalars) for name, width in widths.items() for _ in range(width)]
    return _Truth(
        Matrix.block([[Matrix([[mean]])], [values.select(visited, [0])]]),
        Matrix.block([[Matrix([first])], [rows]]),
        Matrix.column([0, *[1] * len(visited)]),
    )


def _is_free(truth: _Truth, column: Matrix) -> bool:
    return column.is_zero() if not truth.free.shape[1] else truth.free.solve(column) is not None


def _spanned(rows: Matrix, truth: _Truth, column: Matrix) -> bool:
    spaces = [rows, truth.free] if truth.free.shape[1] else [rows]
    return Matrix.block([spaces]).solve(column) is not None


def _farthest(off: Matrix, average: bool) -> str:
    """Return by how much one point of rest is off at most; nothing of values that are relative."""
    if average:
        return ""
    largest = max(value if value >= 0 else -value for (value,) in off.rows)
    return f": off by up to {short_number(largest)}"
