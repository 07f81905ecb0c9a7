"""Public problems by the numbers that are known of them, in all three ways: judged, predicted and run."""

from __future__ import annotations

from collections import deque
from fractions import Fraction

import numpy as np
import pytest

from simulate.run.learning_curve import learning_curve
from tdrc_theory import Problem, key_matrices
from tdrc_theory.problem.decision_table import aggregated
from tdrc_theory.problem.steps import target_values
from tdrc_theory.problems import find_problem
from verify.conditions import check_conditions
from verify.predict import predict

ONE = Fraction(1)


@pytest.mark.parametrize(
    ("name", "start", "value"), [("FrozenLake-v1", 0, Fraction(14, 17)), ("CliffWalking-v1", 36, Fraction(-13))]
)
def test_the_best_policy_is_worth_what_is_known(name, start, value):
    problem = find_problem(f"gymnasium:{name}", gamma=ONE)
    assert problem.start[start] == 1
    assert target_values(problem)[start, 0] == value


def test_a_taxi_takes_the_shortest_way():
    problem = find_problem("gymnasium:Taxi-v3", gamma=ONE)
    before: dict[int, list[int]] = {}
    last = []
    for t in problem.transitions:
        assert t.probability == 1
        if problem.ends(t.s_next):
            last.append(t.s)
        elif t.reward == -1:
            before.setdefault(t.s_next, []).append(t.s)
    steps, queue = dict.fromkeys(last, 1), deque(last)
    while queue:
        at = queue.popleft()
        for s in before.get(at, ()):
            if s not in steps:
                steps[s] = steps[at] + 1
                queue.append(s)
    values = target_values(problem)
    starts = [s for s, share in enumerate(problem.start) if share]
    assert len(starts) == 300
    # -1 a step, and 20 for the last one.
    assert [values[s, 0] for s in starts] == [21 - steps[s] for s in starts]


def walk(states, jump, groups):
    """Sutton and Barto's random walk (example 9.1): jumps of up to `jump` to either side, paid -1 and 1 at the ends."""
    share, transitions = Fraction(1, 2 * jump), []
    for s in range(states):
        arrivals = [s + j for j in range(-jump, jump + 1) if j]
        transitions += [(s, 0, t, share, 0) for t in arrivals if 0 <= t < states]
        for out, reward in ((sum(t < 0 for t in arrivals), -1), (sum(t >= states for t in arrivals), 1)):
            transitions += [(s, 0, -1, out * share, reward)] if out else []
    return Problem(
        name="walk",
        gamma=1,
        features=aggregated(states, groups),
        transitions=transitions,
        behaviour=[[1]] * states,
        target=[[1]] * states,
        start=[int(s == states // 2) for s in range(states)],
    )


def in_floats(problem, states, jump, groups):
    """Return the weights d and the TD fixed point from dense arrays in floats."""
    P = np.zeros((states, states))
    r = np.zeros(states)
    for s in range(states):
        for j in (*range(-jump, 0), *range(1, jump + 1)):
            if 0 <= s + j < states:
                P[s, s + j] += 0.5 / jump
            else:
                r[s] += np.sign(j) * 0.5 / jump
    visits = np.linalg.solve(np.eye(states) - P.T, np.eye(states)[states // 2])
    d = visits / visits.sum()
    X = np.kron(np.eye(groups), np.ones((states // groups, 1)))
    A = X.T @ (d[:, None] * (X - P @ X))
    return d, np.linalg.solve(A, X.T @ (d * r))


def check_the_walk(states, jump):
    problem = walk(states, jump, 10)
    d, w = in_floats(problem, states, jump, 10)
    np.testing.assert_allclose([float(x) for x in problem.d], d, rtol=1e-9)
    A, b, _ = key_matrices(problem)
    np.testing.assert_allclose(A.solve(b).to_float()[:, 0], w, rtol=1e-8)
    report = check_conditions(problem)
    assert report.verdict.status.value == "convergent"
    assert report.verdict.proof.value == "exact"
    curve = learning_curve(problem, steps=200, runs=200, every=200, sampling="iid")
    prediction = predict(problem, alpha="1/16", steps=200, every=200, sampling="iid")
    error = curve.errors[:, -1] ** 2
    assert abs(error.mean() - prediction.mspbe[-1]) < 6 * error.std(ddof=1) / np.sqrt(200)
    return prediction


def test_the_aggregated_walk_of_sutton_and_barto_on_a_tenth_of_its_states():
    check_the_walk(100, 10)


@pytest.mark.slow
def test_the_aggregated_walk_of_sutton_and_barto_with_its_thousand_states():
    check_the_walk(1000, 100)
