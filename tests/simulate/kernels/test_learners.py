"""Kernels of learners with names against a NumPy loop written here, one step at a time, from the definitions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from simulate.environment import environment
from simulate.kernels import kernel, lanes
from simulate.step_sizes import find_step_size
from tdrc_theory import Problem
from tdrc_theory.algorithms import ALGORITHMS, find_algorithm

STEPS = 60
ALPHA = [0.02, 0.05, 0.11]
OWN = {"beta": [0.4, 1.0, 0.0], "eta": [2.0, 0.7, 1.0], "lam": [0.0, 0.5, 0.9], "mu": [1.0, 0.3, 0.8]}


def walk(ends=True, pairs=False):
    """Four states, two actions, three features of a state or a pair; one ends an episode, or is left as the others."""
    features = [[1, 0, 2], [0.5, 1, 0], [0, -1, 1], [1, 1, 1]]
    last = {"terminal": [3], "start": ["1/2", "1/2", 0, 0]} if ends else {}
    return Problem(
        name="uneven walk",
        gamma=0.9,
        features=[[row, [row[1], 2, row[0]]] for row in features] if pairs else features,
        transitions=[
            (0, 0, 1, "1/3", 1),
            (0, 0, 2, "2/3", -1),
            (0, 1, 0, 1, 0.5),
            (1, 0, 3, "1/4", 2),
            (1, 0, 0, "3/4", 0),
            (1, 1, 2, 1, 1),
            (2, 0, 3, 1, -2),
            (2, 1, 1, 1, 0),
            *([] if ends else [(3, 0, 0, 1, 3), (3, 1, 2, 1, -1)]),
        ],
        behaviour=[["1/4", "3/4"], ["1/2", "1/2"], ["2/3", "1/3"], [0, 0] if ends else ["1/5", "4/5"]],
        target=[["1/2", "1/2"], ["1/2", "1/2"], ["1/3", "2/3"], [0, 0] if ends else ["2/5", "3/5"]],
        initial_weights=[0.3, -1, 2],
        **last,
    )


# Each: ({weights: direction}, {memory: value}) of one step; o has x, y = x', R, rho, before, g, and all that is kept.
def td_lambda(o):
    e = o.rho * (o.g * o.lam * o.e + o.x)
    return {"w": (o.R + o.g * o.w @ o.y - o.w @ o.x) * e}, {"e": e}


def gtd2_lambda(o):
    e = o.rho * (o.g * o.lam * o.e + o.x)
    delta = o.R + o.g * o.w @ o.y - o.w @ o.x
    return {"w": (o.h @ e) * (o.x - o.g * o.y), "h": o.eta * (delta * e - (o.h @ o.x) * o.x)}, {"e": e}


def tdrc_lambda(o):
    e = o.rho * (o.g * o.lam * o.e + o.x)
    delta = o.R + o.g * o.w @ o.y - o.w @ o.x
    dw = delta * e - o.g * (1 - o.lam) * (o.h @ e) * o.y
    return {"w": dw, "h": o.eta * (delta * e - (o.h @ o.x) * o.x - o.beta * o.h)}, {"e": e}


def tdc_lambda(o):
    o.beta = 0.0
    return tdrc_lambda(o)


def htd_lambda(o):
    e, e_b = o.rho * (o.g * o.lam * o.e + o.x), o.g * o.lam * o.e_b + o.x
    delta, moved = o.R + o.g * o.w @ o.y - o.w @ o.x, o.x - o.g * o.y
    dw = delta * e + (o.h @ (e - e_b)) * moved
    return {"w": dw, "h": o.eta * (delta * e - (o.h @ e_b) * moved)}, {"e": e, "e_b": e_b}


def emphatic_td(o):
    F = o.before * o.g * o.F + 1
    e = o.rho * (o.g * o.lam * o.e + (o.lam + (1 - o.lam) * F) * o.x)
    return {"w": (o.R + o.g * o.w @ o.y - o.w @ o.x) * e}, {"e": e, "F": F}


def td_ridge(o):
    return {"w": o.rho * (o.R + o.g * o.w @ o.y - o.w @ o.x) * o.x - o.beta * o.w}, {}


def td_target(o):
    dw = o.rho * (o.R + o.g * o.target @ o.y - o.w @ o.x) * o.x
    return {"w": dw, "target": o.eta * (o.w - o.target)}, {}


def tdc_momentum(o):
    delta = o.R + o.g * o.w @ o.y - o.w @ o.x
    along = o.rho * (delta * o.x - o.g * (o.h @ o.x) * o.y)
    return {"w": o.v, "h": o.eta * (o.rho * delta - o.h @ o.x) * o.x, "v": o.mu * (along - o.v)}, {}


def r_gtd(o):
    delta = o.R + o.g * o.w @ o.y - o.w @ o.x
    dw = o.rho * (o.h @ o.x) * (o.x - o.g * o.y) - o.beta * o.w
    return {"w": dw, "h": o.eta * (o.rho * delta - o.h @ o.x) * o.x}, {}


def residual_gradient(o):
    return {"w": o.rho * (o.R + o.g * o.w @ o.y - o.w @ o.x) * (o.x - o.g * o.rho_2 * o.y_2)}, {}


def naive_residual_gradient(o):
    return {"w": o.rho * (o.R + o.g * o.w @ o.y - o.w @ o.x) * (o.x - o.g * o.y)}, {}


def expected_sarsa(o):
    return {"w": (o.R + o.g * o.w @ o.bar - o.w @ o.x) * o.x}, {}


def of_a_trace(o, fading):
    e = o.g * o.lam * fading * o.e + o.x
    return {"w": (o.R + o.g * o.w @ o.bar - o.w @ o.x) * e}, {"e": e}


def tree_backup(o):
    return of_a_trace(o, o.pi)


def retrace(o):
    return of_a_trace(o, o.rho if o.rho < 1 else 1.0)


def differential_td(o):
    delta = o.R - o.rbar + o.w @ o.y - o.w @ o.x
    return {"w": o.rho * delta * o.x, "rbar": o.eta * o.rho * delta}, {}


UPDATES = {
    "td-lambda": td_lambda,
    "gtd2-lambda": gtd2_lambda,
    "tdc-lambda": tdc_lambda,
    "tdrc-lambda": tdrc_lambda,
    "htd-lambda": htd_lambda,
    "emphatic-td": emphatic_td,
    "td-ridge": td_ridge,
    "td-target": td_target,
    "tdc-momentum": tdc_momentum,
    "differential-td": differential_td,
    "r-gtd": r_gtd,
    "residual-gradient": residual_gradient,
    "naive-residual-gradient": naive_residual_gradient,
    "expected-sarsa": expected_sarsa,
    "tree-backup": tree_backup,
    "retrace": retrace,
}
OF_PAIRS = ("expected-sarsa", "tree-backup", "retrace")
SCALARS = ("F", "rbar")
QUICK = [
    ("emphatic-td", "constant", 1),
    ("tdrc-lambda", "adagrad", 3),
    ("differential-td", "constant", 3),
    ("residual-gradient", "constant", 2),
    ("retrace", "constant", 1),
]
ALL = [(name, "constant", 1) for name in UPDATES] + [("htd-lambda", "adagrad", 2), ("tdc-momentum", "constant", 2)]


def stepper(rule):
    """Return a function from (alpha, direction) to a step: that of a constant step size, or of Adagrad."""
    total = 0.0

    def step(alpha, g):
        nonlocal total
        total = total + g**2
        return alpha * g if rule == "constant" else alpha * g / (np.sqrt(total) + 1e-8)

    return step


def averaged(problem, env, after):
    """Return the mean of the features under the target policy where a step has led to."""
    if after == len(env.features) - 1 or not problem.action_values:
        return np.zeros(problem.k)
    return np.array([float(pi) for pi in problem.target[after // 2]]) @ env.features[2 * (after // 2) :][:2]


def chance(problem, place):
    """Return pi(a|s) of a pair."""
    return float(problem.target[place // 2][place % 2]) if problem.action_values else None


def followed(problem, env, trajectory, name, rule, alpha, own):
    """Return w after every update, (steps + 1, k)."""
    algorithm, ended, k = find_algorithm(name), len(env.features) - 1, env.features.shape[1]
    zero = {n: 0.0 if n in SCALARS else np.zeros(k) for n in (*algorithm.weights, *algorithm.memory)}
    kept = {**zero, "w": env.initial_weights.copy()}
    rules = {n: stepper(rule) for n in algorithm.weights}
    before, path = 1.0, [kept["w"]]
    again = env.again(trajectory)
    assert (again.s == trajectory.s).all()
    samples = list(zip(*trajectory[:4], again.s_next, again.rho, strict=True))
    for n in range(env.steps):
        sums = dict.fromkeys(algorithm.weights, 0.0)
        for s, s_next, rho, reward, s_next_2, rho_2 in samples[n * env.batch : (n + 1) * env.batch]:
            arguments = {"x": env.features[s], "y": env.features[s_next], "R": reward, "rho": rho, "before": before}
            arguments |= {"y_2": env.features[s_next_2], "rho_2": rho_2}
            arguments |= {"bar": averaged(problem, env, s_next), "pi": chance(problem, s)}
            directions, memory = UPDATES[name](SimpleNamespace(**arguments, g=env.numbers["gamma_next"], **kept, **own))
            sums = {w: sums[w] + directions[w] for w in sums}
            kept.update({m: zero[m] for m in memory} if s_next == ended else memory)
            before = 1.0 if s_next == ended else rho
        kept.update({w: kept[w] + rules[w](alpha, sums[w] / env.batch) for w in sums})
        path.append(kept["w"])
    return np.array(path)


def agrees(name, rule, batch, ends):
    problem = walk(ends, name in OF_PAIRS)
    env = environment(problem, steps=STEPS, seed=5, batch=batch)
    trajectory, own = env.trajectory(2), {n: v for n, v in OWN.items() if n in find_algorithm(name).own_parameters}
    result = kernel(find_algorithm(name), find_step_size(rule))(
        env, trajectory, lanes(find_step_size(rule), ALPHA, **own)
    )
    assert result.diverged.tolist() == [-1, -1, -1]
    assert not ends or (trajectory.s_next == problem.places).sum() > 5
    for lane, alpha in enumerate(ALPHA):
        path = followed(problem, env, trajectory, name, rule, alpha, {n: v[lane] for n, v in own.items()})
        np.testing.assert_allclose(result.weights[:, lane], path[-1], rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(result.errors[:, lane], env.error(path.T), rtol=1e-9, atol=1e-11)


def test_every_built_in_learner_with_names_is_among_these():
    assert {a.name for a in ALGORITHMS if a.weights} == set(UPDATES)


@pytest.mark.quick(4)
@pytest.mark.parametrize("ends", [True, False], ids=["episodes", "continuing"])
@pytest.mark.parametrize(
    ("name", "rule", "batch"),
    [*QUICK, *(pytest.param(*case, marks=pytest.mark.slow) for case in ALL if case not in QUICK)],
)
def test_every_kernel_does_what_the_equations_of_the_learner_say(name, rule, batch, ends):
    agrees(name, rule, batch, ends)
