"""The theta -> 2 theta problems of Sutton, Mahmood and White 2016, Figures 1 and 3."""

from fractions import Fraction

from tdrc_theory.problem import Problem

_GAMMA = Fraction(9, 10)


def theta_2theta() -> Problem:
    """Return two states with features 1 and 2; left and right lead to the first and the second.

    Behaviour takes both alike, the target policy goes right, the discount is 9/10, and all rewards are 0, so that the
    right weight is 0; it starts at 1, in the first state.
    """
    half = Fraction(1, 2)
    return Problem(
        name="theta-2theta",
        gamma=_GAMMA,
        features=[[1], [2]],
        transitions=[(s, a, a, 1, 0) for s in range(2) for a in range(2)],
        behaviour=[[half, half]] * 2,
        target=[[0, 1]] * 2,
        start=[1, 0],
        initial_weights=[1],
    )


def theta_2theta_ending() -> Problem:
    """Return the same with a third state of discount 0 and feature 0 on the right, from where both actions lead back.

    Behaviour goes left nine times in ten.
    """
    left, right = Fraction(9, 10), Fraction(1, 10)
    return Problem(
        name="theta-2theta-ending",
        gamma=[_GAMMA, _GAMMA, 0],
        features=[[1], [2], [0]],
        transitions=[
            (0, 0, 0, 1, 0),
            (0, 1, 1, 1, 0),
            (1, 0, 0, 1, 0),
            (1, 1, 2, 1, 0),
            (2, 0, 0, 1, 0),
            (2, 1, 0, 1, 0),
        ],
        behaviour=[[left, right]] * 3,
        target=[[0, 1]] * 3,
        start=[1, 0, 0],
        initial_weights=[1],
    )
