"""The expected update of every built-in learner is the mean of its equations: over episodes, trajectories, and runs."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from tdrc_theory import ALGORITHMS, Problem, expected_update, find_algorithm

PARAMETERS = {"beta": Fraction(2, 3), "eta": Fraction(7, 4), "lam": Fraction(1, 2), "mu": Fraction(5, 4)}
WEIGHTS = {"w": ["1/2", -1], "h": [2, "1/4"], "v": [1, -3], "target": [-1, "3/2"], "rbar": ["3/4"]}

every_learner = pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a.name)


def corridor():
    """Episodes of at most three steps, off-policy."""
    return Problem(
        name="corridor",
        gamma="3/4",
        features=[[1, 2], [-1, 1], [3, "1/2"], [0, 0]],
        transitions=[
            *((0, 0, 1, 1, 1), (0, 1, 2, "1/3", -2), (0, 1, 3, "2/3", 5)),
            *((1, 0, 2, 1, 3), (1, 1, 3, 1, "1/2")),
            *((2, 0, 3, 1, -1), (2, 1, 3, 1, 2)),
        ],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"], ["3/5", "2/5"], [1, 0]],
        target=[["1/2", "1/2"], ["3/4", "1/4"], ["1/5", "4/5"], [1, 0]],
        terminal=[3],
        start=["2/3", "1/3", 0, 0],
    )


def loop(gamma):
    """Two states, two actions that lead to the one or the other, off-policy, without an end."""
    return Problem(
        name="loop",
        gamma=gamma,
        features=[[1, 2], [-1, 1]],
        transitions=[(0, 0, 0, 1, 1), (0, 1, 1, 1, -2), (1, 0, 0, 1, 3), (1, 1, 1, 1, 0)],
        behaviour=[["1/3", "2/3"], ["1/2", "1/2"]],
        target=[["1/2", "1/2"], ["3/4", "1/4"]],
    )


class Trajectories:
    """Many trajectories of a problem under equations, in fractions or in floats."""

    def __init__(self, problem, algorithm, equations, sample, number):
        self.problem, self.number, (self.memory, self.directions) = problem, number, equations
        values = PARAMETERS | dict(algorithm.fixed)
        weights = {name: self.array([row]) for name, row in WEIGHTS.items()}
        self.sample = sample(**weights, **{name: number(v) for name, v in values.items()})
        steps, features, nowhere = problem.transitions, problem.features, [0] * problem.k
        columns = {
            "x": [features[t.s] for t in steps],
            "y": [nowhere if problem.ends(t.s_next) else features[t.s_next] for t in steps],
            "R": [[t.reward] for t in steps],
            "rho": [[problem.rho(t.s, t.a)] for t in steps],
            "g": [[problem.gamma] for t in steps],
            "g1": [[problem.gamma] for t in steps],
            "i": [[1] for t in steps],
        }
        self.data = {name: self.array(rows) for name, rows in columns.items()}

    def array(self, rows):
        return np.array([[self.number(Fraction(v)) for v in row] for row in rows])

    def begin(self, count):
        """Return the memory of so many trajectories before their first step."""
        zero = self.array([[0] * self.problem.k] * count)
        return {"e": zero, "b": zero, "F": zero[:, :1]}

    def step(self, transitions, before, memory):
        """Take a transition each, by number: (memory, {weights: direction}, ratios)."""
        data = {name: rows[transitions] for name, rows in self.data.items()}
        now = self.sample.with_(**data, **memory, before=before)
        after = memory | (self.memory(now) if self.memory else {})
        return after, self.directions(now.with_(**after)), data["rho"]


def taken(problem, s):
    """Return the transitions that can be taken in a state, by number, with their probabilities."""
    listed = [(i, problem.behaviour[s][t.a] * t.probability) for i, t in enumerate(problem.transitions) if t.s == s]
    return [(i, share) for i, share in listed if share]


def over_trajectories(run, start, steps):
    """Return the sums of probability, and of directions times it, over every trajectory, for each step."""
    problem, states = run.problem, [s for s, p in enumerate(start) if p]
    p = run.array([[start[s]] for s in states])
    before, memory, sums = 0 * p + 1, run.begin(len(states)), []
    for _ in range(steps):
        listed = [(i, t, share) for i, s in enumerate(states) for t, share in taken(problem, s)]
        if not listed:
            break
        place = [i for i, _, _ in listed]
        kept = {name: value[place] for name, value in memory.items()}
        p = p[place] * run.array([[share] for _, _, share in listed])
        memory, directions, before = run.step([t for _, t, _ in listed], before[place], kept)
        sums.append((p.sum(), {name: (p * value).sum(axis=0) for name, value in directions.items()}))
        arrived = [problem.transitions[t].s_next for _, t, _ in listed]
        on = [j for j, s in enumerate(arrived) if not problem.ends(s)]
        states = [arrived[j] for j in on]
        p, before, memory = p[on], before[on], {name: value[on] for name, value in memory.items()}
    return sums


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


@every_learner
def test_the_expected_update_is_exactly_the_mean_over_every_episode(algorithm, equations, sample):
    problem = corridor()
    run = Trajectories(problem, algorithm, equations[algorithm.name], sample, Fraction)
    sums = over_trajectories(run, problem.start, 4)
    assert len(sums) == 3
    length = sum(p for p, _ in sums)
    for name, expected in derived(problem, algorithm).items():
        assert [sum(column) / length for column in zip(*(each[name] for _, each in sums), strict=True)] == expected


@every_learner
def test_the_expected_update_is_the_mean_over_every_trajectory_without_an_end(algorithm, equations, sample):
    """From empty memory, 14 steps leave E|memory| apart by at most 14 gamma^14 times its size: E[rho | s] = 1."""
    problem = loop("1/8")
    run = Trajectories(problem, algorithm, equations[algorithm.name], sample, float)
    _, last = over_trajectories(run, problem.d, 14)[-1]
    for name, expected in derived(problem, algorithm).items():
        np.testing.assert_allclose(last[name], [float(v) for v in expected], rtol=0, atol=1e4 * 14 * 8.0**-14)


def apart(run, expected, runs=1000, steps=400, burn=60, seed=20261128):
    """Return the largest distance of mean directions in runs from the expected ones, in standard errors, and its bound.

    Each run gives one number a direction, the mean over its steps. Runs are independent, so Student's t holds of their
    mean; the bound is what one of all comparisons of this file exceeds at most once in a million times.
    """
    problem, rng = run.problem, np.random.default_rng(seed)
    number = np.array([[t for t, _ in taken(problem, s)] for s in range(problem.states)])
    shares = np.array([np.cumsum([float(p) for _, p in taken(problem, s)])[:-1] for s in range(problem.states)])
    arrived = np.array([t.s_next for t in problem.transitions])
    s = rng.choice(problem.states, size=runs, p=[float(v) for v in problem.d])
    before, memory, sums = np.ones((runs, 1)), run.begin(runs), {}
    for t in range(burn + steps):
        transitions = number[s, (rng.random((runs, 1)) >= shares[s]).sum(axis=1)]
        memory, directions, before = run.step(transitions, before, memory)
        s = arrived[transitions]
        if t >= burn:
            sums = {name: sums.get(name, 0) + value / steps for name, value in directions.items()}
    worst = 0.0
    for name, values in expected.items():
        mean, error = sums[name].mean(axis=0), sums[name].std(axis=0, ddof=1) / np.sqrt(runs)
        off = np.abs(mean - [float(v) for v in values])
        worst = max(worst, *np.where(off < 1e-12, 0, off / np.maximum(error, 1e-15)))
    return worst, stats.t.isf(1e-6 / (2 * 6 * len(ALGORITHMS)), runs - 1)


@every_learner
def test_the_expected_update_is_the_mean_of_runs(algorithm, equations, sample):
    problem = loop("1/2")  # so discounted, fourth moments of every trace are finite: gamma^4 E[rho^4] < 1
    run = Trajectories(problem, algorithm, equations[algorithm.name], sample, float)
    worst, bound = apart(run, derived(problem, algorithm))
    assert worst < bound


def test_runs_tell_a_mistake_in_a_ratio_from_the_rule(mistaken, sample):
    (name, equations), problem = mistaken, loop("1/2")
    algorithm = find_algorithm(name)
    worst, bound = apart(Trajectories(problem, algorithm, equations, sample, float), derived(problem, algorithm))
    assert worst > 2 * bound
