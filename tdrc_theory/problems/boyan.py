"""Boyan's chain: thirteen states, four features that interpolate between every fourth state."""

from fractions import Fraction

from tdrc_theory.problem import END, Problem


def boyan() -> Problem:
    """Return the on-policy chain with gamma = 1 that the paper's tables come from: 12 ends the episode.

    States 0 to 10 move on by one or two with equal probability, 11 by one; the last step pays -2, every other -3.
    """
    return boyan_chain("boyan", 13)


def boyan_chain(name: str, states: int) -> Problem:
    """Return the chain of 12 or 13 states, of which the last ends the episode.

    The two actions are the two step lengths, and are the same where a step is forced.
    """
    transitions: list[tuple[int, int, int, int, int]] = []
    for s in range(states):
        for action, length in enumerate((1, 2)):
            s_next = s + length if s <= 10 else s + 1
            reward = -2 if s == states - 1 else -3
            transitions.append((s, action, s_next if s_next < states else END, 1, reward))
    half = Fraction(1, 2)
    return Problem(
        name=name,
        gamma=1,
        features=[[max(Fraction(0), 1 - abs(Fraction(s, 4) - i)) for i in range(4)] for s in range(states)],
        transitions=transitions,
        behaviour=[[half, half]] * states,
        target=[[half, half]] * states,
        start=[1] + [0] * (states - 1),
    )
