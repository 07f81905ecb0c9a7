"""Expected updates of learners with memory, against their equations on every trajectory of a small chain."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import ALGORITHMS, OF_THE_PAPER, Problem, expected_update, find_problem
from tdrc_theory.errors import BadOption
from tdrc_theory.key_matrices import key_matrices
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problems.garnet import garnet

GIVEN = {"beta": Fraction(2, 3), "eta": Fraction(7, 4), "lam": Fraction(1, 2), "mu": Fraction(5, 4)}
OWN = [a for a in ALGORITHMS if a not in OF_THE_PAPER and not a.for_action_values]


def small_chain():
    """Two states, two actions that lead to the one or the other, off-policy; discounted so much that 16 steps tell."""
    return Problem(
        name="two states, two actions",
        gamma="1/4",
        features=[[1, 2], [-1, 1]],
        transitions=[(0, 0, 0, 1, 1), (0, 1, 1, 1, -2), (1, 0, 0, 1, 3), (1, 1, 1, 1, 0)],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["1/2", "1/2"], ["3/4", "1/4"]],
    )


def doubling():
    """theta -> 2 theta, without an end: one action stays in each half of the time, the target is always right."""
    steps = [(s, a, a, 1, 0) for s in (0, 1) for a in (0, 1)]
    half, right = [["1/2", "1/2"]] * 2, [[0, 1]] * 2
    return Problem(name="doubling", gamma="9/10", features=[[1], [2]], transitions=steps, behaviour=half, target=right)


def written_out(name, m, x, y, R, rho, before, gamma, w):
    """One step of every trajectory by the equations of the learner's source: (memory, {weights: direction})."""
    beta, eta, lam, mu = (float(GIVEN[n]) for n in ("beta", "eta", "lam", "mu"))
    beta = 0.0 if name == "tdc-lambda" else beta
    c, r, d = rho[:, None], R, gamma * y - x

    def inner(a, b):
        return (a * b).sum(axis=-1)[:, None]

    e = c * (gamma * lam * m["e"] + x)
    delta = r[:, None] + inner(d, w["w"])
    hx = inner(x, w["h"])
    dh = delta * e - hx * x
    if name == "gtd":
        return {}, {"w": c * hx * -d, "h": eta * (c * delta * x - w["h"])}
    if name == "td-lambda":
        return {"e": e}, {"w": delta * e}
    if name == "gtd2-lambda":
        return {"e": e}, {"w": inner(e, w["h"]) * -d, "h": eta * dh}
    if name in ("tdc-lambda", "tdrc-lambda"):
        dw = delta * e - gamma * (1 - lam) * inner(e, w["h"]) * y
        return {"e": e}, {"w": dw, "h": eta * (dh - beta * w["h"])}
    if name == "htd-lambda":
        b = gamma * lam * m["b"] + x
        dw = delta * e - inner(e - b, w["h"]) * d
        return {"e": e, "b": b}, {"w": dw, "h": eta * (delta * e + inner(b, w["h"]) * d)}
    if name == "emphatic-td":
        F = before * gamma * m["F"] + 1
        e = c * (gamma * lam * m["e"] + (lam + (1 - lam) * F)[:, None] * x)
        return {"e": e, "F": F}, {"w": delta * e}
    if name == "td-ridge":
        return {}, {"w": c * delta * x - beta * w["w"]}
    if name == "td-target":
        aim = r[:, None] + gamma * inner(y, w["target"]) - inner(x, w["w"])
        return {}, {"w": c * aim * x, "target": eta * (w["w"] - w["target"]) + 0 * x}
    if name == "tdc-momentum":
        direction = c * (delta * x - gamma * hx * y)
        return {}, {"w": w["v"] + 0 * x, "h": eta * (c * delta - hx) * x, "v": mu * (direction - w["v"])}
    assert name == "differential-td"
    delta = r[:, None] - w["rbar"] + inner(y - x, w["w"])
    return {}, {"w": c * delta * x, "rbar": eta * c * delta}


def by_enumeration(problem, name, weights, steps=16):
    """The mean of the last step's directions over every trajectory of so many steps, from the stationary start."""
    features = np.array(problem.features, float)
    s, p = np.arange(2), np.array(problem.d, float)
    before = np.ones(2)
    memory = {"e": np.zeros((2, 2)), "b": np.zeros((2, 2)), "F": np.zeros(2)}
    for _ in range(steps):
        rows = [(i, t) for t in problem.transitions for i in np.flatnonzero(s == t.s)]
        index = np.array([i for i, _ in rows])
        taken = np.array([(t.s_next, t.a, float(t.reward)) for _, t in rows])
        b, pi = (
            np.array(table, float)[s[index], taken[:, 1].astype(int)] for table in (problem.behaviour, problem.target)
        )
        x, y = features[s[index]], features[taken[:, 0].astype(int)]
        kept = {key: value[index] for key, value in memory.items()}
        new, directions = written_out(
            name, kept, x, y, taken[:, 2], pi / b, before[index], float(problem.gamma), weights
        )
        s, p, before = taken[:, 0].astype(int), p[index] * b, pi / b
        memory = kept | new
    return {key: (p[:, None] * value).sum(axis=0) for key, value in directions.items()}


