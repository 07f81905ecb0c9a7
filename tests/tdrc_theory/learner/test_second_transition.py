"""A second transition from the same place, independent of the first: what is expected of it."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Problem, expected_update
from tdrc_theory.algorithms import NAIVE_RESIDUAL_GRADIENT, RESIDUAL_GRADIENT
from tdrc_theory.errors import BadOption
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.steps import steps_of
from tdrc_theory.problems import find_problem


def of(update):
    return np.array(update.G.rows, object), np.array(update.g.rows, object)[:, 0]


def bellman_errors(walk):
    """Return the weight of each place, and the Bellman error r - y.w there: [(share, y, r)]."""
    results = []
    for place, share in zip(walk.places, walk.start, strict=True):
        y, r = np.array([Fraction(0)] * 2, object), Fraction(0)
        for left, _, p, _, s in walk.moves:
            if left == place:
                after = s["bar"] if walk.pairs else s["y"]
                c = p if walk.pairs else p * s["rho"][0]
                y, r = y + c * (s["x"] - s["g1"][0] * after), r + c * s["R"][0]
        results.append((share, y, r))
    return results


def test_a_residual_gradient_is_minus_half_the_gradient_of_the_mean_squared_bellman_error(kind, walk):
    there = walk(kind)
    errors, w = bellman_errors(there), np.array([Fraction(3, 2), Fraction(-2)], object)
    G, g = of(expected_update(there.problem, RESIDUAL_GRADIENT, {}))

    def loss(w):
        return sum(share * (r - y @ w) ** 2 for share, y, r in errors)

    for i in range(2):  # of a square, the central difference is the derivative
        unit = np.array([Fraction(i == j) for j in range(2)], object)
        assert -(loss(w + unit) - loss(w - unit)) / 4 == (G @ w + g)[i]
    assert of(expected_update(there.problem, NAIVE_RESIDUAL_GRADIENT, {}))[0].tolist() != G.tolist()


@learner(weights="w")
def of_pairs(x, x_bar, x_bar_2, w, gamma_next, gamma_next_2, reward):
    return Step(w=(reward + gamma_next * dot(w, x_bar) - dot(w, x)) * (x - gamma_next_2 * x_bar_2))


def test_of_action_values_it_is_the_next_state_that_is_drawn_again(kind, walk):
    there = walk(f"{kind}, pairs")
    errors = bellman_errors(there)
    G, g = of(expected_update(there.problem, of_pairs, {}))
    assert G.tolist() == (-sum(share * np.outer(y, y) for share, y, _ in errors)).tolist()
    assert g.tolist() == sum(share * r * y for share, y, r in errors).tolist()


@learner(weights="w", memory="e")
def along_a_trace(x, x_next, x_next_2, w, e, rho, rho_2, gamma, gamma_next, gamma_next_2, reward, reward_2, lam=0):
    e = rho * gamma * lam * e + x - rho_2 * gamma_next_2 * x_next_2
    return Step(w=rho * (reward + gamma_next * dot(w, x_next) - dot(w, x) + reward_2) * e, e=e)


def test_memory_may_hold_what_was_drawn_again_and_numbers_of_it_count(kind, walk):
    """The mean of each step is that of its own place, so expectations along the chain need no pairs."""
    there = walk(kind)
    half = Fraction(1, 2)
    G, g = of(expected_update(there.problem, along_a_trace, {"lam": half}))
    means = {}  # of what is drawn again, given the place
    for place in there.places:
        rows = [(p, s) for left, _, p, _, s in there.moves if left == place]
        away = rows[0][1]["x"] - sum(p * s["rho"][0] * s["g1"][0] * s["y"] for p, s in rows)
        means[place] = away, sum(p * s["R"][0] for p, s in rows), rows
    # Totals of e before a step, by place and discount of the step before: where that varies by transition it is apart.
    e = {}
    for _ in range(6):
        before = e if e else {(place, there.arriving(place[0])): (share, 0) for place, share in _start(there)}
        e = {}
        for (place, gamma), (share, total) in before.items():
            away, _, _ = means[place]
            for left, to, p, begins, s in there.moves:
                if left == place:
                    now = p * (share * away + s["rho"][0] * gamma * half * total)
                    key = to, there.arriving(to[0]) if begins else s["g1"][0]
                    old = e.get(key, (0, 0))
                    e[key] = old[0] + share * p, old[1] + (0 * now if begins else now)
    G_here, g_here = 0, 0
    for (place, gamma), (share, total) in e.items():
        away, paid, rows = means[place]
        for p, s in rows:
            # Given the place, e's new part, what is paid in the second transition and the first one's are independent
            # but for reward_2 and away, which are of one transition.
            rho, g1 = s["rho"][0], s["g1"][0]
            now = share * away + rho * gamma * half * total
            G_here = G_here + p * rho * np.outer(now, g1 * s["y"] - s["x"])
            g_here = g_here + p * rho * s["R"][0] * now + p * rho * rho * gamma * half * paid * total
            g_here = g_here + share * p * rho * sum(
                q * z["R"][0] * (z["x"] - z["rho"][0] * z["g1"][0] * z["y"]) for q, z in rows
            )
    assert G.tolist() == G_here.tolist()
    assert g.tolist() == g_here.tolist()


def _start(there):
    return [(place, share) for place, share in zip(there.places, there.start, strict=True) if share]


def test_seconds_that_are_not_told_apart_are_one():
    walk, chain = find_problem("random-walk-dependent"), find_problem("boyan")
    both = len(list(steps_of(walk, ("x_next_2",))))
    none = list(steps_of(chain, ("rho_2",)))
    assert both == sum(len([s for s in steps_of(walk) if s.place == place]) ** 2 for place in range(5))
    assert len(none) == len(list(steps_of(chain)))
    assert {step.numbers["rho_2"] for step in none} == {1}
    for place in range(5):
        assert sum(step.probability for step in steps_of(walk, ("x_next_2",)) if step.place == place) == 1


def test_what_does_not_offer_two_transitions_is_refused():
    matrices = MatrixProblem(name="given", A=[["-1/5"]], b=[0], C=[["5/2"]])
    with pytest.raises(
        BadOption, match="reads x_next_2, of a second transition from the same state, and A, b and C alone"
    ):
        expected_update(matrices, RESIDUAL_GRADIENT, {})
    n = 101
    P = np.full((n, 1, n), Fraction(1, n), object)
    dense = Problem.from_arrays(
        name="dense", gamma=0, features=np.eye(n, dtype=int), P=P, R=[0] * n, behaviour=[0] * n, target=[0] * n,
        state_weights=[Fraction(1, n)] * n,
    )  # fmt: skip
    with pytest.raises(BadOption, match=f"dense: it has {n**3} pairs of transitions"):
        expected_update(dense, RESIDUAL_GRADIENT, {})


def test_the_second_next_features_have_a_discount_of_their_own(walk):
    @learner(weights="w")
    def mixed(x, x_next_2, w, rho, rho_2, gamma_next, reward):
        return Step(w=rho * (reward - dot(w, x)) * (x - gamma_next * rho_2 * x_next_2))

    text = "has gamma_next, the discount of the first transition; write gamma_next_2 for what discounts x_next_2"
    with pytest.raises(BadOption, match=text):
        expected_update(walk("by state").problem, mixed, {})
    expected_update(walk("1/2").problem, mixed, {})
