"""Cells against a slow loop written here, vector by vector, and the error against that of the printed weights."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from simulate.compute import compute
from simulate.store import Store
from simulate.sweep.experiment import replayed
from simulate.tables.cell import AS_RUN, piece_of
from tdrc_theory.papers.published import PROBLEMS, Place
from tdrc_theory.problems import find_problem

NEARLY = {"rtol": 1e-9, "atol": 1e-12}
WEIGHTS = {place.problem.name: place.error_weights for place in AS_RUN.experiment.places}


def as_run(name, steps):
    return replayed(find_problem(name), steps, WEIGHTS[name])


# The RMSPBE of the published cells: matrices over the target policy, and the printed weights.
WALK = {
    "random-walk-tabular": np.eye(5),
    "random-walk-inverted": (np.ones((5, 5)) - np.eye(5)) / 2,
    "random-walk-dependent": np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1]])
    / np.sqrt([[1], [2], [3], [2], [1]]),
}


def by_hand(name):
    """Return X, P, r, the weights d, gamma and the first weights."""
    if name in WALK:
        P = np.diag([0.6] * 4, 1) + np.diag([0.4] * 4, -1)
        d = np.array([0.111111, 0.222222, 0.333333, 0.222222, 0.111111])
        return WALK[name], P, np.array([-0.4, 0, 0, 0, 0.6]), d, 1.0, np.zeros(len(WALK[name][0]))
    if name == "boyan":
        P = np.diag([0.5] * 12, 1) + np.diag([0.5] * 11, 2)
        P[11, 12] = 1
        X = np.array([[max(0.0, 1 - abs(s / 4 - i)) for i in range(4)] for s in range(13)])
        return X, P, np.array([-3.0] * 12 + [-2.0]), np.array(WEIGHTS["boyan"], float), 1.0, np.zeros(4)
    X = np.hstack([2 * np.eye(7), np.ones((7, 1))])
    X[6] = [0, 0, 0, 0, 0, 0, 1, 2]
    P = np.zeros((7, 7))
    P[:, 6] = 1
    return X, P, np.zeros(7), np.full(7, 1 / 7), 0.99, np.array([1, 1, 1, 1, 1, 1, 10, 1.0])


def rmspbe(name):
    X, P, r, d, gamma, _ = by_hand(name)
    A, b, C = X.T @ np.diag(d) @ (X - gamma * P @ X), X.T @ (d * r), X.T @ np.diag(d) @ X
    first = slice(min(X.shape))  # of each X these columns are independent, and as many as its rank
    inverse = np.linalg.inv(C[first, first])
    return lambda w: math.sqrt((b - A @ w)[first] @ inverse @ (b - A @ w)[first])


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_error_is_that_of_the_printed_weights(name):
    error = as_run(name, 10).error
    rng = np.random.default_rng(2)
    for _ in range(5):
        w = rng.normal(size=by_hand(name)[0].shape[1])
        assert float(error(w)) == pytest.approx(rmspbe(name)(w), rel=1e-9)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_exact_weights_are_those_of_the_chain(name):
    own, printed = (replayed(find_problem(name), 10, weights) for weights in (None, WEIGHTS[name]))
    w = np.arange(1.0, 1 + len(own.initial_weights))
    close = pytest.approx(float(printed.error(w)), rel=1e-6)
    assert (float(own.error(w)) == close) == (name != "boyan")
    assert (own.key == printed.key) == (name == "baird")


def slow_run(name, algorithm, rule, configuration, steps, run):
    """One run, vector by vector; returns the RMSPBE after updates 1, 11, 21, ..."""
    X, _, _, _, gamma, w = by_hand(name)
    X = np.vstack([X, np.zeros(X.shape[1])])
    w, h, errors, error = w.copy(), np.zeros(X.shape[1]), [], rmspbe(name)
    alpha, eta, beta, b1, b2 = (float(configuration.value(name) or 0) for name in ("alpha", "eta", "beta", "b1", "b2"))
    state = [[np.zeros_like(w), np.zeros_like(w), np.full_like(w, 1e-8)] for _ in range(2)]

    def step(which, size, g):
        m, s, v = state[which]
        if rule == "constant":
            return size * g
        if rule == "adagrad":
            s += g**2
            return size * g / (np.sqrt(s) + 1e-8)
        m[:], s[:] = b1 * m + (1 - b1) * g, b2 * s + (1 - b2) * g**2
        v[:] = np.maximum(v, s)
        return size * m / np.sqrt(v) + (size * g if rule == "double-update" else 0)

    for t, (s, s_next, rho, reward) in enumerate(zip(*as_run(name, steps).trajectory(run)[:4], strict=True)):
        x, y = X[s], X[s_next]
        delta, delta_hat = reward + gamma * w @ y - w @ x, h @ x
        dh = (rho * delta - delta_hat) * x - beta * h
        dw = rho * (delta * x - gamma * delta_hat * y)
        if algorithm == "gtd2":
            dw = rho * delta_hat * (x - gamma * y)
        if algorithm == "td":
            dw, dh = rho * delta * x, 0 * h
        w, h = w + step(0, alpha, dw), h + step(1, eta * alpha, dh)
        if t % 10 == 0:
            errors.append(error(w))
    return errors


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("step_size", "row", "name"),
    [
        ("constant", "tdrc", "random-walk-dependent"),
        ("constant", "gtd2", "boyan"),
        ("adagrad", "tdc", "baird"),
        ("adam", "tdrc", "baird"),
    ],
)
def test_configurations_give_what_a_slow_loop_gives(step_size, row, name):
    steps, runs = 151, 3
    case = AS_RUN.cases(runs)[Place(step_size, row, name)]
    piece = replace(piece_of(case), environment=as_run(name, steps))
    with Store(None) as store:
        (outcome,) = compute([piece], store)
        for lane in range(2, len(case.configurations), max(1, len(case.configurations) // 4)):
            configuration = case.configurations[lane]
            curves = [slow_run(name, row, case.step_size, configuration, steps, run) for run in range(runs)]
            if np.max(curves) > 1e6:  # it diverges, and rounding with it
                continue
            np.testing.assert_allclose(outcome.area[:, lane], np.mean(curves, axis=1), **NEARLY)
            (points,) = compute([replace(piece.of_lanes([lane]), thin=1)], store)
            np.testing.assert_allclose(points.mean[:, 0], np.mean(curves, axis=0), **NEARLY)
            error = np.std(curves, axis=0, ddof=1) / math.sqrt(runs)
            np.testing.assert_allclose(points.standard_error()[:, 0], error, rtol=1e-6, atol=1e-12)