@pytest.mark.parametrize("algorithm", OWN, ids=lambda a: a.name)
def test_the_expected_update_is_the_mean_over_every_trajectory(algorithm):
    problem = small_chain()
    values = {"w": [0.5, -1], "h": [2, 0.25], "v": [1, -3], "target": [-1, 1.5], "rbar": [0.75]}
    weights = {name: np.array(v, float) for name, v in values.items()}
    used = {name: v for name, v in GIVEN.items() if name in (*algorithm.own_parameters, "beta", "eta")}
    G, g = expected_update(problem, algorithm, algorithm.parameters(used))
    stacked = np.concatenate([weights[name] for name in algorithm.stacked])
    expected = G.to_float() @ stacked + g.to_float()[:, 0]
    by_name = by_enumeration(problem, algorithm.name, weights)
    found = np.concatenate([by_name[name] for name in algorithm.stacked])
    np.testing.assert_allclose(expected, found, rtol=0, atol=2e-7)


@pytest.mark.parametrize(
    ("name", "lam", "expected"),
    [("td-lambda", 0, "1/5"), ("emphatic-td", 0, "-17/5"), ("td-lambda", "1/2", "-1/22")],
)
def test_the_expected_updates_on_doubling_are_those_derived_by_hand(name, lam, expected):
    algorithm = next(a for a in ALGORITHMS if a.name == name)
    G, _ = expected_update(doubling(), algorithm, {"lam": Fraction(lam)})
    assert G.rows == ((Fraction(expected),),)


def test_two_mistakes_with_ratios_are_told_from_the_rule():
    @learner(weights="w", memory="e")
    def twice(x, x_next, w, e, rho, gamma, reward, lam=0):
        e = rho * gamma * lam * e + x
        return Step(w=rho * (reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e)

    @learner(weights="w", memory="e F", scalars="F")
    def current(x, x_next, w, e, F, rho, gamma, reward, interest):
        F = rho * gamma * F + interest
        e = rho * F * x
        return Step(w=(reward + gamma * dot(w, x_next) - dot(w, x)) * e, e=e, F=F)

    half = {"lam": Fraction(1, 2)}
    right = next(a for a in ALGORITHMS if a.name == "emphatic-td")
    assert float(expected_update(doubling(), twice, half).G[0, 0]) == pytest.approx(0.384, abs=5e-4)
    assert expected_update(doubling(), current, {}).G != expected_update(doubling(), right, {"lam": Fraction(0)}).G


def find(name):
    return next(a for a in ALGORITHMS if a.name == name)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lam", ["0", "1/3", "1"])
def test_tdrc_lambda_has_the_block_matrix_of_the_paper_with_the_matrix_of_td_lambda(seed, lam):
    problem = garnet(4, 2, 2, 2, seed)
    used = {"beta": Fraction(2, 3), "eta": Fraction(7, 4), "lam": Fraction(lam)}
    G = expected_update(problem, find("tdrc-lambda"), used).G
    A = -expected_update(problem, find("td-lambda"), {"lam": used["lam"]}).G
    C, k = key_matrices(problem).C, problem.k
    left, right = range(k), range(k, 2 * k)
    assert G.select(left, right) == A * -used["eta"]
    assert G.select(right, left) == A.T - C
    assert G.select(right, right) == -A


@pytest.mark.parametrize("name", ["tdc", "gtd2", "td", "tdrc", "htd"])
def test_without_a_trace_the_lambda_learners_are_those_of_the_paper(name):
    problem, used = garnet(4, 2, 2, 2, 5), {"beta": Fraction(1, 3), "eta": Fraction(2)}
    plain, traced = (next(a for a in ALGORITHMS if a.name == n) for n in (name, f"{name}-lambda"))
    assert expected_update(problem, plain, plain.parameters(used)) == expected_update(
        problem, traced, traced.parameters(used)
    )


def test_episodes_begin_with_empty_memory():
    corridor = Problem(
        name="corridor",
        gamma=1,
        features=[[1, 0], [0, 1], [0, 0]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 2, 1, 1)],
        behaviour=[[1], [1], [1]],
        target=[[1], [1], [1]],
        terminal=[2],
        start=[1, 0, 0],
    )
    G, g = expected_update(corridor, find("td-lambda"), {"lam": Fraction(1)})
    # e = (1, 0) in the first state, (1, 1) in the second, half of the steps each; both values are 1.
    assert G.rows == ((Fraction(-1, 2), Fraction(0)), (Fraction(0), Fraction(-1, 2)))
    assert g.rows == ((Fraction(1, 2),), (Fraction(1, 2),))


def test_memory_without_an_expectation_or_without_a_chain_is_refused():
    loop = Problem(name="loop", gamma=1, features=[[1]], transitions=[(0, 0, 0, 1, 1)], behaviour=[[1]], target=[[1]])
    with pytest.raises(BadOption, match="the expected memory e grows without bound"):
        expected_update(loop, find("td-lambda"), {"lam": Fraction(1)})
    with pytest.raises(BadOption, match="a learner with memory needs a chain"):
        expected_update(find_problem("two-state"), find("td-lambda"), {"lam": Fraction(0)})
