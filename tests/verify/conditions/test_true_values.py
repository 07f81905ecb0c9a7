"""Where learners rest, beside the true values of the target policy and beside the equation that they are to solve."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Algorithm, Problem, find_problem
from tdrc_theory.problem.steps import differential_values
from tdrc_theory.problems.garnet import garnet
from verify.check import Proof
from verify.conditions import check_conditions


def ring(target=(("1",), ("1",))):
    """Two states in turn, which pay 1 and 3."""
    steps = [(0, 0, 1, 1, 1), (1, 0, 0, 1, 3)]
    return Problem(
        name="ring", gamma="1/2", features=[[1, 0], [0, 1]], transitions=steps, behaviour=target, target=target
    )


def of(problem, algorithm, claim="true-values", **parameters):
    check = check_conditions(problem, algorithm, parameters=parameters or None)[claim]
    assert check.proof is Proof.EXACT
    return check


@pytest.mark.parametrize("algorithm", ["td-lambda", "emphatic-td", "td-target", "tdrc-lambda", "tdc-momentum"])
def test_with_a_feature_for_each_state_learners_rest_at_the_true_values(algorithm):
    assert of(ring(), algorithm).status.value == "holds"
    assert of("random-walk-tabular", algorithm).status.value == "holds"


def own_update(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    return rho * delta * x, 0


def test_a_function_of_components_is_compared_as_one_of_vectors_is():
    mine = Algorithm(name="mine", direction=own_update)
    for problem, expected in ((ring(), "holds"), ("random-walk-tabular", "holds"), ("random-walk-dependent", "fails")):
        for algorithm in (mine, "td", "tdrc"):
            assert of(problem, algorithm).status.value == expected
            assert of(problem, algorithm, "fixed-points.own").status.value == "holds"
    assert of("two-state", "vtrace", "fixed-points.own").reason == "its own equation has solutions: one point"


def test_differential_td_rests_at_the_average_reward_and_relative_values():
    # r = 2 and v(0) + 2 = 1 + v(1).
    mean, values = differential_values(ring())
    assert (mean, values[1, 0] - values[0, 0]) == (2, 1)
    check = of(ring(), "differential-td")
    assert (check.status.value, check.reason) == ("holds", "it rests at the average reward and the differential values")
    report = check_conditions(ring(), "differential-td")
    assert str(report.bias).startswith("own equation: may rest elsewhere than TD's fixed point, at values relative to")


def test_the_average_reward_is_the_long_run_mean():
    problem = garnet(4, 2, 3, 2, 5)
    P, r = np.zeros((4, 4)), np.zeros(4)
    for t in problem.transitions:
        p = float(problem.target[t.s][t.a] * t.probability)
        P[t.s, t.s_next] += p
        r[t.s] += p * float(t.reward)
    mean, values = differential_values(problem)
    after = np.linalg.matrix_power(P, 4096)
    assert float(mean) == pytest.approx((after @ r)[0], rel=1e-9)
    v = values.to_float()[:, 0]
    np.testing.assert_allclose(v + float(mean), r + P @ v, atol=1e-9)


def test_differential_values_are_not_compared_where_episodes_end_or_differ_by_start():
    assert differential_values(find_problem("random-walk-tabular")) is None
    apart = Problem(
        name="two loops",
        gamma=0,
        features=[[1], [2]],
        transitions=[(s, a, (s + a) % 2, 1, s) for s in (0, 1) for a in (0, 1)],
        behaviour=[["1/2", "1/2"]] * 2,
        target=[[1, 0]] * 2,
    )
    assert differential_values(apart) is None
    assert of(apart, "differential-td").status.value == "undecided"


@pytest.mark.parametrize(
    ("problem", "algorithm", "representable", "reason"),
    [
        ("random-walk-dependent", "td-lambda", False, "no weights have the true values: off by up to "),
        (
            "random-walk-tabular",
            "td-ridge",
            True,
            "weights have the true values, and it may rest elsewhere: off",
        ),
    ],
)
def test_what_rests_elsewhere_is_told_from_what_no_weights_can_do(problem, algorithm, representable, reason):
    check = of(problem, algorithm)
    assert check.status.value == "fails"
    assert check.evidence["representable"] is representable
    assert check.reason.startswith(reason)


@pytest.mark.parametrize("lam", ["0", "1/2", "1"])
def test_tdrc_lambda_rests_where_td_lambda_does_whatever_td_does(lam):
    own = of("random-walk-dependent", "tdrc-lambda", "fixed-points.own", lam=lam)
    assert (own.status.value, own.source) == ("holds", "the equation that it is made to solve: that of td-lambda")
    equal = of("random-walk-dependent", "tdrc-lambda", "fixed-points.equal", lam=lam)
    assert (equal.status.value == "holds") is (lam == "0")


def test_an_equation_of_its_own_has_solutions_or_none():
    assert of(ring(), "td-lambda", "fixed-points.own").reason == "its own equation has solutions: one point"
    assert of("baird", "emphatic-td", "fixed-points.own").reason == "its own equation has solutions: 1 dimension"
    forever = Problem(
        name="forever", gamma=1, features=[[1]], transitions=[(0, 0, 0, 1, 1)], behaviour=[[1]], target=[[1]]
    )
    assert of(forever, "td-lambda", "fixed-points.own", lam=Fraction(0)).status.value == "fails"
    assert (
        of(forever, "td-lambda", lam=Fraction(0)).reason
        == "the true values were not compared: there are no unique ones"
    )
