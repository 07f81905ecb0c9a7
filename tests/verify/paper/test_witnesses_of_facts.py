"""The witnesses of facts, checked from their plain numbers by means of their own."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
from claim_facts import BY_NAME

from verify.paper.facts.atoms import Plain
from verify.paper.facts.content import judged
from verify.paper.facts.problems import problem_named


def witness(identifier):
    return judged(BY_NAME[identifier].printed).witness


def arrays(data):
    """Return features, target chain and rewards of a witness, as floats; ended episodes are missing mass."""
    X = np.array([[float(Fraction(v)) for v in row] for row in data["features"]])
    P, r = np.zeros((len(X), len(X))), np.zeros(len(X))
    for s, a, t, p, reward in data["transitions"]:
        mass = float(Fraction(data["target"][s][a]) * Fraction(p))
        r[s] += mass * float(Fraction(reward))
        if t >= 0:
            P[s, t] += mass
    return X, P, r, float(Fraction(data["gamma"]))


def test_boyans_values_are_off_the_features_by_about_half_a_unit():
    X, P, r, gamma = arrays(witness("background.boyan-exact"))
    values = np.linalg.solve(np.eye(len(X)) - gamma * P, r)
    off = values - X @ np.linalg.lstsq(X, values, rcond=None)[0]
    assert 0.1 < np.abs(off).max() < 1


def test_boyans_own_chain_loses_two_a_step():
    result = Plain("representable").truth({"problem": "original-boyan"})
    assert result.value
    assert "(-24, -16, -8, 0)" in result.steps[0].text


def test_a_ratio_of_one_step_does_not_correct_a_later_reward():
    data = witness("background.importance")
    by_policy = {}
    for name, policy in (("behaviour", data["behaviour"]), ("target", data["target"])):
        total = Fraction(0)
        for (s, a, t, p, _), (s2, a2, _, q, reward) in itertools.product(data["transitions"], repeat=2):
            if s == 0 and s2 == t:
                ratio = Fraction(data["target"][s][a]) / Fraction(policy[s][a]) if Fraction(policy[s][a]) else 0
                weight = Fraction(policy[s][a]) * Fraction(p) * Fraction(policy[t][a2]) * Fraction(q)
                total += weight * ratio * Fraction(reward)
        by_policy[name] = total
    assert by_policy == {"behaviour": Fraction(1, 2), "target": 1}


def test_td_errors_of_the_coin_are_one_at_the_fixed_point():
    data = witness("background.errors-vanish")
    gamma = Fraction(data["gamma"])
    mean = sum(Fraction(p) * Fraction(R) for *_, p, R in data["transitions"])
    w = mean / (1 - gamma)
    assert {abs(Fraction(R) + gamma * w - w) for *_, R in data["transitions"]} == {1}


def test_w_grows_without_end_on_one_state_on_policy():
    data = witness("background.td-on-policy")
    (only,) = data["transitions"]
    w = Fraction(0)
    for _ in range(100):
        w += Fraction(1, 4) * (Fraction(only[4]) + Fraction(data["gamma"]) * w - w)
    assert w == 25
    assert data["behaviour"] == data["target"]


def test_bairds_features_span_seven_directions():
    X, *_ = arrays(witness("background.mspbe-exists"))
    values = np.linalg.svd(X, compute_uv=False)
    assert (values > 1e-9).sum() == 7
    assert X.shape == (7, 8)


def mean_matrix(data, beta):
    """Return G of TDRC, eta = 1, from the printed block matrix."""
    X, P, _, gamma = arrays(data)
    D = np.diag([float(Fraction(v)) for v in data["d"]])
    A, C, one = X.T @ D @ (X - gamma * P @ X), X.T @ D @ X, np.eye(X.shape[1])
    return A, np.block([[-(C + beta * one), -A], [A.T - C, -A]])


def test_a_constant_step_that_suits_td_is_too_long_for_a_large_beta():
    data = witness("limits.beta-grows-constant-step")
    alpha, beta = float(Fraction(data["alpha"])), float(Fraction(data["beta"]))
    A, G = mean_matrix(data, beta)
    assert np.abs(np.linalg.eigvals(np.eye(len(A)) - alpha * A)).max() < 1
    assert np.abs(np.linalg.eigvals(np.eye(len(G)) + alpha * G)).max() > 1


def test_the_off_policy_walk_has_a_positive_definite_A():
    data = dict(problem_named("random-walk-tabular").plain)
    A, _ = mean_matrix(data, 1)
    assert np.linalg.eigvalsh(A + A.T).min() > 1e-3
    assert data["behaviour"] != data["target"]


def test_at_the_edge_beta_TDRC_rests_where_TD_does_not():
    data = witness("background.same-solutions")
    A, G = mean_matrix(data, 0.47)
    assert abs(np.linalg.det(G)) < 1e-12
    assert abs(np.linalg.det(A)) > 0.1


def test_the_printed_bound_on_beta_is_negative_though_TDC_converges():
    data = dict(problem_named("skewed").plain)
    A, _ = mean_matrix(data, 0)
    H, C = (A + A.T) / 2, arrays(data)[0].T @ np.diag([float(Fraction(v)) for v in data["d"]]) @ arrays(data)[0]
    assert -np.linalg.eigvals(np.linalg.solve(H, A @ A.T)).real.max() < 0
    assert -np.linalg.eigvals(np.linalg.solve(C, H)).real.min() < 1


def test_probabilities_of_the_skewed_problem_are_such():
    problem = problem_named("skewed").problem
    assert sum(problem.d) == 1
    assert min(problem.d) > 0


def test_units_of_features_decide_whether_the_default_converges():
    data = dict(problem_named("two-state").plain)
    _, small = mean_matrix(data, 1)
    _, large = mean_matrix({**data, "features": [[str(2 * Fraction(v)) for v in row] for row in data["features"]]}, 1)
    assert np.linalg.eigvals(small).real.max() > 0.01
    assert np.linalg.eigvals(large).real.max() < -0.01
    _, undone = mean_matrix({**data, "features": [[str(2 * Fraction(v)) for v in row] for row in data["features"]]}, 4)
    assert np.allclose(undone, 4 * small)
