"""Stability of the mean and finiteness of the variance of learners with memory, on problems solved by hand."""

from fractions import Fraction

import pytest

from tdrc_theory import Problem, find_algorithm, find_problem
from verify.check import Proof
from verify.conditions import check_conditions
from verify.conditions.setting import Setting
from verify.conditions.verdict import verdict
from verify.outcome import CONVERGES, Outcome


def find(name):
    return find_algorithm(name)


@pytest.mark.parametrize(("lam", "stable"), [("60/66", False), ("61/66", False), ("62/66", True), ("1", True)])
def test_td_lambda_is_stable_on_baird_above_61_66(lam, stable):
    setting = Setting.of(find_problem("baird"), find("td-lambda"), Fraction(1), Fraction(1), {"lam": Fraction(lam)})
    assert (verdict(setting).status in CONVERGES) is stable


@pytest.mark.parametrize(
    ("lam", "status"), [("0", "holds"), ("3817/10000", "holds"), ("3818/10000", "fails"), ("1", "fails")]
)
def test_the_trace_of_td_lambda_on_baird_has_finite_variance_below_100_over_99_roots_of_7(lam, status):
    check = check_conditions("baird", "td-lambda", parameters={"lam": lam})["trace-variance"]
    assert (check.status.value, check.proof) == (status, Proof.EXACT)
    assert (99**2 * 7 * Fraction(lam) ** 2 < 100**2) is (status == "holds")


def loop(behaviour, gamma="9/10", features=((1,),)):
    """One state, two actions that stay, the first of which is right."""
    steps = [(0, a, 0, 1, 0) for a in (0, 1)]
    return Problem(
        name="loop", gamma=gamma, features=features, transitions=steps, behaviour=[behaviour], target=[[1, 0]]
    )


@pytest.mark.parametrize(("share", "lam", "finite"), [("1/2", "7/9", True), ("1/2", "8/9", False), ("1", "1", True)])
def test_a_trace_in_one_state_has_finite_variance_where_gamma_lam_squared_is_below_its_share(share, lam, finite):
    """E[(gamma lam rho)^2] = (gamma lam)^2 / b."""
    chain = loop([share, str(1 - Fraction(share))])
    check = check_conditions(chain, "td-lambda", parameters={"lam": lam})["trace-variance"]
    assert (check.status.value == "holds") is finite
    assert finite is ((Fraction(9, 10) * Fraction(lam)) ** 2 < Fraction(share))


def test_a_trace_that_no_feature_moves_has_no_variance_whatever_its_decay():
    check = check_conditions(loop(["1/2", "1/2"], features=((0,),)), "td-lambda", parameters={"lam": 1})
    assert check["trace-variance"].status.value == "holds"


def test_the_follow_on_of_emphatic_td_has_infinite_variance_on_doubling():
    steps = [(s, a, a, 1, 0) for s in (0, 1) for a in (0, 1)]
    doubling = Problem(
        name="doubling",
        gamma="9/10",
        features=[[1], [2]],
        transitions=steps,
        behaviour=[["1/2", "1/2"]] * 2,
        target=[[0, 1]] * 2,
    )
    report = check_conditions(doubling, "emphatic-td")
    assert report.verdict.status is Outcome.CONVERGENT
    assert report["trace-variance"].status.value == "fails"
    assert report["trace-variance"].evidence["infinite"] == ["F"]


def test_a_learner_without_memory_has_no_such_check():
    with pytest.raises(KeyError):
        _ = check_conditions("baird", "tdrc")["trace-variance"]


def test_a_learner_of_another_equation_is_held_to_it_and_compared_with_td():
    report = check_conditions("boyan", "tdrc-lambda", parameters={"lam": "1/2"})
    assert report.verdict.status is Outcome.CONVERGENT
    ridge = check_conditions("boyan", "td-ridge", beta="1/10")
    assert ridge.verdict.status is Outcome.CONVERGENT
    assert ridge["fixed-points.equal"].status.value == "fails"
