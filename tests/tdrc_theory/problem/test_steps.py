"""What problems with varying discounts, interests and action values offer, against every move written out."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from tdrc_theory import expected_update, key_matrices
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problem.steps import target_values

W, H = (np.array([[Fraction(v) for v in row]]) for row in ((2, -1), ("1/2", 3)))


@pytest.fixture(params=["states", "pairs"])
def any_walk(request, kind, walk):
    """A walk of every kind, with features by state and by state and action."""
    return walk(kind if request.param == "states" else f"{kind}, pairs")


class Sample(SimpleNamespace):
    """What the rules below are written in."""

    def with_(self, **others):
        return Sample(**(vars(self) | others))


def inner(a, b):
    return (a * b).sum(axis=1, keepdims=True)


@learner(weights="w", memory="e")
def sarsa(x, x_next, w, e, rho, rho_before, rho_next, gamma, gamma_next, reward, lam=0):
    e = gamma * lam * rho * e + rho_before * x
    return Step(w=(reward + gamma_next * rho_next * dot(w, x_next) - dot(w, x)) * e, e=e)


@learner(weights="w")
def looking_back(x, x_next, w, rho, gamma, gamma_next, reward):
    return Step(w=gamma * rho * (reward + gamma_next * dot(w, x_next) - dot(w, x)) * x)


@learner(weights="w h")
def corrected(x, x_bar, w, h, gamma_next, reward):
    delta = reward + gamma_next * dot(w, x_bar) - dot(w, x)
    return Step(w=delta * x - gamma_next * dot(h, x) * x_bar, h=delta * x - dot(h, x) * x)


def of_corrected(s):
    delta = s.R + s.g1 * inner(W, s.bar) - inner(W, s.x)
    return {"w": delta * s.x - s.g1 * inner(H, s.x) * s.bar, "h": delta * s.x - inner(H, s.x) * s.x}


RULES = [
    (
        (sarsa, ", pairs"),
        lambda s: {"e": s.g * Fraction(1, 2) * s.rho * s.e + s.before * s.x},
        lambda s: {"w": (s.R + s.g1 * s.rho_next * inner(W, s.y) - inner(W, s.x)) * s.e},
    ),
    ((corrected, ", pairs"), None, of_corrected),
    (
        (looking_back, ""),
        None,
        lambda s: {"w": s.g * s.rho * (s.R + s.g1 * inner(W, s.y) - inner(W, s.x)) * s.x},
    ),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule[0][0].name)
def test_the_step_before_and_the_next_action_are_known(rule, kind, walk, learning):
    (algorithm, pairs), *equations = rule
    result = learning(walk(kind + pairs), equations, Sample())
    half = {"lam": Fraction(1, 2)} if algorithm.memory else {}
    G, g = expected_update(result.walk.problem, algorithm, algorithm.parameters(half))
    varrho = np.concatenate([{"w": W, "h": H}[name][0] for name in algorithm.stacked])
    expected, means = np.array(G.rows, object) @ varrho + np.array(g.rows, object)[:, 0], result.means(5, value=7)
    assert np.concatenate([means[name] for name in algorithm.stacked]).tolist() == expected.tolist()


def test_the_key_matrices_are_the_means_of_their_products_over_every_move(any_walk):
    A, b, C, chance = np.full((2, 2), Fraction(0)), 0, 0, dict(zip(any_walk.places, any_walk.start, strict=True))
    for place, _, share, _, s in any_walk.moves:
        x, p = s["x"], chance[place] * share
        (c,), next_x = ([1], s["bar"]) if any_walk.pairs else (s["rho"], s["y"])
        A = A + p * c * np.outer(x, x - s["g1"][0] * next_x)
        b, C = b + p * c * s["R"][0] * x, C + p * np.outer(x, x)
    key = key_matrices(any_walk.problem)
    assert [np.array(matrix.rows, object).tolist() for matrix in (key.A, key.C)] == [A.tolist(), C.tolist()]
    assert [value for (value,) in key.b.rows] == b.tolist()


def test_true_values_are_those_of_the_target_policy_discounted_by_transition(any_walk):
    results = [value for (value,) in target_values(any_walk.problem).rows]
    q = np.array(results, object).reshape(-1, 2) if any_walk.pairs else None

    def value(s):
        if s in any_walk.ends:
            return 0
        return results[s] if q is None else sum(p * v for p, v in zip(any_walk.pi[s], q[s], strict=True))

    for s in range(3):
        returns = [Fraction(0)] * 2
        for start, a, t, p, R, *own in any_walk.given["transitions"]:
            if start == s:
                gamma = Fraction(own[0]) if own else any_walk.arriving(t)
                returns[a] += Fraction(p) * (Fraction(R) + gamma * value(t))
        if q is not None:
            assert q[s].tolist() == returns
        else:
            assert value(s) == sum(p * v for p, v in zip(any_walk.pi[s], returns, strict=True))
