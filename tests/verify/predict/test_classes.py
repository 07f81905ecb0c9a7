"""Chains with states that are left for good: which moments can grow, against cases solved by hand."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem
from verify.check import Proof
from verify.predict import limits
from verify.predict.prediction import predicted, prepared


def test_moments_that_stay_where_they_are_are_not_said_to_grow():
    # State 1 is never left, and moves w_1 alone: w_1 <- w_1 - alpha w_1 / 2. Then w_0 stays, whatever it is.
    caught = Problem(
        name="caught",
        gamma="1/2",
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 0, "1/2", 1), (0, 0, 1, "1/2", 0), (1, 0, 1, 1, 1)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
    )
    for limit in (limits(caught, "td").mean, limits(caught, "td").mean_square):
        assert (limit.value, limit.weakest, limit.everywhere) == (pytest.approx(4), Proof.EXACT, Proof.EXACT)


def test_a_state_that_is_never_left_has_limits_worked_out_by_hand():
    # There w_1 is multiplied by 1 - alpha / 5 and by 1 in turn at random: |1 - alpha / 10| <= 1 for its mean, and
    # (1 + (1 - alpha / 5)^2) / 2 <= 1 for its square. On the way there, half the time w_0 is not moved at all.
    absorbing = Problem(
        name="one absorbing state",
        gamma="9/10",
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 1, 1, 5), (0, 1, 0, 1, 0), (1, 0, 1, 1, 0), (1, 1, 1, 1, 0)],
        behaviour=[["1/2", "1/2"]] * 2,
        target=[[1, 0], [1, 0]],
        initial_weights=[1, 1],
    )
    found = limits(absorbing, "td")
    assert (found.mean.value, found.mean_square.value) == (pytest.approx(20), pytest.approx(10))
    for limit, alpha in ((found.mean, Fraction(19)), (found.mean_square, Fraction(9))):
        assert limit.weakest is limit.everywhere is Proof.EXACT
        curve = predicted(prepared(absorbing, "td"), alpha, 20_000, 10_000)
        assert np.isfinite(curve.mean_weights).all()
    assert np.isfinite(predicted(prepared(absorbing, "td"), Fraction(9), 20_000, 10_000).mspbe).all()
    assert np.isinf(predicted(prepared(absorbing, "td"), Fraction(11), 20_000, 10_000).mspbe[-1])
