"""Verdicts on updates past exact arithmetic: never against the exact verdict where there is one."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem
from tdrc_theory.algorithms import OF_THE_PAPER, TD, TDC, TDRC, find_algorithm
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problems import PROBLEMS, find_problem
from tdrc_theory.problems.garnet import garnet
from verify import check_conditions
from verify.check import Outcome, Proof
from verify.conditions.setting import LARGEST_EXACT, Setting
from verify.conditions.verdict import _out_of_reach, verdict
from verify.exact.roots import Enclosure
from verify.scale.verdict import _verdict


def both(problem, algorithm, beta=1, eta=1):
    """Return the verdict by enclosures and the exact one."""
    setting = Setting.of(problem, algorithm, Fraction(beta), Fraction(eta))
    return _out_of_reach(setting), verdict(setting)


def assert_consistent(result, exact):
    if result.status is Outcome.UNDECIDED:
        return
    assert result.status is exact.status
    assert result.proof is Proof.ENCLOSED
    if result.spectral_abscissa is not None and exact.spectral_abscissa is not None:
        assert result.spectral_abscissa.lower <= exact.spectral_abscissa.upper
        assert exact.spectral_abscissa.lower <= result.spectral_abscissa.upper


@pytest.mark.quick(20)
@pytest.mark.parametrize("algorithm", OF_THE_PAPER, ids=lambda a: a.name)
@pytest.mark.parametrize("name", [name for name, _ in PROBLEMS])
def test_enclosures_never_contradict_exact_arithmetic_on_a_built_in_problem(name, algorithm):
    for beta, eta in ((1, 1), ("1/10", 1), (0, 4)):
        assert_consistent(*both(find_problem(name), algorithm, beta, eta))


def sparse_garnet(seed):
    """Return a random problem with states of no weight, features that rest, and repeated features."""
    rng = np.random.default_rng(seed)
    states, k = int(rng.integers(2, 7)), int(rng.integers(1, 5))
    gamma = Fraction(["1/2", "99/100", "1"][seed % 3])
    problem = garnet(states, int(rng.integers(1, 3)), 2, k, seed, gamma)
    parts = [int(p) for p in rng.integers(0, 4, states)]
    parts[0] += 1
    rows = [list(row) for row in problem.features]
    if seed % 2:
        rows = [[1 if i == s else 0 for i in range(states)] for s in range(states)]
    if seed % 4 < 2:
        rows = [[0, *row] for row in rows]
    if seed % 5 == 0:
        rows = [[*row, row[0]] for row in rows]
    weights = [Fraction(p, sum(parts)) for p in parts]
    return replace(problem, features=rows, state_weights=weights, initial_weights=[0] * len(rows[0]))


@pytest.mark.thorough
def test_enclosures_never_contradict_exact_arithmetic_on_random_problems():
    outcomes = dict.fromkeys(Outcome, 0)
    for seed in range(500):
        algorithm = OF_THE_PAPER[seed % len(OF_THE_PAPER)]
        result, exact = both(sparse_garnet(seed), algorithm, ["0", "1/5", "3"][seed % 3], 1)
        assert_consistent(result, exact)
        outcomes[result.status] += 1
    assert min(outcomes.values()) > 10


def looking_ahead():
    """Return two tabular states, the second of no weight but a successor of the first."""
    return Problem(
        name="one state ahead",
        gamma="9/10",
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 1, 1, 1), (1, 0, 0, 1, 0)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
        state_weights=[1, 0],
    )


def test_a_resting_weight_that_others_depend_on_gives_a_set():
    result, exact = both(looking_ahead(), TD)
    assert result.status is exact.status is Outcome.CONVERGENT_TO_A_SET
    assert "every fixed point solves A w = b" in result.reason


@pytest.mark.parametrize("algorithm", [TDC, TDRC], ids=lambda a: a.name)
def test_a_singular_update_without_a_resting_weight_is_undecided(algorithm):
    # The correction moves the weight of the state ahead, so that no row of G is 0.
    result, exact = both(looking_ahead(), algorithm)
    assert exact.status is Outcome.CONVERGENT_TO_A_SET
    assert result.status is Outcome.UNDECIDED
    assert "too close to 0" in result.reason


def test_a_weight_that_is_pushed_but_not_held_drifts():
    problem = replace(looking_ahead(), gamma=1, features=[[1], [1]], initial_weights=[0])
    result, exact = both(problem, TD)
    assert result.status is exact.status is Outcome.NOT_CONVERGENT
    assert result.evidence["drifting"] == [0]
    assert "drift" in result.reason


def test_weights_that_rest_where_td_does_not_are_no_set_of_fixed_points_of_td():
    def frozen(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return 0, (rho * delta - delta_hat) * x

    result, exact = both(find_problem("two-state"), Algorithm("frozen", frozen))
    assert exact.status is Outcome.NOT_CONVERGENT
    assert result.status is Outcome.UNDECIDED
    assert "whether every fixed point solves A w = b was not decided" in result.reason


def test_an_update_that_rests_elsewhere_is_no_set_of_fixed_points_of_td():
    def biased(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return rho * delta * x + x, 0

    problem = replace(looking_ahead(), features=[[1, 0], [1, 0]])
    result, exact = both(problem, Algorithm("biased", biased))
    assert exact.status is Outcome.NOT_CONVERGENT
    assert result.status is Outcome.UNDECIDED
    assert "whether every fixed point solves A w = b was not decided" in result.reason


def test_an_update_that_never_moves_anything_has_no_eigenvalue_to_decide():
    problem = replace(looking_ahead(), features=[[0], [1]], initial_weights=[0])
    result, exact = both(problem, TDC)
    assert result.status is exact.status is Outcome.CONVERGENT_TO_A_SET
    assert result.spectral_abscissa is None


def past_reach(beta="1/10"):
    k = LARGEST_EXACT // 2 + 2
    problem = garnet(k + 4, 2, 2, k, 0, Fraction(9, 10))
    weights = [Fraction(1, k + 4)] * (k + 4)
    return check_conditions(replace(problem, state_weights=weights), "tdrc", beta=beta, eta=4)


def test_a_problem_past_exact_arithmetic_gets_a_proven_verdict():
    report = past_reach()
    assert report.verdict.proof is Proof.ENCLOSED
    hint, ends = report.verdict.evidence["float_spectral_abscissa"], report.verdict.spectral_abscissa
    assert ends.lower <= hint <= ends.upper
    assert (ends.upper < 0) is (report.verdict.status is Outcome.CONVERGENT)


def test_repeated_features_past_exact_arithmetic_are_undecided_with_the_reason():
    states = LARGEST_EXACT // 2 + 2
    rows = [[int(i == s) for i in range(states)] + [int(s == 0)] for s in range(states)]
    chain = Problem(
        name="a ring with a feature given twice",
        gamma="9/10",
        features=rows,
        transitions=[(s, 0, (s + 1) % states, 1, 0) for s in range(states)],
        behaviour=[[1]] * states,
        target=[[1]] * states,
    )
    report = check_conditions(chain)
    assert (report.verdict.status, report.verdict.proof) == (Outcome.UNDECIDED, Proof.FLOAT)
    assert "past exact arithmetic" in report.verdict.reason
    assert "too close to 0" in report.verdict.reason
    assert abs(report.verdict.evidence["float_spectral_abscissa"]) < 1e-9


def test_numbers_past_the_largest_double_are_undecided_with_the_reason():
    problem = replace(looking_ahead(), features=[[10**200, 0], [0, 1]])
    result, _ = both(problem, TDRC)
    assert result.status is Outcome.UNDECIDED
    assert "past the largest double" in result.reason


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tdrc", "tdc", "gtd2", "htd", "td", "vtrace"])
def test_taxi_converges_to_a_set_that_unvisited_states_span(name):
    result = check_conditions("gymnasium:Taxi-v3", find_algorithm(name)).verdict
    assert (result.status, result.proof) == (Outcome.CONVERGENT_TO_A_SET, Proof.ENCLOSED)
    assert len(result.evidence["resting"]) == (200 if name in ("tdc", "gtd2", "htd") else 100)
    assert result.spectral_abscissa.upper < 0


def test_an_enclosure_that_says_little_more_than_a_sign_is_said_to_be_loose():
    result = _verdict(Outcome.CONVERGENT, "stable", {}, Enclosure(-0.501, -8.7e-5))
    assert result.reason == (
        "stable; the enclosure of the spectral abscissa is loose: 5.8e+03 times as wide as it is far from 0"
    )
    assert _verdict(Outcome.CONVERGENT, "stable", {}, Enclosure(-0.501, -0.5)).reason == "stable"
