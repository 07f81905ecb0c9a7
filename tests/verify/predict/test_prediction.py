"""Expected errors of several recursions side by side are those of each alone; what guides exact sums is right."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from verify.predict.moments import alike
from verify.predict.operator import forward, layout
from verify.predict.prediction import error_curves, predicted, prepared

BETAS = ("0", "1/64", "1", "16")


@pytest.mark.parametrize(
    ("problem", "alpha", "steps"),
    [
        ("two-state", "1/16", 60),
        ("two-state", "64", 400),  # past the range of floats at some values
        ("boyan", "1/16", 12),
        ("random-walk-inverted", "1/16", 12),
        ("random-walk-tabular", "1/16", 2000),  # by powers of the operator
    ],
)
def test_curves_side_by_side_are_those_of_each_alone(problem, alpha, steps):
    each = [prepared(problem, "tdrc", beta=beta) for beta in BETAS]
    recorded, errors = error_curves(each, Fraction(alpha), steps, steps // 4)
    for one, mspbe in zip(each, errors, strict=True):
        alone = predicted(one, Fraction(alpha), steps, steps // 4)
        assert recorded.tolist() == alone.recorded.tolist()
        np.testing.assert_allclose(mspbe, alone.mspbe, rtol=1e-9)


def test_recursions_of_several_structures_are_told_apart_and_each_has_its_curve():
    each = [prepared("two-state", name) for name in ("tdrc", "td", "tdrc")]
    one, other, same = (forward(layout(item)) for item in each)
    assert alike(one, same)
    assert not alike(one, other)
    _, errors = error_curves(each, Fraction(1, 16), 8, 8)
    assert errors[0].tolist() == errors[2].tolist()
    assert errors[1].tolist() == pytest.approx(predicted(each[1], Fraction(1, 16), 8, 8).mspbe.tolist(), rel=1e-12)
