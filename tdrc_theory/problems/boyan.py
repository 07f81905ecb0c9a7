"""Boyan's chain: thirteen states, four features that interpolate between every fourth state."""

from fractions import Fraction

from tdrc_theory.problem import END, Problem


def boyan() -> Problem:
    """Return the on-policy chain with gamma = 1.

    States 0 to 10 move on by one or two with equal probability, 11 by one, and 12 ends the episode; the last step
    pays -2, every other -3. The two actions are the two step lengths, and are the same where a step is forced.
    """
    transitions: list[tuple[int, int, int, int, int]] = []
    for s in range(13):
        for action, length in enumerate((1, 2)):
            s_next = s + length if s <= 10 else s + 1
            transitions.append((s, action, s_next, 1, -3) if s < 12 else (s, action, END, 1, -2))
    features = [[max(Fraction(0), 1 - abs(Fraction(s, 4) - i)) for i in range(4)] for s in range(13)]
    half = Fraction(1, 2)
    return Problem(
        name="boyan",
        gamma=1,
        features=features,
        transitions=transitions,
        behaviour=[[half, half]] * 13,
        target=[[half, half]] * 13,
        start=[1] + [0] * 12,
    )
