"""Predictions along chains of many states that share features, against moments that are stepped here, mode by mode."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem
from verify.predict.operator import Half, forward, layout, written_out
from verify.predict.prediction import predict, prepared

ALPHA = 1 / 16


def walk(states, groups, ends):
    """A walk with jumps of one to three, features by group, and two policies."""
    transitions = []
    for s in range(states):
        for jump, p in ((1, "1/2"), (2, "1/3"), (3, "1/6")):
            for a, sign in enumerate((-1, 1)):
                t = s + sign * jump
                over = not 0 <= t < states
                transitions.append((s, a, -1 if ends and over else t % states, p, s % 5 - 2 * over))
    return Problem(
        name="walk",
        gamma="9/10",
        features=[[int(s * groups // states == i) for i in range(groups)] for s in range(states)],
        transitions=transitions,
        behaviour=[["1/2", "1/2"]] * states,
        target=[["1/3", "2/3"]] * states,
        initial_weights=[2] * groups,
        start=[Fraction(int(s == states // 2)) for s in range(states)],
    )


def moments(problem, steps):
    """Return E[(w, 1) (w, 1)^T; state] of TD, step after step."""
    k = problem.k
    x = np.array([[float(v) for v in row] for row in problem.features] + [[0.0] * k])
    start = np.array([float(p) for p in problem.start])
    Q = start[:, None, None] * np.outer(*[np.append(np.array([float(v) for v in problem.initial_weights]), 1)] * 2)
    for _ in range(steps):
        after = np.zeros_like(Q)
        for t in problem.transitions:
            p = float(problem.behaviour[t.s][t.a] * t.probability)
            row = np.append(0.9 * x[t.s_next] - x[t.s], float(t.reward))
            M = np.eye(k + 1)
            M[:k] += ALPHA * float(problem.rho(t.s, t.a)) * np.outer(x[t.s], row)
            moved = p * M @ Q[t.s] @ M.T
            if t.s_next == -1:
                after += start[:, None, None] * moved
            else:
                after[t.s_next] += moved
        Q = after
    return Q.sum(axis=0)


@pytest.mark.parametrize("ends", [True, False], ids=["episodes", "continuing"])
@pytest.mark.parametrize(("states", "groups"), [(60, 3), (12, 12), (9, 2)])
def test_states_that_share_features_have_the_moments_of_every_single_step(states, groups, ends):
    problem = walk(states, groups, ends)
    prediction = predict(problem, "td", alpha="1/16", steps=12, every=12, covariances=True)
    Q = moments(problem, 12)
    size, mean = np.abs(Q).max(), prediction.mean_weights[-1]
    assert mean == pytest.approx(Q[:-1, -1], abs=1e-12 * size)
    assert prediction.covariance[-1] + np.outer(mean, mean) == pytest.approx(Q[:-1, :-1], abs=1e-12 * size)


@pytest.mark.parametrize("ends", [True, False], ids=["episodes", "continuing"])
def test_the_adjoint_of_many_states_is_the_transposed_matrix_on_halves(ends):
    arrays = layout(prepared(walk(60, 3, ends), "td"))
    rng, alpha = np.random.default_rng(3), np.array([0.1, 0.7])
    X, Y = (v + v.swapaxes(-1, -2) for v in rng.normal(size=(2, 2, arrays.modes, arrays.size, arrays.size)))
    one, half = np.einsum("asij,asij->a", forward(arrays)(X, alpha), Y), Half.of(arrays)
    adjoints = [
        half.unpack(written_out(forward(arrays), half, a).T @ half.pack(y)) for a, y in zip(alpha, Y, strict=True)
    ]
    assert one == pytest.approx(np.einsum("asij,asij->a", X, np.array(adjoints)), rel=1e-10)
