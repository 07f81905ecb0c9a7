"""The two-state problem of Tsitsiklis and Van Roy, w -> 2w."""

from fractions import Fraction

from tdrc_theory.problem import Problem
from tdrc_theory.problems.averaged import averaged_process


def two_state() -> Problem:
    """Return two states with features 1 and 2, both leading to the second, weighted alike; gamma = 99/100.

    Rewards are 0, so w = 0 is the fixed point of every update; w starts at 1.
    """
    return averaged_process(
        name="two-state",
        gamma=Fraction(99, 100),
        features=[[1], [2]],
        P=[[0, 1], [0, 1]],
        r=[0, 0],
        d=[Fraction(1, 2), Fraction(1, 2)],
        initial_weights=[1],
    )
