"""Chains with states that are left for good: which moments can grow, against cases solved by hand."""

import random
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem
from tdrc_theory.problem import END
from verify.check import Proof
from verify.predict import limits
from verify.predict.limits.search import classes
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
    result = limits(absorbing, "td")
    assert (result.mean.value, result.mean_square.value) == (pytest.approx(20), pytest.approx(10))
    for limit, alpha in ((result.mean, Fraction(19)), (result.mean_square, Fraction(9))):
        assert limit.weakest is limit.everywhere is Proof.EXACT
        curve = predicted(prepared(absorbing, "td"), alpha, 20_000, 10_000)
        assert np.isfinite(curve.mean_weights).all()
    assert np.isfinite(predicted(prepared(absorbing, "td"), Fraction(9), 20_000, 10_000).mspbe).all()
    assert np.isinf(predicted(prepared(absorbing, "td"), Fraction(11), 20_000, 10_000).mspbe[-1])


def test_a_probability_too_small_for_floats_still_joins_states():
    tiny = Fraction(1, 10**400)
    joined = Problem(
        name="rare",
        gamma="1/2",
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, END, 1, 0)],
        behaviour=[[1]] * 2,
        target=[[1]] * 2,
        start=[tiny, 1 - tiny],
    )
    recursion = prepared(joined, "td", sampling="markov")
    assert classes(recursion) == [recursion]


def chain_with_states_left_for_good(seed):
    """Return a random problem whose states 0 and 1 may be left for good, and 2 and 3 never."""
    draw = random.Random(seed)
    after = [draw.choice([s, s, *range(s, 4)] if s < 2 else [2, 3]) for s in range(4) for _ in range(2)]
    return Problem(
        name="left for good",
        gamma="9/10",
        features=[[draw.randint(-1, 2) for _ in range(2)] for _ in range(4)],
        transitions=[(i // 2, i % 2, s, 1, 1) for i, s in enumerate(after)],
        behaviour=[["1/2", "1/2"]] * 4,
        target=[["3/4", "1/4"]] * 4,
        state_weights=["1/4"] * 4,
    )


@pytest.mark.parametrize("seed", range(12))
def test_powers_of_the_kronecker_form_grow_only_where_a_limit_says_so(kronecker_forms, seed):
    problem, looks = chain_with_states_left_for_good(seed), 0
    result, outcome = prepared(problem, "tdc", sampling="markov"), limits(problem, "tdc", sampling="markov")
    for moment, limit in enumerate((outcome.mean, outcome.mean_square)):
        if "no update sees" in limit.reason:  # the linear part is bounded, noise along what is not seen is not
            continue
        assert limit.everywhere is Proof.EXACT
        for alpha in np.geomspace(0.05, 30, 9):
            changes = limit.changes
            if any(abs(alpha - change.value) < 0.02 * alpha for change in changes):
                continue
            before = [change for change in changes if change.value < alpha]
            at_first = not changes[0].regained if changes else "bounded at every step size" in limit.reason
            stable = before[-1].regained if before else at_first
            form = kronecker_forms(result, alpha)[moment]
            with np.errstate(all="ignore"):
                early, late = (np.linalg.norm(np.linalg.matrix_power(form, power)) for power in (20_000, 40_000))
            assert bool(late < 1.2 * early + 1e-6) is stable
            looks += 1
    assert looks or not outcome.mean.changes
