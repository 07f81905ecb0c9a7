from fractions import Fraction

import pytest

from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.steps import target_values, values_are_unique
from tdrc_theory.problems import find_problem
from tdrc_theory.problems.by_action import by_action


def values(problem):
    return [value for (value,) in target_values(problem).rows]


@pytest.mark.parametrize("features", ["tabular", "inverted", "dependent"])
def test_values_of_the_random_walk_are_those_of_gamblers_ruin(features):
    # Right with probability p: the right end comes first with probability (1 - r^i) / (1 - r^6), r = (1 - p) / p.
    r = Fraction(2, 3)
    wins = [(1 - r**i) / (1 - r**6) for i in range(1, 6)]
    assert values(find_problem(f"random-walk-{features}")) == [2 * win - 1 for win in wins]


def test_values_of_boyans_chain_are_those_of_its_recursion():
    v = [Fraction(0)] * 14
    v[12], v[11] = Fraction(-2), Fraction(-5)
    for s in range(10, -1, -1):
        v[s] = -3 + (v[s + 1] + v[s + 2]) / 2
    assert values(find_problem("boyan")) == v[:13]


def loop(gamma, **more):
    one = {"features": [[1], [1]], "behaviour": [[1], [1]], "target": [[1], [1]], "independent_only": True}
    return Problem(name="loop", gamma=gamma, **one, **more)


def test_values_are_unique_with_a_discount_or_where_every_episode_ends():
    ends = {"transitions": [(0, 0, 0, "1/2", 1), (0, 0, 1, "1/2", 1)], "terminal": [1], "state_weights": [1, 0]}
    turns = {"transitions": [(0, 0, 1, 1, 1), (1, 0, 0, 1, -1)]}  # v = (c + 1, c) for every c, and no sum has a limit
    assert values_are_unique(loop(1, **ends))
    assert values_are_unique(loop("1/2", **turns))
    assert not values_are_unique(loop(1, **turns))
    assert target_values(loop(1, **turns)) is not None


def test_a_terminal_state_is_worth_nothing_and_what_comes_before_it_is_discounted():
    steps = [(0, 0, 0, "1/2", 1), (0, 0, 1, "1/2", 1)]
    # v = 1 + gamma v / 2
    assert values(loop("1/2", transitions=steps, terminal=[1], state_weights=[1, 0])) == [Fraction(4, 3), 0]


def test_without_an_end_and_without_discount_rewards_have_no_value():
    steps = [(0, 0, 1, 1, 1), (1, 0, 0, "1/2", 1), (1, 0, END, "1/2", 0)]
    assert target_values(loop(1, transitions=steps, state_weights=["1/2", "1/2"])) is not None
    for_ever = [(0, 0, 1, 1, 1), (1, 0, 0, 1, 1)]
    assert target_values(loop(1, transitions=for_ever, state_weights=["1/2", "1/2"])) is None


@pytest.mark.parametrize("name", ["baird", "random-walk-inverted", "boyan"])
def test_action_values_averaged_over_the_target_are_the_state_values(name):
    problem = find_problem(name)
    by_pair = by_action(problem)
    q = [value for (value,) in target_values(by_pair).rows]
    for s, (value,) in enumerate(target_values(problem).rows):
        pairs = q[s * problem.actions : (s + 1) * problem.actions]
        assert sum(pi * each for pi, each in zip(problem.target[s], pairs, strict=True)) == value
        rows = [[v for v in row if v] for row in by_pair.features[s]]
        assert rows == [[v for v in problem.features[s] if v]] * problem.actions
    assert (by_pair.states, by_pair.k) == (problem.states, problem.k * problem.actions)
