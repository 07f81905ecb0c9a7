"""The expected update of every built-in learner is the mean of its equations, over every trajectory and over runs."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from tdrc_theory import ALGORITHMS, expected_update, find_algorithm

PARAMETERS = {"beta": Fraction(2, 3), "eta": Fraction(7, 4), "lam": Fraction(1, 2), "mu": Fraction(5, 4)}
WEIGHTS = {"w": ["1/2", -1], "h": [2, "1/4"], "v": [1, -3], "target": [-1, "3/2"], "rbar": ["3/4"]}

every_learner = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)


def kind_for(algorithm, kind):
    return f"{kind}, pairs" if algorithm.for_action_values else kind


@pytest.fixture
def learn(walk, learning, sample, equations):
    """Return what takes a learner, by its equations or others, along walks of a kind."""

    def learn(algorithm, kind, number=Fraction, by=None):
        values = PARAMETERS | dict(algorithm.fixed)
        weights = {name: np.array([[number(Fraction(v)) for v in row]]) for name, row in WEIGHTS.items()}
        arguments = sample(**weights, **{name: number(value) for name, value in values.items()})
        twice = "x_next_2" in algorithm.arguments
        return learning(walk(kind_for(algorithm, kind)), by or equations[algorithm.name], arguments, number, twice)

    return learn


def derived(problem, algorithm):
    """Return G varrho + g by name of weights, from the function."""
    used = {n: v for n, v in PARAMETERS.items() if n in (*algorithm.own_parameters, "beta", "eta")}
    G, g = expected_update(problem, algorithm, algorithm.parameters(used))
    varrho = [Fraction(v) for name in algorithm.stacked for v in WEIGHTS[name]]
    rows = zip(G.rows, g.rows, strict=True)
    values = iter([sum(a * v for a, v in zip(row, varrho, strict=True)) + c for row, (c,) in rows])
    return {name: [next(values) for _ in WEIGHTS[name]] for name in algorithm.stacked}


def test_every_built_in_learner_has_its_equations_here(equations):
    assert set(equations) == {algorithm.name for algorithm in ALGORITHMS}


@pytest.mark.quick(48)
@every_learner
def test_the_expected_update_is_exactly_the_mean_over_every_trajectory(algorithm, kind, learn):
    """The discount is 0 so often that five steps from any memory have the stationary expectation itself."""
    learner = learn(algorithm, kind)
    means = {name: values.tolist() for name, values in learner.means(5, value=7).items()}
    assert means == derived(learner.walk.problem, algorithm)


@every_learner
def test_the_expected_update_is_the_mean_over_every_trajectory_where_no_discount_is_0(algorithm, learn):
    """From empty memory, 8 steps leave E|memory| apart by at most 8 gamma^8 times its size, since E[rho | s] = 1."""
    learner = learn(algorithm, "1/64", float)
    means, expected = learner.means(8), derived(learner.walk.problem, algorithm)
    for name, values in expected.items():
        np.testing.assert_allclose(means[name], [float(v) for v in values], rtol=0, atol=1e4 * 8 * 64.0**-8)


def apart(learner, expected, runs=1000, steps=400, burn=60, seed=20261128):
    """Return the largest distance of mean directions in runs from the expected ones, in standard errors, and its bound.

    Each run gives one number a direction, the mean over its steps. Runs are independent, so Student's t holds of their
    mean; the bound is what one of all comparisons of this file exceeds at most once in a million times.
    """
    rng, count = np.random.default_rng(seed), len(learner.walk.places)
    moves = [np.flatnonzero(learner.of == place) for place in range(count)]
    number = np.array([np.pad(each, (0, max(map(len, moves)) - len(each)), mode="edge") for each in moves])
    shares = np.array([np.cumsum(learner.share[each, 0]) for each in number])
    shares[np.arange(number.shape[1]) >= np.array([[len(each) - 1] for each in moves])] = np.inf
    place = rng.choice(count, size=runs, p=[float(v) for v in learner.walk.start])

    def drawn():
        return number[place, (rng.random((runs, 1)) >= shares[place]).sum(axis=1)]

    before, sums = learner.before(runs), {}
    for t in range(burn + steps):
        taken = drawn()
        before, directions = learner.step(taken, before, drawn() if learner.twice else None)
        place = learner.to[taken]
        if t >= burn:
            sums = {name: sums.get(name, 0) + value / steps for name, value in directions.items()}
    worst = 0.0
    for name, values in expected.items():
        mean, error = sums[name].mean(axis=0), sums[name].std(axis=0, ddof=1) / np.sqrt(runs)
        off = np.abs(mean - [float(v) for v in values])
        worst = max(worst, *np.where(off < 1e-12, 0, off / np.maximum(error, 1e-15)))
    return worst, stats.t.isf(1e-6 / (2 * 6 * len(ALGORITHMS)), runs - 1)


# So discounted, fourth moments of every trace are finite: gamma^4 E[rho^4 | s] is at most 0.7.
FINITE = "1/2"


@pytest.mark.quick(4)
@every_learner
def test_the_expected_update_is_the_mean_of_runs(algorithm, learn):
    learner = learn(algorithm, FINITE, float)
    worst, bound = apart(learner, derived(learner.walk.problem, algorithm))
    assert worst < bound


def test_fourth_moments_of_every_trace_are_finite_in_the_runs(walk):
    result = walk(FINITE)
    for s in range(3):
        assert Fraction(FINITE) ** 4 * sum(
            p**4 / b**3 for p, b in zip(result.pi[s], result.b[s], strict=True)
        ) <= Fraction(7, 10)


def test_runs_tell_a_mistake_in_a_ratio_from_the_rule(mistaken, learn):
    name, equations = mistaken
    learner = learn(find_algorithm(name), FINITE, float, by=equations)
    worst, bound = apart(learner, derived(learner.walk.problem, find_algorithm(name)))
    assert worst > 2 * bound
