"""The step size that is chosen where none is given, held against limits that are proven."""

import re
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import averaged_process
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.default_step_size import StepSizes, above_limit
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import find_problem
from verify.check import Proof
from verify.predict.limits.limit import limits, step_size_limits
from verify.predict.prediction import predict, predicted, prepared
from verify.predict.report import Report

QUICK = [
    ("baird", "tdrc", "iid"),
    ("five-state", "td", "iid"),
    pytest.param("five-state", "td", "markov", marks=pytest.mark.thorough),
    ("random-walk-dependent", "td", "iid"),
    ("theta-2theta", "tdc", "markov"),
    ("two-state", "tdc", "iid"),
    ("boyan", "td", "iid"),
]


def sizes(problem, algorithm, sampling, **parameters):
    chosen, used = find_problem(problem), find_algorithm(algorithm)
    return StepSizes(chosen, used, used.parameters(parameters), sampling)


@pytest.mark.parametrize(("problem", "algorithm", "sampling"), QUICK)
def test_the_default_is_well_below_the_proven_limit_and_the_estimate_is_that_limit(problem, algorithm, sampling):
    limit = limits(problem, algorithm, sampling=sampling).mean_square
    alpha, why = sizes(problem, algorithm, sampling).default(1000)
    assert limit.lower is not None
    assert 2 * alpha <= Fraction(limit.upper)
    assert alpha == Fraction(1, 16) or 4 * alpha >= Fraction(limit.lower)
    assert "(float)" in why
    warning = sizes(problem, algorithm, sampling).warning(Fraction(limit.upper) * Fraction(101, 100))
    text = float(re.search(r"mean-square limit (\S+) \(float\)", warning).group(1))
    assert text == pytest.approx(limit.value, rel=0.01)
    assert sizes(problem, algorithm, sampling).warning(Fraction(limit.lower) * Fraction(99, 100)) == ""


@pytest.mark.parametrize(
    ("problem", "algorithm"),
    [pytest.param("five-state", "td-lambda", marks=pytest.mark.thorough), ("five-state", "emphatic-td")],
)
def test_the_default_of_a_learner_with_memory_is_below_the_proven_limit(problem, algorithm):
    limit = limits(problem, algorithm).mean_square
    alpha, why = sizes(problem, algorithm, "markov").default(1000)
    assert alpha < Fraction(limit.lower)
    assert "drawn along the chain" in why


@pytest.mark.parametrize(("problem", "algorithm"), [("baird", "td"), ("two-state", "tdrc"), ("theta-2theta", "td")])
def test_divergence_that_no_step_size_prevents_shows_and_stays_finite(problem, algorithm):
    for steps in (100, 1000):
        prediction = predict(problem, algorithm, steps=steps, every=steps)
        assert np.isfinite(prediction.mspbe).all()
        assert prediction.mspbe[-1] < 1e14 * prediction.mspbe[0]
        if steps == 1000:
            assert prediction.mspbe[-1] > 10 * prediction.mspbe[0]
        assert "no step size is stable" in sizes(problem, algorithm, prediction.sampling).default(steps)[1]


@pytest.mark.parametrize("reward", [0, 1])
def test_a_learner_of_one_weight_has_the_limit_that_a_pencil_gives(reward):
    # w <- w + alpha x (R - x w) with x = 3 and gamma = 0: |1 - 9 alpha| < 1.
    one = averaged_process(name="one", gamma=0, features=[[3]], P=[[1]], r=[reward], d=[1])
    estimate = sizes(one, "td", "iid")
    assert estimate.stable(Fraction(2199, 9900))
    assert not estimate.stable(Fraction(2201, 9900))


@pytest.mark.parametrize("power", [80, 150])
def test_features_past_all_step_sizes_are_not_said_to_be_unstable_at_every_one(power):
    one = averaged_process(name="one", gamma=0, features=[[10**power]], P=[[1]], r=[1], d=[1])
    alpha, why = sizes(one, "td", "iid").default(10)
    assert alpha == Fraction(1, 2**30)
    expected = "no step size from 2^-30 on is stable (float); at this one second moments grow more than 10^12 times"
    assert why == f"{expected} over 10 updates"


def test_directions_that_never_move_do_not_count():
    doubled = averaged_process(name="two", gamma=0, features=[[3, 3]], P=[[1]], r=[1], d=[1])
    assert sizes(doubled, "td", "iid").stable(Fraction(1, 10))
    still = averaged_process(name="still", gamma=0, features=[[0]], P=[[1]], r=[1], d=[1])
    assert sizes(still, "td", "iid").default(10)[0] == Fraction(1, 16)


def test_matrices_alone_have_the_limit_of_the_mean():
    arguments = MatrixProblem(name="one", A=[[1]], b=[1], C=[[2]])
    td = find_algorithm("td")
    estimate = StepSizes(arguments, td, td.parameters({}), "iid")
    assert estimate.warning(Fraction(3)) == above_limit(Fraction(3), 2.0, "float", "mean")
    assert estimate.default(100)[0] == Fraction(1, 16)


def test_a_problem_with_many_weights_is_not_said_to_be_stable():
    k = 60
    P = np.full((k, k), 1 / k)
    large = averaged_process(
        name="large", gamma=0, features=(10 * np.eye(k)).tolist(), P=[[f"1/{k}"] * k] * k, r=[0] * k, d=[f"1/{k}"] * k
    )
    assert P.shape == (k, k)
    alpha, why = sizes(large, "td", "iid").default(1000)
    assert alpha == Fraction(1, 256)
    assert "was not estimated" in why
    assert sizes(large, "td", "iid").warning(Fraction(1)) == ""


def answered(problem, algorithm, alpha, sampling=None):
    recursion = prepared(problem, algorithm, sampling=sampling)
    return Report(
        predicted(recursion, Fraction(alpha), 100, 100), step_size_limits(recursion), float("nan"), None
    ).answer


def test_a_prediction_says_first_that_its_step_size_is_above_the_limit():
    above = answered("baird", "tdrc", "1/16", "iid")
    assert above.startswith("alpha = 1/16 is above the mean-square limit 0.0349 (exact): errors grow without bound; ")
    below = answered("baird", "tdrc", "1/64", "iid")
    assert below.startswith("Errors of tdrc on baird stay bounded at alpha = 1/64 (exact), below the mean-square limit")
    nowhere = answered("two-state", "tdrc", "1/16")
    assert nowhere.startswith("No step size keeps the errors of tdrc on two-state bounded (exact)")


@pytest.mark.parametrize(("problem", "algorithm", "sampling"), QUICK)
def test_what_is_said_of_a_step_size_is_what_the_moments_do(problem, algorithm, sampling):
    recursion = prepared(problem, algorithm, sampling=sampling)
    limit = step_size_limits(recursion).mean_square
    for share, bounded in ((Fraction(9, 10), True), (Fraction(12, 10), False)):
        alpha = Fraction(limit.value) * share
        result, proof = limit.bounded_at(alpha)
        assert result is bounded
        assert proof in (Proof.EXACT, Proof.ENCLOSED, Proof.FLOAT)
        curve = predicted(recursion, alpha, 4000, 2000).mspbe
        assert (curve[-1] > 4 * curve[1]) is not bounded
