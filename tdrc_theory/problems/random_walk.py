"""The five-state random walk with three sets of features."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tdrc_theory.exact import sqrt
from tdrc_theory.problem import END, Problem

LEFT, RIGHT = 0, 1


def random_walk(name: str, features: Sequence[Sequence[Any]]) -> Problem:
    """Return the walk with gamma = 1: it starts in the middle; leaving it pays -1 on the left and 1 on the right.

    Behaviour goes left and right alike; the target policy goes right with probability 3/5.
    """
    transitions: list[tuple[int, int, int, int, int]] = []
    for s in range(5):
        transitions.append((s, LEFT, s - 1, 1, 0) if s > 0 else (s, LEFT, END, 1, -1))
        transitions.append((s, RIGHT, s + 1, 1, 0) if s < 4 else (s, RIGHT, END, 1, 1))
    return Problem(
        name=name,
        gamma=1,
        features=features,
        transitions=transitions,
        behaviour=[[Fraction(1, 2), Fraction(1, 2)]] * 5,
        target=[[Fraction(2, 5), Fraction(3, 5)]] * 5,
        start=[0, 0, 1, 0, 0],
    )


def tabular() -> Problem:
    """Return the walk with one feature a state."""
    return random_walk("random-walk-tabular", [[int(i == s) for i in range(5)] for s in range(5)])


def inverted() -> Problem:
    """Return the walk whose features are 1/2 everywhere but in the state itself: unit length, and misleading."""
    half = Fraction(1, 2)
    return random_walk("random-walk-inverted", [[half * (i != s) for i in range(5)] for s in range(5)])


def dependent() -> Problem:
    """Return the walk with three features for five states, of unit length, so with square roots of 2 and 3."""
    patterns = ([1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1])
    return random_walk("random-walk-dependent", [[v / sqrt(sum(row)) for v in row] for row in patterns])
