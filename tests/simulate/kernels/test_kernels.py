"""Kernels against a recursion written here, one step at a time, from the printed update equations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from simulate.environment import environment
from simulate.kernels import kernel, lanes
from simulate.step_sizes import AMSGRAD, CONSTANT, STEP_SIZES, find_step_size
from tdrc_theory import Algorithm, Problem, expected_update, find_problem
from tdrc_theory.algorithms import OF_THE_PAPER, find_algorithm
from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix

STEPS = 23
ALPHA = [0.03, 0.11, 0.5]
ETA = [2.0, 0.7, 1.0]
BETA = [0.4, 1.0, 0.05]
PARAMETERS = {"decaying": {"tau": [7.0, 11.0, 3.0], "power": [0.6, 1.0, 0.9]}, "adam": {"b1": [0.9, 0.5, 0.8]}}
PARAMETERS["amsgrad"] = {**PARAMETERS["adam"], "b2": [0.99, 0.9, 0.7]}


def walk():
    """Four states, two actions, three features: no two sizes alike; one state ends an episode."""
    return Problem(
        name="uneven walk",
        gamma=0.9,
        features=[[1, 0, 2], [0.5, 1, 0], [0, -1, 1], [9, 9, 9]],
        transitions=[
            (0, 0, 1, "1/3", 1),
            (0, 0, 2, "2/3", -1),
            (0, 1, 0, 1, 0.5),
            (1, 0, 3, "1/4", 2),
            (1, 0, 0, "3/4", 0),
            (1, 1, 2, 1, 1),
            (2, 0, 3, 1, -2),
            (2, 1, 1, 1, 0),
        ],
        behaviour=[["1/4", "3/4"], ["1/2", "1/2"], ["2/3", "1/3"], [0, 0]],
        target=[["1/2", "1/2"], ["1/2", "1/2"], ["1/3", "2/3"], [0, 0]],
        terminal=[3],
        start=["1/2", "1/2", 0, 0],
        initial_weights=[0.3, -1, 2],
    )


# The seven updates for whole vectors, from the paper and from findings on what it lacks.
def td(x, y, h, w, d, e, rho, gamma, beta):
    return rho * d * x, 0 * x


def tdc(x, y, h, w, d, e, rho, gamma, beta):
    return rho * d * x - rho * gamma * e * y, rho * d * x - e * x


def gtd2(x, y, h, w, d, e, rho, gamma, beta):
    return rho * e * x - rho * gamma * e * y, rho * d * x - e * x


def htd(x, y, h, w, d, e, rho, gamma, beta):
    return rho * d * x + (rho - 1) * e * (x - gamma * y), rho * d * x - e * (x - gamma * y)


def vtrace(x, y, h, w, d, e, rho, gamma, beta):
    return (rho if rho < 1 else 1.0) * d * x, 0 * x


def tdrc(x, y, h, w, d, e, rho, gamma, beta):
    dw, dh = tdc(x, y, h, w, d, e, rho, gamma, beta)
    return dw, dh - beta * h


def tdcpp(x, y, h, w, d, e, rho, gamma, beta):
    dw, dh = tdc(x, y, h, w, d, e, rho, gamma, beta)
    return dw - beta * h, dh - beta * h


UPDATES = {"td": td, "tdc": tdc, "gtd2": gtd2, "htd": htd, "vtrace": vtrace, "tdrc": tdrc, "tdc++": tdcpp}


class Stepper:
    """A step-size rule for a whole vector, from its definition: powers of t, no running products."""

    def __init__(self, rule, size, p):
        self.rule, self.p, self.t = rule, p, 0
        self.first, self.second, self.largest = np.zeros(size), np.zeros(size), np.full(size, 1e-8)

    def __call__(self, alpha, g):
        self.t += 1
        p = self.p
        if self.rule == "constant":
            return alpha * g
        if self.rule == "decaying":
            return alpha * (1 + self.t / p["tau"]) ** -p["power"] * g
        if self.rule == "adagrad":
            self.second += g**2
            return alpha * g / (np.sqrt(self.second) + 1e-8)
        self.first = p["b1"] * self.first + (1 - p["b1"]) * g
        self.second = p["b2"] * self.second + (1 - p["b2"]) * g**2
        if self.rule in ("amsgrad", "double-update"):
            self.largest = np.maximum(self.largest, self.second)
            plain = alpha * g if self.rule == "double-update" else 0
            return plain + alpha * self.first / np.sqrt(self.largest)
        m, v = self.first / (1 - p["b1"] ** self.t), self.second / (1 - p["b2"] ** self.t)
        return alpha * m / (np.sqrt(v) + 1e-8)


def recursion(env, trajectory, name, rule, alpha, eta, beta, p):
    """Return w after every update, (steps + 1, k)."""
    w, h = env.initial_weights.copy(), np.zeros(env.features.shape[1])
    step_w, step_h = Stepper(rule, len(w), p), Stepper(rule, len(w), p)
    kept = [w.copy()]
    samples = list(zip(*trajectory[:4], strict=True))
    for n in range(env.steps):
        dws, dhs = [], []
        for s, s_next, rho, reward in samples[n * env.batch : (n + 1) * env.batch]:
            x, y = env.features[s], env.features[s_next]
            delta = reward + env.numbers["gamma_next"] * w @ y - w @ x
            dw, dh = UPDATES[name](x, y, h, w, delta, h @ x, rho, env.numbers["gamma_next"], beta)
            dws.append(dw)
            dhs.append(dh)
        w = w + step_w(alpha, np.mean(dws, axis=0))
        h = h + step_h(eta * alpha, np.mean(dhs, axis=0))
        kept.append(w.copy())
    return np.array(kept)


def span(problem):
    """Return a basis (r, k) of the span of the features that are read, in reduced echelon form, and its pivots."""
    echelon, pivots = Matrix(problem.features[s] for s in range(problem.states) if not problem.ends(s)).rref()
    return echelon.to_float()[: len(pivots)], list(pivots)


def rmspbe(problem, weights):
    """Return the error of each row of weights, summed over the problem's transitions one by one.

    r^T C^+ r is that of the entries at the pivots: r and the columns of C are in the span of the features.
    """
    k = len(weights[0])
    C, residuals = np.zeros((k, k)), np.zeros((len(weights), k))
    x = np.array([[float(v) for v in row] for row in [*problem.features, [0] * k]])
    for s in range(problem.states):
        C += float(problem.d[s]) * np.outer(x[s], x[s])
    for s, a, t, p, r, _ in problem.transitions:
        mass = float(problem.d[s] * problem.target[s][a] * p)  # b rho = pi
        y = x[-1] if problem.ends(t) else x[t]
        residuals += mass * np.outer(float(r) + float(problem.gamma) * weights @ y - weights @ x[s], x[s])
    _, pivots = span(problem)
    inverse = np.linalg.inv(C[np.ix_(pivots, pivots)])
    return np.sqrt(np.einsum("ni,ij,nj->n", residuals[:, pivots], inverse, residuals[:, pivots]))


def agrees(name, rule_name, sampling, batch):
    """Compare a kernel with the recursion, step by step, in every lane."""
    problem, rule = walk(), find_step_size(rule_name)
    data = 17 if sampling == "batch" else None
    env = environment(problem, sampling, steps=STEPS, seed=5, batch=batch, data=data)
    trajectory = env.trajectory(2)
    assert len(trajectory.s) == STEPS * batch
    chosen = lanes(rule, ALPHA, eta=ETA, beta=BETA, **PARAMETERS.get(rule_name, {}))
    result = kernel(find_algorithm(name), rule)(env, trajectory, chosen)
    assert result.errors.shape == (STEPS + 1, 3)
    assert result.weights.shape == (3, 3)
    assert result.diverged.tolist() == [-1, -1, -1]
    for lane in range(3):
        p = {key: chosen.rule[key][lane] for key in rule.parameters}
        beta = 0.0 if name == "tdc" else BETA[lane]
        expected = recursion(env, trajectory, name, rule_name, ALPHA[lane], ETA[lane], beta, p)
        np.testing.assert_allclose(result.weights[:, lane], expected[-1], rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(result.errors[:, lane], rmspbe(problem, expected), rtol=1e-10, atol=1e-12)


QUICK = {
    *product([a.name for a in OF_THE_PAPER], ["constant"], [("markov", 1)]),
    ("tdrc", "constant", ("batch", 1)),
    ("tdrc", "constant", ("batch", 5)),
    ("tdrc", "decaying", ("iid", 1)),
    ("tdrc", "adagrad", ("iid", 1)),
    ("tdrc", "adam", ("iid", 1)),
    ("td", "amsgrad", ("iid", 1)),
}
HOWS = [("markov", 1), ("iid", 1), ("batch", 5), ("markov", 2), ("batch", 1)]
ALL = set(product(UPDATES, [r.name for r in STEP_SIZES], HOWS))


@pytest.mark.quick(4)
@pytest.mark.parametrize(
    ("name", "rule", "how"),
    [*sorted(QUICK), *(pytest.param(*case, marks=pytest.mark.slow) for case in sorted(ALL - QUICK))],
)
def test_every_kernel_does_what_the_printed_equations_say(name, rule, how):
    agrees(name, rule, *how)


def test_a_parameter_that_neither_rule_nor_learner_has_is_refused():
    env = environment(walk(), steps=5)
    with pytest.raises(BadOption, match="tdrc has no parameter tau; it has beta, eta"):
        kernel(find_algorithm("tdrc"), AMSGRAD)(env, env.trajectory(0), lanes(AMSGRAD, 0.5, tau=1))


def test_a_lane_is_the_same_bits_whatever_runs_beside_it():
    env = environment(walk(), steps=50, seed=1)
    trajectory = env.trajectory(0)
    alpha = np.linspace(0.01, 0.4, 70)
    eta, b1 = alpha[::-1] + 0.5, alpha + 0.3
    run = kernel(find_algorithm("td"), AMSGRAD)
    together = run(env, trajectory, lanes(AMSGRAD, alpha, eta=eta, b1=b1))
    assert together.errors.shape == (51, 70)
    for lane in (0, 31, 32, 63, 64, 69):
        alone = run(env, trajectory, lanes(AMSGRAD, alpha[lane], eta=eta[lane], b1=b1[lane]))
        assert (alone.errors[:, 0] == together.errors[:, lane]).all()
        assert (alone.weights[:, 0] == together.weights[:, lane]).all()
    for few in (8, 17, 40, 65):
        some = run(env, trajectory, lanes(AMSGRAD, alpha[:few], eta=eta[:few], b1=b1[:few]))
        assert (some.errors == together.errors[:, :few]).all()
    backwards = run(env, trajectory, lanes(AMSGRAD, alpha[::-1], eta=eta[::-1], b1=b1[::-1]))
    assert (backwards.errors[:, ::-1] == together.errors).all()


@pytest.mark.parametrize("points", [[], [0], [50], [0, 50], [2, 3, 49], range(51), range(1, 51), range(3, 51, 7)])
def test_errors_are_read_after_the_updates_that_are_asked_for(points):
    env = environment(walk(), steps=50, seed=1)
    run, chosen = kernel(find_algorithm("tdrc"), CONSTANT), lanes(CONSTANT, [0.1, 0.2])
    all_read = run(env, env.trajectory(0), chosen).errors
    result = run(env, env.trajectory(0), chosen, points).errors
    assert result.shape == (len(points), 2)
    assert (result == all_read[list(points)]).all()


def test_divergence_is_noted_at_the_update_at_which_a_weight_left_the_range_of_floats():
    env = environment(find_problem("baird"), steps=900, seed=0)
    trajectory, alphas = env.trajectory(0), [1e-3, 30.0, 1e3, 1e200]
    result = kernel(find_algorithm("td"), CONSTANT)(env, trajectory, lanes(CONSTANT, alphas))
    assert result.errors.shape == (901, 4)
    assert not np.isnan(result.errors).any()
    for lane, alpha in enumerate(alphas):
        with np.errstate(all="ignore"):
            weights = recursion(env, trajectory, "td", "constant", alpha, 1.0, 0.0, {})
        lost = [n for n in range(901) if not np.isfinite(weights[n]).all()]
        assert result.diverged[lane] == (lost[0] if lost else -1)
        end = lost[0] if lost else 901
        assert np.isinf(result.errors[end:, lane]).all()
        # Where squares overflow but weights do not, the error is still known.
        assert np.isfinite(result.errors[: end - 1, lane]).all()
    assert result.diverged.tolist()[0] == -1
    assert len(set(result.diverged.tolist())) == 3
    assert (result.errors[:, 1:][np.isfinite(result.errors[:, 1:])] > 1e160).any()


def test_a_direction_that_divides_by_zero_diverges_at_once_and_warns_of_nothing():
    def reckless(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return x / (h - h), 0

    env = environment(walk(), steps=5)
    result = kernel(Algorithm("reckless", reckless), CONSTANT)(env, env.trajectory(0), lanes(CONSTANT, 0.1))
    assert result.diverged.tolist() == [1]
    assert np.isfinite(result.errors[0, 0])
    assert np.isinf(result.errors[1:, 0]).all()


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["tdrc", "td", "tdc", "gtd2", "htd", "vtrace", "tdc++"])
def test_the_mean_of_many_runs_follows_the_exact_expected_update(name, p_value):
    """Of independent samples; the mean of the final weights is compared in all directions at once.

    The weights move in the span of the features, which is a plane. Of right kernels one in a million is refused.
    """
    problem, steps, runs, alpha = walk(), 12, 12_000, Fraction(1, 8)
    algorithm = find_algorithm(name)
    used = algorithm.parameters({"beta": Fraction(1, 2), "eta": Fraction(2)})
    G, g = (matrix.to_float() for matrix in expected_update(problem, algorithm, used))
    start = [float(value) for value in problem.initial_weights]
    means = [np.array([0.0] * (len(G) - 3) + start)]
    for _ in range(steps + 3):
        means.append(means[-1] + float(alpha) * (G @ means[-1] + g[:, 0]))
    env = environment(problem, "iid", steps=steps, seed=11)
    run, chosen = kernel(algorithm, CONSTANT), lanes(CONSTANT, float(alpha), eta=2.0, beta=0.5)
    moved = np.array([run(env, env.trajectory(i), chosen, [steps]).weights[:, 0] for i in range(runs)]) - start
    expected = np.array(means)[:, -3:] - start
    basis, pivots = span(problem)
    for each in (moved, expected):
        np.testing.assert_allclose(each[:, pivots] @ basis, each, rtol=1e-12, atol=1e-12)
    assert p_value(moved[:, pivots], expected[steps, pivots]) > 1e-6
    # It can fail: three updates before or after, the mean is another.
    assert p_value(moved[:, pivots], expected[steps - 3, pivots]) < 1e-40
    assert p_value(moved[:, pivots], expected[steps + 3, pivots]) < 1e-40
