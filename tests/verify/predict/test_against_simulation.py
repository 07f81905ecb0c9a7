"""Plain simulation, written here, agrees with predicted curves."""

import numpy as np
import pytest

from tdrc_theory.algorithms import TDRC
from tdrc_theory.problem import END
from tdrc_theory.problems import find_problem
from verify.predict import predict


def simulated(problem, algorithm, alpha, checkpoints, runs, seed, mspbe):
    """Return the MSPBE of each run at each checkpoint (runs, checkpoints), all runs side by side, in plain NumPy."""
    rng = np.random.default_rng(seed)
    k, gamma = problem.k, float(problem.gamma)
    x_of = np.array([[float(v) for v in row] for row in problem.features] + [[0.0] * k])
    table = [
        (
            t.s,
            t.s_next,
            float(problem.rho(t.s, t.a)),
            float(t.reward),
            float(problem.behaviour[t.s][t.a] * t.probability),
        )
        for t in problem.transitions
        if problem.behaviour[t.s][t.a]
    ]
    choices = {s: [row for row in table if row[0] == s] for s in range(problem.states)}
    start = np.cumsum([float(p) for p in problem.start])
    state = np.searchsorted(start, rng.random(runs), side="right")
    w = np.tile([float(v) for v in problem.initial_weights], (runs, 1))
    h = np.zeros((runs, k))
    results = []
    for n in range(1, checkpoints[-1] + 1):
        u, again = rng.random(runs), np.searchsorted(start, rng.random(runs), side="right")
        arrive, rho, reward = np.empty(runs, int), np.empty(runs), np.empty(runs)
        for s, rows in choices.items():
            here = np.flatnonzero(state == s)
            pick = np.searchsorted(np.cumsum([row[4] for row in rows]), u[here], side="right")
            for i, row in enumerate(rows):
                chosen = here[pick == i]
                arrive[chosen], rho[chosen], reward[chosen] = row[1], row[2], row[3]
        x, x_next = x_of[state], x_of[arrive]
        delta = reward + gamma * (w * x_next).sum(axis=1) - (w * x).sum(axis=1)
        dw, dh = algorithm.direction(
            x,
            x_next,
            h,
            delta[:, None],
            (h * x).sum(axis=1)[:, None],
            rho[:, None],
            gamma,
            float(algorithm.fixed.get("beta", 1)),
        )
        w, h = w + alpha * dw, h + alpha * dh
        state = np.where(arrive == END, again, arrive)
        if n in checkpoints:
            results.append(mspbe(problem, w))
    return np.array(results).T


@pytest.mark.parametrize("name", ["random-walk-tabular", "random-walk-inverted", "boyan"])
def test_plain_simulation_agrees_within_its_standard_error(name, p_value, mspbe):
    """Of right predictions one in a million is refused."""
    checkpoints, problem = (5, 20, 60, 120, 200), find_problem(name)
    prediction = predict(problem, TDRC, alpha="1/8", steps=200)
    runs = simulated(problem, TDRC, 1 / 8, checkpoints, 4000, seed=1, mspbe=mspbe)
    at = list(checkpoints)
    assert p_value(runs, prediction.mspbe[at]) > 1e-6
    # It can fail: the curve of independent samples is another one.
    other = predict(problem, TDRC, alpha="1/8", steps=200, sampling="iid")
    assert p_value(runs, other.mspbe[at]) < 1e-7
