"""What is affine in the reward is computed from its mean on a step; what is not, from every reward."""

from fractions import Fraction

import pytest

from tdrc_theory import ALGORITHMS, ExpectationTable, Problem, expected_update
from tdrc_theory.expectation import table_for
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.learner.modes import Modes
from tdrc_theory.problems.garnet import garnet

GIVEN = {"beta": Fraction(2, 3), "eta": Fraction(7, 4), "mu": Fraction(1, 2)}
WITHOUT_MEMORY = [a for a in ALGORITHMS if not a.memory and not a.for_action_values]


@pytest.mark.parametrize("algorithm", WITHOUT_MEMORY, ids=lambda a: a.name)
def test_the_mean_reward_and_every_reward_give_the_same_update(algorithm):
    problem = garnet(5, 2, 3, 2, 4)
    used = algorithm.parameters({n: v for n, v in GIVEN.items() if n in (*algorithm.own_parameters, "beta", "eta")})
    few = table_for(problem, algorithm)
    many = ExpectationTable(problem, Modes.of_states(problem, second=algorithm.second))
    assert expected_update(few, algorithm, used) == expected_update(many, algorithm, used)
    assert len(few.points) < len(many.points), "rewards differ between steps with the same ratio"


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

    made = learner(weights="w")({"linear": linear, "squared": squared, "clipped": clipped}[name])
    assert (made.trace.of_mean_reward is None) == (name != "linear")
    assert expected_update(two_rewards(), made, made.parameters({})).g[0, 0] == mean
    # A table for TD does not tell the rewards apart, so that it is not used.
    table = table_for(two_rewards(), WITHOUT_MEMORY[0])
    assert expected_update(table, made, made.parameters({})).g[0, 0] == mean
