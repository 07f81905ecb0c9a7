"""Stability of the mean and finiteness of the variance of learners with memory, on problems solved by hand."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem, find_algorithm, find_problem
from tdrc_theory.errors import NoExpectation
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problems.garnet import garnet
from verify.check import CONVERGES, Outcome, Proof
from verify.conditions import check_conditions
from verify.conditions.setting import Setting
from verify.conditions.trace_variance import trace_variance
from verify.conditions.verdict import verdict


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
    assert report["trace-variance"].evidence["infinite"] == ["e", "F"], "F drives e"


def test_a_learner_without_memory_has_no_such_check():
    with pytest.raises(KeyError):
        _ = check_conditions("baird", "tdrc")["trace-variance"]


def test_a_learner_of_another_equation_is_held_to_it_and_compared_with_td():
    report = check_conditions("boyan", "tdrc-lambda", parameters={"lam": "1/2"})
    assert report.verdict.status is Outcome.CONVERGENT
    ridge = check_conditions("boyan", "td-ridge", beta="1/10")
    assert ridge.verdict.status is Outcome.CONVERGENT
    assert ridge["fixed-points.equal"].status.value == "fails"


def float_second_moments(problem, step, size, count=400):
    """E[m m^T] of a memory after many steps, or when it is huge, in floats: m becomes B m + u, from m = 0."""
    modes = sorted({(t.s_next, problem.rho(t.s, t.a)) for t in problem.transitions if problem.behaviour[t.s][t.a]})
    moves = []
    for i, (s, before) in enumerate(modes):
        for t in problem.transitions:
            if t.s == s and (b := problem.behaviour[s][t.a]):
                rho = problem.rho(s, t.a)
                M = np.eye(size + 1)
                M[1:, 1:], M[1:, 0] = step(problem.features[s], float(rho), float(before))
                moves.append((i, modes.index((t.s_next, rho)), float(b * t.probability), M))
    moments = np.zeros((len(modes), size + 1, size + 1))  # of (1, m)
    moments[:, 0, 0] = 1 / len(modes)
    for _ in range(count):
        after = np.zeros_like(moments)
        for i, j, p, M in moves:
            after[j] += p * (M @ moments[i] @ M.T)
        moments = after
        if np.abs(moments).max() > 1e12:
            break
    return moments.sum(axis=0)[1:, 1:]


@pytest.mark.quick(5)
@pytest.mark.parametrize("seed", range(11))
def test_variances_of_memory_that_other_memory_drives_are_those_that_floats_settle_on_or_not(seed):
    problem, lam, gamma = garnet(3, 2, 2, 2, seed, Fraction(4, 5)), [0.25, 0.75, 1][seed % 3], 0.8

    def emphatic(x, rho, before):
        x = np.array(x, float)
        F = np.array([0, 0, before * gamma])
        B = np.vstack([rho * (gamma * lam * np.eye(2, 3) + (1 - lam) * np.outer(x, F)), F])
        return B, np.append(rho * x, 1)

    moments = float_second_moments(problem, emphatic, 3)
    check = check_conditions(problem, "emphatic-td", parameters={"lam": str(lam)})["trace-variance"]
    finite = [name for name, value in (("e", moments[0, 0] + moments[1, 1]), ("F", moments[2, 2])) if value < 1e6]
    assert check.evidence["finite"] == finite
    assert check.status.value == ("holds" if finite == ["e", "F"] else "fails")


@learner(weights="w", memory="e")
def dutch(x, x_next, w, e, rho, gamma, reward, lam=1, alpha=1):
    e = rho * (gamma * lam * (e - alpha * dot(e, x) * x) + x)
    return Step(w=(reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e)


@pytest.mark.quick(5)
@pytest.mark.parametrize("seed", range(11))
def test_variances_of_a_dutch_trace_are_those_that_floats_settle_on_or_not(seed):
    problem, alpha = garnet(3, 2, 2, 2, seed, Fraction(4, 5)), Fraction(1, [40, 10, 2][seed % 3])

    def step(x, rho, _):
        x = np.array(x, float)
        return rho * 0.8 * (np.eye(2) - float(alpha) * np.outer(x, x)), rho * x

    settled = float(np.trace(float_second_moments(problem, step, 2))) < 1e6
    setting = Setting.of(problem, dutch, Fraction(1), Fraction(1), {"alpha": alpha})
    try:
        status = trace_variance(setting).status.value
    except NoExpectation:
        status = "fails"
    assert status == ("holds" if settled else "fails")


def test_too_many_covariances_are_undecided(monkeypatch):
    monkeypatch.setattr("verify.conditions.trace_variance.LARGEST", 2)
    check = check_conditions("random-walk-tabular", "emphatic-td")["trace-variance"]
    assert check.status.value == "undecided"
    assert "too many covariances enter that of e, F" in check.reason
