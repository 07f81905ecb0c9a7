"""The expected errors of several recursions, in floats: those of one structure go side by side, many times faster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from verify.predict.error_measure import ErrorForm
from verify.predict.moments import alike, moments, side_by_side
from verify.predict.operator import Layout, Operator, forward, layout, start
from verify.predict.prediction import check_horizon, finite_error
from verify.predict.reduced_recursion import ReducedRecursion, factored
from verify.predict.squaring import Power
from verify.predict.subspaces import observable, reachable


class _Curve(NamedTuple):
    """What a curve is computed from: arrays and operator, y before any update, a step size, and the MSPBE as a form."""

    arrays: Layout
    operator: Operator
    first: np.ndarray
    alpha: float
    form: np.ndarray

    @classmethod
    def of(cls, reduced: ReducedRecursion, alpha: Fraction) -> _Curve:
        shown, a = factored(observable(reachable(reduced)), alpha)
        arrays = layout(shown)
        return cls(arrays, forward(arrays), start(shown), float(a), ErrorForm(shown).floats())


def error_curves(
    recursions: Sequence[ReducedRecursion], alpha: Fraction, steps: int, every: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the recorded numbers of updates (points,), and E[MSPBE] of each recursion there (recursions, points).

    They are those of `predicted`, up to rounding.

    Raises:
        BadOption: more steps than the modes of one are followed for.
        BadNumber: numbers of one leave the range of floats.
    """
    for each in recursions:
        check_horizon(each, steps)
    curves = [_Curve.of(each, alpha) for each in recursions]
    recorded: list[int] = []
    errors: list[Sequence[float]] = [()] * len(curves)
    for group in _groups(curves, steps, every):
        members = [curves[i] for i in group]
        rows = [
            (n, [_error(Q, each.form) for Q, each in zip(Qs, members, strict=True)])
            for n, Qs in _moments(members, steps, every)
        ]
        recorded = [n for n, _ in rows]
        for i, of_one in zip(group, zip(*(values for _, values in rows), strict=True), strict=True):
            errors[i] = of_one
    return np.array(recorded, dtype=np.int64), np.array(errors)


def _groups(curves: Sequence[_Curve], steps: int, every: int) -> list[list[int]]:
    """Return the places of curves of one structure; alone, those that take powers of their operator."""
    groups: list[list[int]] = []
    alone: list[list[int]] = []
    for i, curve in enumerate(curves):
        if curve.arrays.period or Power.wins(curve.arrays, steps, every):
            alone.append([i])
            continue
        group = next((each for each in groups if alike(curves[each[0]].operator, curve.operator)), None)
        if group is None:
            groups.append([i])
        else:
            group.append(i)
    return groups + alone


def _moments(members: Sequence[_Curve], steps: int, every: int) -> Iterator[tuple[int, np.ndarray]]:
    alphas = np.array([each.alpha for each in members])
    if len(members) == 1:
        return moments(members[0].arrays, members[0].first, alphas, steps, every)
    arrays, operators, firsts, *_ = map(list, zip(*members, strict=True))
    return side_by_side(arrays, operators, firsts, alphas, steps, every)


def _error(Q: np.ndarray, form: np.ndarray) -> float:
    with np.errstate(all="ignore"):
        return finite_error(float(np.vdot(form, Q.sum(axis=0))))
