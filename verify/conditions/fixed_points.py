"""Whether an algorithm has the fixed points of TD, and rests at the true values; what the theorem says of it.

And what the update estimates where it rests: weights, the values of states, and how far these are off.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import flint

from tdrc_theory.cli.counted import counted
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.number import precision, short_number, to_arb
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.steps import differential_values, numbered, target_values, values_are_unique
from verify.check import CONVERGES, Check, Outcome, Verdict
from verify.conditions.setting import FixedPoints, Setting, limited, limited_texts, vector_text


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


_SHOWN = 10
"""Entries of a vector that a line of text shows."""


class Estimate:
    """A point at which an expected update rests, in the terms of whoever wants the values.

    Args:
        setting: whose update rests somewhere, and is within exact arithmetic.

    Attributes:
        weights: (k, 1), w of one fixed point of the expected update, exact.
        directions: dimension of the set of all such w.
        values: (places, 1), the estimates w.x(s), or w.x(s, a) at s A + a; None where A, b and C alone are given.
        values_vary: whether other fixed points give other values to a place that behaviour visits.
        true_values: (places, 1), v_pi or q_pi; None where they are not unique, or the update estimates others (relative
            to an average reward), or there are more than 200 places.
        value_error_squared: sum over places of d (w.x - v_pi)^2, exact; None without true values.
        places: the name of each place, where states have names.
        mspbe: (b - A w)^T C^+ (b - A w), exact.
    """

    def __init__(self, setting: Setting) -> None:
        problem, result = setting.problem, setting.fixed_points
        assert result.w is not None
        k, size = problem.k, setting.update.G.shape[0]
        kernel = setting.update.G.null_space().select(range(size - k, size), range(result.directions))
        self.weights = result.w
        self.directions = kernel.rank() if result.directions else 0
        self.mspbe = _mspbe(setting, result.w)
        self.values: Matrix | None = None
        self.values_vary = False
        self.true_values: Matrix | None = None
        self.value_error_squared: Number | None = None
        self.places: tuple[str, ...] | None = None
        if isinstance(problem, MatrixProblem):
            return
        features = Matrix(problem.rows)
        visited = [place for place in range(problem.places) if problem.weights[place]]
        alike = numbered(problem.rows)  # of many places that share their features the values have to be computed once
        once = features.select([alike.index(i) for i in range(max(alike) + 1)], range(k))
        self.values = (once @ result.w).select(alike, [0])
        self.values_vary = not (features @ kernel).select(visited, range(result.directions)).is_zero()
        self.places = problem.state_names
        if self.places is not None and problem.action_values:
            self.places = tuple(f"{name}, action {a}" for name in self.places for a in range(problem.actions))
        if problem.places <= MOST_PLACES and not of_average_reward(setting.algorithm) and values_are_unique(problem):
            self.true_values = target_values(problem)
        if self.true_values is not None:
            errors = zip(problem.weights, (self.values - self.true_values).rows, strict=True)
            self.value_error_squared = sum((value * value * weight for weight, (value,) in errors), Fraction(0))

    @property
    def value_error(self) -> float | None:
        """Return the root of `value_error_squared`, as a float; None where it is outside the range of floats too."""
        return None if self.value_error_squared is None else _float(_root(self.value_error_squared))

    def facts(self) -> list[tuple[str, str]]:
        """Return (name, value) pairs as text; numbers to six digits."""
        size = f" (one of a set of dimension {self.directions})" if self.directions else ""
        vary = " (others of the set have other values)" if self.values_vary else ""
        pairs = [(f"fixed point{size}", f"w = {_vector(self.weights)}")]
        if self.values is not None:
            pairs.append((f"values there{vary}", _vector(self.values, self.places)))
        errors = f"RMSPBE {_text(_root(self.mspbe))}"
        if self.true_values is not None and self.value_error_squared is not None:
            pairs.append(("true values", _vector(self.true_values, self.places)))
            off = _text(_root(self.value_error_squared))
            errors = f"value error {off} (root mean square, weighted by d), {errors}"
        return [*pairs, ("error there", errors)]

    def to_json(self) -> dict[str, Any]:
        """Return floats beside exact numbers; an exact number of more than 200 characters is null."""
        return {
            "weights": _both(self.weights),
            "directions": self.directions,
            **({} if self.places is None else {"places": list(self.places)}),
            "values": None if self.values is None else _both(self.values),
            "values_vary": self.values_vary,
            "true_values": None if self.true_values is None else _both(self.true_values),
            "value_error": self.value_error,
            "value_error_squared": None if self.value_error_squared is None else limited(self.value_error_squared),
            "mspbe": limited(self.mspbe),
        }


def _mspbe(setting: Setting, w: Matrix) -> Number:
    A, b, C = setting.key
    F = C.column_basis()
    if not F.shape[1]:
        return Fraction(0)
    residual = F.T @ (b - A @ w)
    solved = (F.T @ C @ F).solve(residual)
    assert solved is not None  # F^T C F is nonsingular: C is semidefinite, F a basis of its range
    return (residual.T @ solved)[0, 0]


def _root(value: Number) -> flint.arb:
    with precision(128):
        # An exact 0 made of square roots is a ball around 0, whose root need not be real.
        return flint.arb(0) if value == 0 else to_arb(value).sqrt()


@precision()
def _vector(column: Matrix, names: tuple[str, ...] | None = None) -> str:
    size = column.shape[0]
    numbers = [_text(to_arb(column[i, 0])) for i in range(min(size, _SHOWN))]
    named = numbers if names is None else [f"{name}: {number}" for name, number in zip(names, numbers, strict=False)]
    shown = ", ".join(named)
    rest = size - _SHOWN
    return f"({shown}, and {rest:,} more)" if rest > 0 else f"({shown})"


@precision()
def _both(column: Matrix) -> dict[str, list[Any]]:
    return {"value": [_float(to_arb(value)) for (value,) in column.rows], "exact": limited_texts(column)}


def _float(value: flint.arb) -> float | None:
    """Return the nearest float, None where there is none that has the number's digits."""
    nearest = float(value.mid())
    return nearest if value == 0 or sys.float_info.min <= abs(nearest) < math.inf else None


def _text(value: flint.arb) -> str:
    """Return a number to six digits, whatever its size."""
    nearest = _float(value)
    return value.str(6, radius=False) if nearest is None else f"{nearest:.6g}"
