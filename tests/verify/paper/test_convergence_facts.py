"""What is said of convergence with probability one, of the noise and of the transient, beside updates of this file."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from claim_facts import BY_NAME
from quantified import on

from tdrc_theory.problems import find_problem
from verify.paper.facts.atoms import Run
from verify.paper.facts.content import judged
from verify.paper.facts.problems import problem_named
from verify.paper.facts.update_terms import Proportional, Pushed

NAMES = (
    *("theorem-3.1.conclusion", "singular-C.theorem", "noise.martingale", "text.more-general-than-TDC"),
    "text.only-the-transient",
)
CONVERGENCE = [BY_NAME[name] for name in NAMES]


@pytest.mark.parametrize("fact", CONVERGENCE, ids=lambda fact: fact.id)
def test_every_statement_comes_out_as_expected(fact):
    corrected = None if fact.corrected is None else judged(fact.corrected).status.value
    assert (judged(fact.printed).status.value, corrected) == fact.claim.expected


def test_what_a_person_concludes_is_argued_and_what_a_problem_refutes_is_exact():
    kinds = {fact.id: judged(fact.printed).proof.value for fact in CONVERGENCE}
    assert kinds == {
        "theorem-3.1.conclusion": "argued",
        "singular-C.theorem": "argued",
        "noise.martingale": "argued",
        "text.more-general-than-TDC": "argued",
        "text.only-the-transient": "exact",
    }


def test_the_cited_theorem_is_named_as_cited():
    steps = judged(BY_NAME["theorem-3.1.conclusion"].corrected).steps
    (cited,) = [step for step in steps if "Borkar" in step.reason]
    assert cited.reason.startswith("cited and not checked")


def walk_of_one_state(eta, steps):
    """Return w after TDRC's steps alpha_t = (t + 1)^-3/4 from h = 1, w = 0, on one state with reward 1, gamma 1/2."""
    w, h = 0.0, 1.0
    for t in range(steps):
        alpha, delta = (t + 1) ** -0.75, 1 + w / 2 - w
        w, h = w + alpha * (delta - h / 2), h + eta * alpha * (delta - h - h)
    return w


def test_without_eta_w_goes_elsewhere_and_with_it_to_the_fixed_point():
    assert abs(walk_of_one_state(0, 10**5) - 1) < 0.01
    assert abs(walk_of_one_state(1, 10**5) - 2) < 0.01


@pytest.mark.parametrize("wrong", [{"step": Fraction(1, 2)}, {"step": 0}, {"h": 0}, {"h": 2}])
def test_another_push_is_not_confirmed(wrong):
    right = {"run": Run("tdrc", 1), "h": 1, "step": Fraction(-1, 2)}
    assert judged(on("one-state-discounted", Pushed(**right))).status.value == "holds"
    assert judged(on("one-state-discounted", Pushed(**{**right, **wrong}))).status.value == "fails"


def transitions(name):
    """Yield (probability, rho, x, x', s, s') of a problem, s' being -1 at an end."""
    problem = find_problem(name)
    for t in problem.transitions:
        b = problem.behaviour[t.s][t.a]
        if b and problem.d[t.s]:
            end = problem.ends(t.s_next)
            y = np.zeros(problem.k) if end else np.array(problem.features[t.s_next], float)
            rho = float(problem.target[t.s][t.a] / b)
            x = np.array(problem.features[t.s], float)
            yield float(problem.d[t.s] * b * t.probability), rho, x, y, t.s, -1 if end else t.s_next


def sample(rho, x, y, gamma):
    """Return G_t of TDRC with beta = eta = 1, from the printed block matrix of one sample."""
    d = len(x)
    forward = rho * np.outer(x, gamma * y - x)
    return np.block([[-(np.outer(x, x) + np.eye(d)), forward], [-rho * gamma * np.outer(y, x), forward]])


@pytest.mark.parametrize("name", ["random-walk-tabular", "boyan", "baird"])
def test_the_noise_has_mean_zero_for_independent_samples(name):
    problem = find_problem(name)
    X, gamma = np.array(problem.features, float), float(problem.gamma)
    D = np.diag([float(v) for v in problem.d])
    P = np.zeros((problem.states, problem.states))
    for t in problem.transitions:
        if not problem.ends(t.s_next):
            P[t.s, t.s_next] += float(problem.target[t.s][t.a] * t.probability)
    A, C, one = X.T @ D @ (X - gamma * P @ X), X.T @ D @ X, np.eye(problem.k)
    G = np.block([[-(C + one), -A], [A.T - C, -A]])
    mean = sum(p * sample(rho, x, y, gamma) for p, rho, x, y, *_ in transitions(name))
    assert np.allclose(mean, G, atol=1e-12)


def test_along_a_trajectory_it_has_not():
    mean = sum(p * sample(rho, x, y, 1) for p, rho, x, y, *_ in transitions("random-walk-tabular"))
    after = [(p, rho, x, y) for p, rho, x, y, s, _ in transitions("random-walk-tabular") if s == 0]
    share = sum(p for p, *_ in after)
    arguments = sum(p / share * sample(rho, x, y, 1) for p, rho, x, y in after)
    assert np.abs(arguments - mean).max() > 0.1


def expected(name, beta):
    """Return G of TDRC, eta = 1, on a problem with one feature, from its numbers."""
    data = problem_named(name).plain
    x, d = ([float(Fraction(v if key == "d" else v[0])) for v in data[key]] for key in ("features", "d"))
    gamma, A, C = float(Fraction(data["gamma"])), 0.0, 0.0
    for s, a, t, p, _ in data["transitions"]:
        mass = d[s] * float(Fraction(data["target"][s][a]) * Fraction(p))
        A += mass * x[s] * (x[s] - (gamma * x[t] if t >= 0 else 0))
    C = sum(p * v * v for p, v in zip(d, x, strict=True))
    return np.array([[-(C + beta), -A], [A - C, -A]])


@pytest.mark.parametrize(("name", "stable"), [("two-state", [True, False]), ("steep", [False, True])])
def test_neither_tdc_nor_tdrc_converges_wherever_the_other_does(name, stable):
    roots = [np.linalg.eigvals(expected(name, beta)).real.max() for beta in (0, 1)]
    assert [root < -1e-4 for root in roots] == stable
    assert [root > 1e-4 for root in roots] == [not each for each in stable]


def test_the_witness_against_the_transient_alone_is_the_two_state_problem():
    witness = judged(BY_NAME["text.only-the-transient"].printed).witness
    assert [v["verdict"] for v in witness["evaluated"] if "verdict" in v][:2] == ["convergent", "not-convergent"]
    assert (witness["problem"], witness["beta"]) == ("two-state", "1")


def test_on_baird_vtrace_clips_seven_to_one_and_zero_stays():
    assert {rho for _, rho, *_ in transitions("baird")} == {0.0, 7.0}
    for times, status in ((Fraction(1, 7), "holds"), (1, "fails"), (Fraction(1, 6), "fails")):
        assert judged(on("baird", Proportional("vtrace", "td", times))).status.value == status
    assert judged(on("random-walk-tabular", Proportional("vtrace", "td", Fraction(1, 7)))).status.value == "fails"
