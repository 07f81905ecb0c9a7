"""The derived expected update, against sums and samples of the equations written out as vectors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import END, OF_THE_PAPER, Algorithm, ExpectationTable, Matrix, Problem, expected_update, find_problem
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems import PROBLEMS
from tdrc_theory.problems.garnet import garnet

BETA, ETA = Fraction(3, 7), Fraction(5, 2)


def written_out(name, x, x_next, reward, rho, gamma, beta, w, h):
    """Each algorithm's (dw, dh) as the vector equation, independent of the product's elementwise functions."""
    delta = reward + gamma * (w @ x_next) - w @ x
    correction = h @ x
    beta = {"tdc": 0}.get(name, beta)
    zero = x * 0
    return {
        "td": lambda: (rho * delta * x, zero),
        "vtrace": lambda: ((rho if rho < 1 else 1) * delta * x, zero),
        "tdc": lambda: (
            rho * delta * x - rho * gamma * correction * x_next,
            rho * delta * x - correction * x,
        ),
        "tdrc": lambda: (
            rho * delta * x - rho * gamma * correction * x_next,
            rho * delta * x - correction * x - beta * h,
        ),
        "tdc++": lambda: (
            rho * delta * x - rho * gamma * correction * x_next - beta * h,
            rho * delta * x - correction * x - beta * h,
        ),
        "gtd2": lambda: (rho * (x - gamma * x_next) * correction, rho * delta * x - correction * x),
        "htd": lambda: (
            rho * delta * x + (rho - 1) * correction * (x - gamma * x_next),
            rho * delta * x - correction * (x - gamma * x_next),
        ),
    }[name]()


def steps(problem: Problem):
    """Every (probability, x, x', R, rho, gamma) under d, behaviour and the transitions."""
    zeros = [Fraction(0)] * problem.k
    by_state = [problem.gamma] * problem.states if isinstance(problem.gamma, Fraction) else problem.gamma
    for s, a, s_next, p, reward, _ in problem.transitions:
        mass = problem.d[s] * problem.behaviour[s][a] * p
        if mass:
            x_next = zeros if s_next == END or s_next in problem.terminal else problem.features[s_next]
            rho = problem.target[s][a] / problem.behaviour[s][a]
            yield mass, np.array(problem.features[s], object), np.array(x_next, object), reward, rho, by_state[s_next]


def summed_direction(problem: Problem, algorithm: Algorithm, h, w):
    """E[(eta dh, dw)] at given weights, by summing the written-out equation over every step, exactly."""
    total_w, total_h = h * 0, h * 0
    for mass, x, x_next, reward, rho, gamma in steps(problem):
        dw, dh = written_out(algorithm.name, x, x_next, reward, rho, gamma, BETA, w, h)
        total_w, total_h = total_w + mass * dw, total_h + mass * ETA * dh
    return [*total_h, *total_w] if algorithm.size(1) == 2 else list(total_w)


def at(update, values) -> list:
    column = update.G @ Matrix.column(values) + update.g
    return [row[0] for row in column.rows]


@pytest.mark.parametrize("name", [*(name for name, _ in PROBLEMS), "garnet"])
@pytest.mark.parametrize("algorithm", OF_THE_PAPER, ids=lambda a: a.name)
def test_the_expected_update_is_the_sum_of_the_written_out_equation_over_every_step(name, algorithm):
    problem = garnet(5, 3, 2, 3, 11) if name == "garnet" else find_problem(name)
    used = algorithm.parameters({"beta": BETA, "eta": ETA})
    update = expected_update(ExpectationTable(problem), algorithm, used)
    k = problem.k
    h = np.array([Fraction(i + 1, 3) for i in range(k)], object)
    w = np.array([Fraction(2 - 3 * i, 5) for i in range(k)], object)
    values = [*h, *w] if algorithm.size(1) == 2 else [*w]
    assert at(update, values) == summed_direction(problem, algorithm, h, w)
    zeros = h * 0
    assert at(update, [0] * len(values)) == summed_direction(problem, algorithm, zeros, zeros)


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", ["random-walk-dependent", "baird", "random-walk-inverted", "boyan"])
def test_sampled_matrices_average_to_A_b_and_C_within_their_standard_error(name):
    """Within five: of a hundred right entries, one set in ten thousand is refused."""
    problem = find_problem(name)
    rng = np.random.default_rng(20)
    probabilities, xs, next_xs, rewards, rhos, gammas = (
        np.array([np.asarray(v, float) for v in column]) for column in zip(*steps(problem), strict=True)
    )
    drawn = rng.choice(len(probabilities), size=200_000, p=probabilities / probabilities.sum())
    x, x_next, reward, rho = xs[drawn], next_xs[drawn], rewards[drawn], rhos[drawn]
    moved = x - gammas[drawn, None] * x_next
    samples = {
        "A": rho[:, None, None] * x[:, :, None] * moved[:, None, :],
        "b": (rho * reward)[:, None, None] * x[:, :, None],
        "C": x[:, :, None] * x[:, None, :],
        "C with rho": rho[:, None, None] * x[:, :, None] * x[:, None, :],
    }
    key = key_matrices(problem)
    exact = {"A": key.A, "b": key.b, "C": key.C, "C with rho": key.C}
    for label, values in samples.items():
        error = values.std(axis=0) / np.sqrt(len(drawn))
        distance = np.abs(values.mean(axis=0) - exact[label].to_float())
        assert (distance <= 5 * error + 1e-12).all(), label


@pytest.mark.parametrize("name", [name for name, _ in PROBLEMS])
def test_G_is_the_printed_block_matrix(name):
    problem = find_problem(name)
    table = ExpectationTable(problem)
    A, b, C = key_matrices(table)
    identity = Matrix.identity(problem.k)
    C_beta = C + identity * BETA
    one = [Fraction(1)] * len(table.modes.points)
    gammas = [point["gamma_next"] for point in table.modes.points]
    A_b = table.entry(one, ("x",), "x") - table.entry(gammas, ("x",), "x_next")
    zero = Matrix.zeros(problem.k, 1)
    printed = {
        "td": ([[-A]], [[b]]),
        "tdrc": ([[-C_beta * ETA, -A * ETA], [A.T - C, -A]], [[b * ETA], [b]]),
        "tdc": ([[-C * ETA, -A * ETA], [A.T - C, -A]], [[b * ETA], [b]]),
        "tdc++": ([[-C_beta * ETA, -A * ETA], [A.T - C_beta, -A]], [[b * ETA], [b]]),
        "gtd2": ([[-C * ETA, -A * ETA], [A.T, Matrix.zeros(problem.k, problem.k)]], [[b * ETA], [zero]]),
        "htd": ([[-A_b.T * ETA, -A * ETA], [A.T - A_b.T, -A]], [[b * ETA], [b]]),
    }
    for algorithm in OF_THE_PAPER:
        if algorithm.name in printed:
            G, g = printed[algorithm.name]
            update = expected_update(table, algorithm, algorithm.parameters({"beta": BETA, "eta": ETA}))
            assert Matrix.block(G) == update.G, algorithm.name
            assert update.g == Matrix.block(g), algorithm.name


def test_products_of_components_enter_the_expectation_componentwise():
    def odd(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return x * x * delta - x * x_next * delta_hat + rho * x, x_next**2 * delta_hat - x * h + 2

    problem = garnet(4, 2, 2, 2, 3)
    update = expected_update(ExpectationTable(problem), Algorithm("odd", odd), {"beta": BETA, "eta": ETA})
    h, w = (np.array(v, object) for v in ([Fraction(1, 2), Fraction(3)], [Fraction(-2), Fraction(1, 5)]))
    expected_w, expected_h = h * 0, h * 0
    for mass, x, x_next, reward, rho, gamma in steps(problem):
        delta, correction = reward + gamma * (w @ x_next) - w @ x, h @ x
        expected_w = expected_w + mass * (x * x * delta - x * x_next * correction + rho * x)
        expected_h = expected_h + mass * ETA * (x_next * x_next * correction - x * h + 2)
    assert at(update, [*h, *w]) == [*expected_h, *expected_w]
