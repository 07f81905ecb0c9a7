"""The five-state chain with soft termination at both ends of Sutton, Mahmood and White 2016, Figure 2."""

from fractions import Fraction

from tdrc_theory.problem import Problem


def five_state() -> Problem:
    """Return five states in a row, three features, reward 1 always; the discount is 0 at both ends and 1 between them.

    Behaviour goes left two times in three, the target policy always right; at an end a step outwards stays there.
    """
    return Problem(
        name="five-state",
        gamma=[0, 1, 1, 1, 0],
        features=[[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]],
        transitions=[(s, a, min(max(s + 2 * a - 1, 0), 4), 1, 1) for s in range(5) for a in range(2)],
        behaviour=[[Fraction(2, 3), Fraction(1, 3)]] * 5,
        target=[[0, 1]] * 5,
    )
