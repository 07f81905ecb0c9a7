"""What an expected update estimates where it rests: weights, the values of states, and how far these are off."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.number import precision, to_arb
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.steps import numbered
from tdrc_theory.problem.target_values import target_values, values_are_unique
from verify.conditions.fixed_points import MOST_PLACES, of_average_reward
from verify.conditions.setting import Setting
from verify.fixed_points import limited, limited_texts

_SHOWN = 10
"""Entries of a vector that a line of text shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A point at which an expected update rests, in the terms of whoever wants the values.

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

    weights: Matrix
    directions: int
    mspbe: Number
    values: Matrix | None = None
    values_vary: bool = False
    true_values: Matrix | None = None
    value_error_squared: Number | None = None
    places: tuple[str, ...] | None = None

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


def estimate(setting: Setting) -> Estimate | None:
    """Return what the update estimates at one of its fixed points; None where it has none, or G is too large."""
    if not setting.within_exact_reach or setting.fixed_points.w is None:
        return None
    problem, result = setting.problem, setting.fixed_points
    k, size = problem.k, setting.update.G.shape[0]
    assert result.w is not None
    kernel = setting.update.G.null_space().select(range(size - k, size), range(result.directions))
    directions = kernel.rank() if result.directions else 0
    if isinstance(problem, MatrixProblem):
        return Estimate(weights=result.w, directions=directions, mspbe=_mspbe(setting, result.w))
    features = Matrix(problem.rows)
    visited = [place for place in range(problem.places) if problem.weights[place]]
    alike = numbered(problem.rows)  # of many places that share their features the values have to be computed once
    once = features.select([alike.index(i) for i in range(max(alike) + 1)], range(k))
    values = (once @ result.w).select(alike, [0])
    moved = (features @ kernel).select(visited, range(result.directions))
    named = problem.state_names
    if named is not None and problem.action_values:
        named = tuple(f"{name}, action {a}" for name in named for a in range(problem.actions))
    true = None
    if problem.places <= MOST_PLACES and not of_average_reward(setting.algorithm) and values_are_unique(problem):
        true = target_values(problem)
    return Estimate(
        weights=result.w,
        directions=directions,
        values=values,
        values_vary=not moved.is_zero(),
        true_values=true,
        value_error_squared=None if true is None else _weighted(problem.weights, values - true),
        mspbe=_mspbe(setting, result.w),
        places=named,
    )


def _mspbe(setting: Setting, w: Matrix) -> Number:
    A, b, C = setting.key
    F = C.column_basis()
    if not F.shape[1]:
        return Fraction(0)
    residual = F.T @ (b - A @ w)
    solved = (F.T @ C @ F).solve(residual)
    assert solved is not None  # F^T C F is nonsingular: C is semidefinite, F a basis of its range
    return (residual.T @ solved)[0, 0]


def _weighted(weights: Any, column: Matrix) -> Number:
    total: Number = Fraction(0)
    for weight, (value,) in zip(weights, column.rows, strict=True):
        total += value * value * weight
    return total


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
