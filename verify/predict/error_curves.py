"""The expected errors of several recursions, in floats: those of one structure go side by side, which saves half."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from verify.predict.curve import recorded_steps
from verify.predict.error_measure import ErrorForm
from verify.predict.moments import alike, moments, power_wins, side_by_side
from verify.predict.operator import Layout, Operator, forward, layout, start
from verify.predict.prediction import check_horizon, finite_error
from verify.predict.reduced_recursion import ReducedRecursion, factored
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
    groups: list[list[int]] = []
    for i, curve in enumerate(curves):
        alone = curve.arrays.period or power_wins(curve.arrays, steps, every)
        like = [] if alone else [group for group in groups if alike(curves[group[0]].operator, curve.operator)]
        if like:
            like[0].append(i)
        else:
            groups.append([i])
    recorded = recorded_steps(steps, every)
    errors = np.zeros((len(curves), len(recorded)))
    for group in groups:
        arrays, operators, firsts, alphas, forms = zip(*(curves[i] for i in group), strict=True)
        if len(group) == 1:
            rows = moments(arrays[0], firsts[0], np.array(alphas), steps, every)
        else:
            rows = side_by_side(arrays, operators, firsts, np.array(alphas), steps, every)
        for column, (_, Q) in enumerate(rows):
            with np.errstate(all="ignore"):
                values = [float(np.vdot(form, each.sum(axis=0))) for form, each in zip(forms, Q, strict=True)]
            errors[group, column] = [finite_error(value) for value in values]
    return recorded, errors
