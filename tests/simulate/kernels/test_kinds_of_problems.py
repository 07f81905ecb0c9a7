"""Discounts and interests that vary, and action values: kernels against a loop over what the problem says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from simulate.environment import environment
from simulate.kernels import kernel, lanes
from simulate.step_sizes import CONSTANT
from tdrc_theory import Problem, expected_update, key_matrices
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import TheoryError
from tdrc_theory.learner import Step, dot, learner

BEHAVIOUR = [["1/2", "1/2"], ["1/3", "2/3"], ["3/4", "1/4"]]
TARGET = [["1/4", "3/4"], ["4/5", "1/5"], ["1/2", "1/2"]]
BY_STATE = [[1, 0], [1, 1], [-1, 2]]
BY_PAIR = [[[1, 0], [0, 1]], [[1, 1], [2, 0]], [[0, 2], [1, -1]]]
# State, action, next state (3: the end), probability, reward, discount of its own; a triple of the first is there once.
ROWS = [
    (0, 0, 1, "1/2", 1, "1/2"),
    (0, 0, 2, "1/2", -1, "1/3"),
    (0, 1, 2, 1, 2, 1),
    (1, 0, 2, 1, 0, "2/5"),
    (1, 1, 0, 1, 3, 0),
    (2, 0, 0, 1, -2, "9/10"),
    (2, 1, 3, 1, 1, "1/8"),
]
INTEREST = [1, 0, "5/2"]
GAMMA = ["1/4", "9/10", "2/3"]


def problem(kind, pairs=False):
    """A chain with episodes; gamma is `constant`, by `state` or by `transition`."""
    end = [[7, 7]] if not pairs else [[[7, 7], [5, 5]]]
    return Problem(
        name=kind,
        gamma=[*GAMMA, "1/7"] if kind == "state" else "9/10",
        features=[*(BY_PAIR if pairs else BY_STATE), *end],
        transitions=[row if kind == "transition" else row[:5] for row in ROWS],
        behaviour=[*BEHAVIOUR, [0, 0]],
        target=[*TARGET, [0, 0]],
        interest=[1, 1, 1, 1] if kind == "constant" else [*INTEREST, 1],
        terminal=[3],
        start=["1/3", 0, "2/3", 0],
        initial_weights=[2, -1],
    )


@learner(weights="w", memory="e F", scalars="F")
def attentive(x, x_next, w, e, F, rho, rho_before, gamma, gamma_next, interest, pi, reward, lam=0.5):
    """A trace of everything that a step offers."""
    F = rho_before * gamma * F + interest
    e = rho * (gamma * lam * e + (F + pi) * x)
    return Step(w=(reward + gamma_next * dot(w, x_next) - dot(w, x)) * e, e=e, F=F)


@learner(weights="w", memory="e")
def of_pairs(x, x_next, x_bar, w, e, rho, rho_next, gamma, gamma_next, interest, pi, reward, lam=0.5):
    """The same of action values."""
    e = rho * gamma * lam * e + (interest + pi) * x
    delta = reward + gamma_next * (dot(w, x_bar) + rho_next * dot(w, x_next)) / 2 - dot(w, x)
    return Step(w=delta * e, e=e)


@learner(weights="w")
def twice_of_pairs(x, x_next_2, x_bar, x_bar_2, w, gamma_next, gamma_next_2, rho_next_2, pi_2, reward, reward_2):
    """All that a second transition has, of action values."""
    later = gamma_next_2 * (x_bar_2 + rho_next_2 * x_next_2)
    return Step(w=(reward + reward_2 + gamma_next * dot(w, x_bar) - pi_2 * dot(w, x)) * (x - later))


def samples(kind, pairs, trajectory):
    """Yield what the tables above say of each sample."""
    before, ended = {}, True
    for place, after, reward in zip(trajectory.s, trajectory.s_next, trajectory.reward, strict=True):
        over = after == (8 if pairs else 4)
        s, t = (place // 2, after // 2) if pairs else (place, after)
        t = 3 if over else t
        row = next(r for r in ROWS if (r[0], r[2], r[4]) == (s, t, reward) and (not pairs or r[1] == place % 2))
        a = row[1]
        b, p = (float(Fraction(policy[s][a])) for policy in (BEHAVIOUR, TARGET))
        own = {"transition": row[5], "state": "1/7" if over else GAMMA[min(t, 2)], "constant": "9/10"}[kind]
        here = {"state": GAMMA[s]}.get(kind, "9/10")
        now = {"rho": p / b, "pi": p, "reward": reward, "gamma_next": float(Fraction(own))}
        now["interest"] = 1.0 if kind == "constant" else float(Fraction(INTEREST[s]))
        now["rho_before"] = 1.0 if ended else before["rho"]
        now["gamma"] = float(Fraction(here)) if ended else before["gamma_next"]
        now["x"] = np.array(BY_PAIR[s][a] if pairs else BY_STATE[s], float)
        now["x_next"] = np.zeros(2) if over else np.array(BY_PAIR[t][after % 2] if pairs else BY_STATE[t], float)
        if pairs:
            policy = [float(Fraction(v)) for v in TARGET[min(t, 2)]]
            now["x_bar"] = np.zeros(2) if over else policy @ np.array(BY_PAIR[t], float)
            now["rho_next"] = 1.0 if over else policy[after % 2] / float(Fraction(BEHAVIOUR[t][after % 2]))
        yield now, over
        before, ended = now, over


def followed(algorithm, kind, pairs, trajectory, alpha, again):
    kept = {n: 0.0 if n in algorithm.scalars else np.zeros(2) for n in (*algorithm.weights, *algorithm.memory)}
    zero, kept["w"] = dict(kept), np.array([2.0, -1.0])
    for (now, over), (second, _) in zip(samples(kind, pairs, trajectory), samples(kind, pairs, again), strict=True):
        assert second["x"].tolist() == now["x"].tolist()
        known = {**now, **kept, **{f"{name}_2": value for name, value in second.items()}}
        step = algorithm.direction(**{n: known[n] for n in algorithm.arguments if n in known})
        kept["w"] = kept["w"] + alpha * step["w"]
        kept.update({m: zero[m] if over else step[m] for m in algorithm.memory})
    return kept["w"]


@pytest.mark.parametrize(
    ("algorithm", "kind", "pairs"),
    [
        (attentive, "transition", False),
        pytest.param(attentive, "state", False, marks=pytest.mark.slow),
        pytest.param(attentive, "constant", False, marks=pytest.mark.slow),
        pytest.param(of_pairs, "transition", True, marks=pytest.mark.thorough),
        pytest.param(of_pairs, "state", True, marks=pytest.mark.slow),
        (find_algorithm("expected-sarsa"), "state", True),
        pytest.param(twice_of_pairs, "transition", True, marks=pytest.mark.thorough),
        pytest.param(find_algorithm("residual-gradient"), "transition", False, marks=pytest.mark.thorough),
        pytest.param(find_algorithm("residual-gradient"), "state", False, marks=pytest.mark.slow),
        pytest.param(find_algorithm("emphatic-td"), "transition", False, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_every_number_of_a_sample_is_what_the_problem_says(algorithm, kind, pairs):
    env = environment(problem(kind, pairs), steps=200, seed=6)
    trajectory, alphas = env.trajectory(1), [0.01, 0.03]
    assert (trajectory.s_next == len(env.features) - 1).sum() > 10
    result = kernel(algorithm, CONSTANT)(env, trajectory, lanes(CONSTANT, alphas)).weights
    for lane, alpha in enumerate(alphas):
        expected = followed(algorithm, kind, pairs, trajectory, alpha, env.again(trajectory))
        np.testing.assert_allclose(result[:, lane], expected, rtol=1e-10, atol=1e-12)


def test_a_function_of_components_discounts_by_the_transition(p_value):
    """The mean direction at fixed weights is that of the key matrices."""
    of = problem("transition")
    A, b, _ = (matrix.to_float() for matrix in key_matrices(of))
    env = environment(of, "iid", steps=4000, seed=3)
    run, chosen = kernel(find_algorithm("td"), CONSTANT), lanes(CONSTANT, 2.0**-40)
    ends = np.array([run(env, env.trajectory(i), chosen, [4000]).weights[:, 0] for i in range(200)])
    directions = (ends - [2, -1]) / (4000 * 2.0**-40)
    assert p_value(directions, b[:, 0] - A @ [2, -1]) > 1e-6


@pytest.mark.slow
def test_the_mean_direction_of_action_values_is_the_exact_expected_update(p_value):
    of, algorithm = problem("transition", pairs=True), find_algorithm("expected-sarsa")
    G, g = (matrix.to_float() for matrix in expected_update(of, algorithm, {}))
    env = environment(of, "iid", steps=4000, seed=3)
    run, chosen = kernel(algorithm, CONSTANT), lanes(CONSTANT, 2.0**-40)
    ends = np.array([run(env, env.trajectory(i), chosen, [4000]).weights[:, 0] for i in range(200)])
    assert p_value((ends - [2, -1]) / (4000 * 2.0**-40), G @ [2, -1] + g[:, 0]) > 1e-6


@pytest.mark.parametrize(
    ("algorithm", "kind", "how", "message"),
    [
        ("expected-sarsa", "state", {}, "expected-sarsa reads x_bar, and features of state are by state alone"),
        ("td-lambda", "transition", {"sampling": "iid"}, "td-lambda has memory, which needs a chain"),
        (
            "residual-gradient",
            "state",
            {"sampling": "batch"},
            "residual-gradient reads x_next_2, of a second transition from the same state, and state is run on",
        ),
    ],
)
def test_what_a_problem_does_not_offer_is_refused(algorithm, kind, how, message):
    env = environment(problem(kind), steps=5, **how)
    with pytest.raises(TheoryError, match=message):
        kernel(find_algorithm(algorithm), CONSTANT)(env, env.trajectory(0), lanes(CONSTANT, 0.1))
