"""Whether an algorithm has the fixed points of TD, and rests at the true values; what the theorem says of it."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from tdrc_theory.cli.counted import counted
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import short_number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.problem.target_values import differential_values, target_values, values_are_unique
from verify.check import Check
from verify.conditions.setting import Setting
from verify.fixed_points import FixedPoints, limited_texts, vector_text
from verify.outcome import CONVERGES, Outcome, Verdict


class Bias(NamedTuple):
    """How the points to which an update converges differ from TD's fixed points: a word, and what it means."""

    word: str
    meaning: str

    def __str__(self) -> str:
        """Return both on one line."""
        return f"{self.word}: {self.meaning}"


def bias(setting: Setting, decided: Verdict) -> Bias | None:
    """Return what is to stand beside a verdict that an update converges; None where it does so to what TD converges to.

    Past exact arithmetic, rows (-c A | c b) of G and g decide: where A w = b, such an update rests with h = 0. If G is
    nonsingular, so is A, and there is no other point; else the verdict itself says that there is none.
    """
    if decided.status not in CONVERGES:
        return None
    if not setting.within_exact_reach:
        own_set = setting.algorithm.own_fixed_points and decided.status is not Outcome.CONVERGENT
        known = setting.has_td_rows and not own_set
        return None if known else Bias("bias unknown", "where it rests was not compared with TD's fixed points")
    fixed_points = setting.fixed_points
    if fixed_points.equal:
        return None
    if fixed_points.solve_td:
        return Bias("selective", "rests at only some of TD's fixed points")
    if fixed_points.td_w is None:
        return Bias("biased", "rests although TD has no fixed point")
    where = "may rest" if fixed_points.spurious is not None else "rests"
    elsewhere = f"{where} elsewhere than TD's fixed point"
    algorithm = setting.algorithm
    if of_average_reward(algorithm):
        return Bias("own equation", f"{elsewhere}, at values relative to an average reward")
    if algorithm.memory and (algorithm.own_fixed_points if algorithm.solves is None else setting.resting.equal):
        return Bias("own equation", f"{elsewhere}, at the solution of the equation that it is made to solve")
    return Bias("biased", elsewhere)


def fixed_point_checks(setting: Setting) -> list[Check]:
    """Judge whether TD and the algorithm have the same fixed points, and what the paper's theorem says of it."""
    fixed_points = setting.fixed_points
    named = {"td": fixed_points.td_w, "algorithm": fixed_points.w, "spurious_direction": fixed_points.spurious}
    evidence: dict[str, Any] = {name: limited_texts(z) for name, z in named.items() if z is not None}
    source, reason = "Theorem on fixed points", _reason(fixed_points)
    check = Check.exact("fixed-points.equal", source, fixed_points.equal, reason, **evidence)
    checks = [check, _own_equation(setting)]
    if isinstance(setting.problem, Problem):
        checks.append(true_values_check(setting))
    return [_theorem(setting), *checks] if setting.is_tdrc else checks


def _own_equation(setting: Setting) -> Check:
    """Judge whether the learner rests just where the equation holds that it is made to solve."""
    algorithm, result = setting.algorithm, setting.resting
    if algorithm.own_fixed_points:
        source, holds = "the learner's own equation, G varrho + g = 0", result.w is not None
        size = counted(result.directions, "dimension") if result.directions else "one point"
        reason = f"its own equation has solutions: {size}" if holds else "its own equation has no solution"
    else:
        source, holds = f"the equation that it is made to solve: {equation_text(setting)}", result.equal
        reason = _reason(result, "TD" if algorithm.solves is None else algorithm.solves.name)
    return Check.exact("fixed-points.own", source, holds, reason)


def equation_text(setting: Setting) -> str:
    """Return the equation that the learner is made to solve, in words."""
    other = setting.algorithm.solves
    return "A w = b" if other is None else f"that of {other.name}"


def _theorem(setting: Setting) -> Check:
    """The theorem's hypotheses: C_beta invertible, and -beta no eigenvalue of A."""
    beta, identity = setting.beta, Matrix.identity(setting.problem.k)
    C_rank = (setting.key.C + identity * beta).rank()
    A_rank = (setting.key.A + identity * beta).rank()
    lacking = [name for name, rank in (("C + beta I", C_rank), ("A + beta I", A_rank)) if rank < setting.problem.k]
    reason = f"{' and '.join(lacking)} singular" if lacking else "C + beta I and A + beta I are nonsingular"
    return Check.exact("theorem-fixed-points.hypotheses", "Theorem on fixed points", not lacking, reason)


def _reason(fixed_points: FixedPoints, other: str = "TD") -> str:
    if fixed_points.equal:
        if fixed_points.w is None:
            return "neither has a fixed point"
        return "both are the same set" if fixed_points.directions else "both are the same point"
    if fixed_points.w is None:
        return f"only {other} has a fixed point"
    if fixed_points.spurious is not None:
        return f"spurious fixed points along w = {vector_text(fixed_points.spurious)}"
    if fixed_points.offset is None:
        return "only the algorithm has a fixed point"
    if not fixed_points.solve_td:
        return f"the algorithm rests elsewhere: w - w_{other} = {vector_text(fixed_points.offset)}"
    return f"{other} rests at points at which the algorithm does not"


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
    spaces = [truth.rows, truth.free] if truth.free.shape[1] else [truth.rows]
    representable = Matrix.block([spaces]).solve(truth.values) is not None
    moved = [truth.rows @ kernel.select(range(kernel.shape[0]), [j]) for j in range(kernel.shape[1])]
    off = truth.rows @ point - truth.values
    if all(_is_free(truth, each) for each in (off, *moved)):
        unvisited = any(not setting.process.d[s] for s in setting.process.live_states)
        return _check(True, f"it rests at {what}{' wherever d > 0' if unvisited else ''}", representable=representable)
    why = f"weights have {what}, and it may rest elsewhere" if representable else f"no weights have {what}"
    if not average:  # values that are relative may be off by any number
        largest = max(value if value >= 0 else -value for (value,) in off.rows)
        why += f": off by up to {short_number(largest)}"
    return _check(False, why, representable=representable)


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
