"""Baird's counterexample: seven states, eight features, a target policy that the behaviour rarely follows."""

from fractions import Fraction

from tdrc_theory.problem import Problem

DASHED, SOLID = 0, 1


def baird() -> Problem:
    """Return the star problem with gamma = 99/100.

    The dashed action goes to one of the six upper states, the solid one to the lower; behaviour takes it with
    probability 1/7, the target policy always. v(s) is 2 w_s + w_7 above and w_6 + 2 w_7 below. It starts from
    values of 3 above and 12 below: the 10 is in the lower state's own weight.
    """
    upper = [[2 * int(i == s) for i in range(7)] + [1] for s in range(6)]
    lower = [0, 0, 0, 0, 0, 0, 1, 2]
    up = [(s, DASHED, t, Fraction(1, 6), 0) for s in range(7) for t in range(6)]
    down = [(s, SOLID, 6, 1, 0) for s in range(7)]
    return Problem(
        name="baird",
        gamma=Fraction(99, 100),
        features=[*upper, lower],
        transitions=[*up, *down],
        behaviour=[[Fraction(6, 7), Fraction(1, 7)]] * 7,
        target=[[0, 1]] * 7,
        start=[0, 0, 0, 0, 0, 0, 1],
        initial_weights=[1, 1, 1, 1, 1, 1, 10, 1],
    )
