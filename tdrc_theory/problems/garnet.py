"""Garnet problems: random decision processes with small exact numbers."""

from __future__ import annotations

import random
from fractions import Fraction

from tdrc_theory.problem import Problem


def garnet(
    states: int,
    actions: int,
    branching: int,
    k: int,
    seed: int,
    gamma: Fraction = Fraction(9, 10),
    name: str | None = None,
) -> Problem:
    """Return a random off-policy problem that one integer seed determines.

    Args:
        states, actions: sizes of the process.
        branching: number of next states of each action.
        k: number of features, integers from -3 to 3.
        seed: any integer.
        gamma: discount.
        name: of the problem; by default it says the sizes and the seed.

    Every state is followed by the next one round a ring with some probability under action 0, which behaviour
    always can take, so that the behaviour chain has one recurrent class.
    """
    rng = random.Random(seed)
    transitions: list[tuple[int, int, int, Fraction, int]] = []
    for s in range(states):
        for a in range(actions):
            arrivals = rng.sample(range(states), min(branching, states))
            if a == 0:
                arrivals[0] = (s + 1) % states
            reward = rng.randint(-3, 3)
            odds = shares(rng, len(arrivals), least=1)
            transitions += [(s, a, t, p, reward) for t, p in zip(arrivals, odds, strict=True)]
    return Problem(
        name=name or f"garnet-{states}-{actions}-{branching}-{k}-{seed}",
        gamma=gamma,
        features=[[rng.randint(-3, 3) for _ in range(k)] for _ in range(states)],
        transitions=transitions,
        behaviour=[shares(rng, actions, least=1) for _ in range(states)],
        target=[shares(rng, actions, least=0) for _ in range(states)],
    )


def shares(rng: random.Random, count: int, least: int) -> list[Fraction]:
    """Return probabilities in proportion to small integers from `least` (0 or 1) to 5."""
    parts = [rng.randint(least, 5) for _ in range(count)]
    if not any(parts):
        parts[rng.randrange(count)] = 1
    return [Fraction(part, sum(parts)) for part in parts]
