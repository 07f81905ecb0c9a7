"""Expectations of problems whose tables are sparse, against sums over transitions that this file writes out."""

from fractions import Fraction

import pytest

from tdrc_theory import Problem, key_matrices
from tdrc_theory.learner.expectation import ExpectationTable


def walk(states, groups):
    """A walk with jumps of up to three, features by group, and two policies."""
    transitions = []
    for s in range(states):
        for jump, p in ((1, "1/2"), (2, "1/3"), (3, "1/6")):
            for a, sign in enumerate((-1, 1)):
                t = s + sign * jump
                transitions.append((s, a, t if 0 <= t < states else -1, p, s % 5 if t >= 0 else -7))
    features = [[int(s * groups // states == i) * (1 + s % 2) for i in range(groups)] for s in range(states)]
    return Problem(
        name="walk",
        gamma="9/10",
        features=features,
        transitions=transitions,
        behaviour=[["1/2", "1/2"]] * states,
        target=[["1/3", "2/3"]] * states,
        start=[int(s == states // 2) for s in range(states)],
    )


def one(_):
    return 1


def ones(_):
    return (Fraction(1),)


def expectation(problem, factor, u, v):
    """Return E[factor u v^T], entry by entry, from the transitions."""
    k = problem.k
    total = [[Fraction(0)] * len(v(problem.transitions[0])) for _ in range(k)]
    for t in problem.transitions:
        mass = problem.d[t.s] * problem.behaviour[t.s][t.a] * t.probability * factor(t)
        for i, a in enumerate(u(t)):
            for j, b in enumerate(v(t) if mass and a else ()):
                total[i][j] += mass * a * b
    return tuple(map(tuple, total))


@pytest.fixture(scope="module")
def problem():
    return walk(100, 50)


@pytest.fixture(scope="module")
def rows(problem):
    zero = (Fraction(0),) * problem.k
    return (lambda t: problem.features[t.s]), (lambda t: problem.features[t.s_next] if t.s_next >= 0 else zero)


def test_the_key_matrices_of_sparse_features_are_the_sums_over_transitions(problem, rows):
    x, x_next = rows

    def difference(t):
        return [a - Fraction(9, 10) * b for a, b in zip(x(t), x_next(t), strict=True)]

    key = key_matrices(problem)
    assert key.A.rows == expectation(problem, lambda t: problem.rho(t.s, t.a), x, difference)
    assert key.C.rows == expectation(problem, one, x, x)
    assert key.b.rows == expectation(problem, lambda t: problem.rho(t.s, t.a) * t.reward, x, ones)


def test_powers_of_sparse_features_multiply_componentwise(problem, rows):
    x, x_next = rows
    table = ExpectationTable(problem)

    def both(t):
        return [a * b for a, b in zip(x(t), x_next(t), strict=True)]

    rho = lambda t: problem.rho(t.s, t.a)  # noqa: E731
    ratios, vectors = [point["rho"] for point in table.modes.points], ("x", "x_next")
    assert table.entry(ratios, vectors, "x").rows == expectation(problem, rho, both, x)
    assert table.entry(ratios, vectors, "x_next").rows == expectation(problem, rho, both, x_next)
    assert table.entry(ratios, vectors).rows == expectation(problem, rho, both, ones)
