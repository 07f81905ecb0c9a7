"""What a learner makes of the reward is averaged over every reward, affine in it or not."""

from fractions import Fraction

import pytest

from tdrc_theory import ExpectationTable, Problem, expected_update
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.learner import Step, dot, learner


def two_rewards():
    """One state, in which a step pays -1 or 3, as likely."""
    steps = [(0, 0, 0, Fraction(1, 2), r) for r in (-1, 3)]
    return Problem(name="two rewards", gamma=0, features=[[1]], transitions=steps, behaviour=[[1]], target=[[1]])


@pytest.mark.parametrize(("name", "mean"), [("linear", 1), ("squared", 5), ("clipped", Fraction(3, 2))])
def test_a_learner_that_is_not_affine_in_the_reward_is_not_given_its_mean(name, mean):
    def linear(x, w, reward):
        return Step(w=(reward - dot(w, x)) * x)

    def squared(x, w, reward):
        return Step(w=(reward**2 - dot(w, x)) * x)

    def clipped(x, w, reward, floor=0):
        return Step(w=(max(reward, floor) - dot(w, x)) * x)

    result = learner(weights="w")({"linear": linear, "squared": squared, "clipped": clipped}[name])
    assert expected_update(two_rewards(), result, result.parameters({})).g[0, 0] == mean
    # A table that TD was asked of serves for every learner.
    table = ExpectationTable(two_rewards())
    assert expected_update(table, find_algorithm("td"), {}).g[0, 0] == 1
    assert expected_update(table, result, result.parameters({})).g[0, 0] == mean
