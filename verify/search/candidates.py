"""Small problems in order of readability: few features, small integers, small denominators first.

A level bounds the number of features, their magnitude, and the denominators. The problems of a level that are not too
many are all tried, simplest first; of larger levels, a random part. Then random problems of growing size, without end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.problem import Problem
from tdrc_theory.problems.averaged import averaged_process

GAMMAS = (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(1))
_ALL_OF = 20_000
"""Problems of a level up to which all of them are tried."""
_SOME = 4_000
"""Random ones tried of a larger level."""
_SYSTEMATIC = 6
"""Sum of a level's magnitude and denominator, and of its features beyond one, up to which levels are worked through."""
_UNSEEN = 8
"""What a state of weight 0 costs: it is never sampled, so a problem without one is preferred."""
_LARGEST = 8
"""Magnitudes and denominators of random problems stop growing here."""

Distribution = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What is looked for.

    Attributes:
        states: how many.
        features: how many; None tries 1, then more, up to the number of states.
        actions: 0 for a process averaged over its policy ([mrp]); else a decision process with that many actions,
            under the stationary weights of its behaviour.

    Raises:
        BadOption: a number is out of range.
    """

    states: int = 2
    features: int | None = None
    actions: int = 0

    def __post_init__(self) -> None:
        for name, least in (("states", 1), ("features", 1), ("actions", 0)):
            value = getattr(self, name)
            if value is not None and not least <= value <= 12:
                raise BadOption(f"--{name}: {value} is not from {least} to 12")

    @property
    def feature_counts(self) -> list[int]:
        """Return the numbers of features to try, least first."""
        return [self.features] if self.features else list(range(1, self.states + 1))


class Level(NamedTuple):
    """Bounds on a problem: its number of features, their magnitude, and the denominators of its probabilities."""

    k: int
    magnitude: int
    denominator: int


class Slot(NamedTuple):
    """One part of a problem.

    Attributes:
        options: what it can be, simplest first.
        costs: how much each of them is to read.
        old: how many of them, from the first on, the level of the next smaller bound has.
    """

    options: Sequence[Any]
    costs: Sequence[int]
    old: int


Choice = tuple[int, ...]
"""The index of an option for each slot."""


def candidates(shape: Shape, seed: int) -> Iterator[Problem]:
    """Yield problems, the same ones in the same order for the same seed, without end."""
    if seed < 0:
        raise BadOption(f"--seed: {seed} is negative")
    rng = random.Random(seed)
    for level in _levels(shape):
        slots = _slots(shape, level)
        for choice in _choices(slots, shape, level, rng):
            result = _problem(shape, level.k, [slot.options[i] for slot, i in zip(slots, choice, strict=True)])
            if result is not None:
                yield result


def _levels(shape: Shape) -> Iterator[Level]:
    for total in range(2, _SYSTEMATIC + 1):
        for more, k in enumerate(shape.feature_counts):
            for denominator in range(1, total - more):
                yield Level(k, total - more - denominator, denominator)
    size = _SYSTEMATIC // 2
    while True:
        size = min(size + 1, _LARGEST)
        for k in shape.feature_counts:
            yield Level(k, size, size)


def _slots(shape: Shape, level: Level) -> list[Slot]:
    """Return gamma, the features, the first state's reward, then P and d, or transitions and both policies."""
    n, q, actions = shape.states, level.denominator, shape.actions
    numbers = sorted(range(-level.magnitude, level.magnitude + 1), key=lambda v: (abs(v), -v))
    feature = Slot(numbers, [abs(v) + (v < 0) for v in numbers], 2 * level.magnitude - 1)
    head = [Slot(GAMMAS, range(len(GAMMAS)), 0), *[feature] * (n * level.k), Slot((0, 1), (0, 1), 0)]
    arrivals = _distribution_slot(n, q)
    if not actions:
        weights = _distribution_slot(n, n + q - 1)
        costs = [cost + _UNSEEN * row.count(0) for cost, row in zip(weights.costs, weights.options, strict=True)]
        return [*head, *[arrivals] * n, weights._replace(costs=costs)]
    behaviour = _distribution_slot(actions, actions + q - 1, positive=True)
    target = _distribution_slot(actions, q)
    return [*head, *[arrivals] * (n * actions), *[behaviour] * n, *[target] * n]


def _distribution_slot(size: int, denominator: int, positive: bool = False) -> Slot:
    options = distributions(size, denominator, positive)
    costs = [sum(p.denominator for p in row if p.denominator > 1) for row in options]
    return Slot(options, costs, len(distributions(size, denominator - 1, positive)))


def distributions(size: int, denominator: int, positive: bool = False) -> list[Distribution]:
    """Return all distributions with a common denominator of at most this, smallest denominators first.

    >>> [[str(p) for p in row] for row in distributions(2, 2)]
    [['1', '0'], ['0', '1'], ['1/2', '1/2']]
    """
    result: dict[Distribution, None] = {}
    for whole in range(1, denominator + 1):
        for parts in _compositions(whole, size, int(positive)):
            result[tuple(Fraction(part, whole) for part in parts)] = None
    return list(result)


def _compositions(whole: int, size: int, least: int) -> Iterator[tuple[int, ...]]:
    if size == 1:
        if whole >= least:
            yield (whole,)
        return
    for first in range(whole, least - 1, -1):
        for rest in _compositions(whole - first, size - 1, least):
            yield (first, *rest)


def _choices(slots: list[Slot], shape: Shape, level: Level, rng: random.Random) -> Iterator[Choice]:
    """Yield all choices of a level that no smaller level has, or some of them, those with least to read first.

    The first feature that is not 0 is positive: the mirror image behaves alike.
    """
    first, last = 1, 1 + shape.states * level.k  # where the features stand
    numbers = slots[first].options

    def cost(choice: Choice) -> int:
        return sum(slot.costs[i] for slot, i in zip(slots, choice, strict=True))

    def is_wanted(choice: Choice) -> bool:
        leading = next((numbers[i] for i in choice[first:last] if i), 0)
        larger = any(i >= slots[first].old for i in choice[first:last])
        finer = level.denominator == 1 or any(i >= slots[j].old for j, i in enumerate(choice) if j > last)
        return leading > 0 and larger and finer

    if prod(len(slot.options) for slot in slots) <= _ALL_OF:
        result = filter(is_wanted, product(*(range(len(slot.options)) for slot in slots)))
        yield from sorted(result, key=cost)  # stable: ties stand in the order of the options
        return
    drawn = {tuple(rng.randrange(len(slot.options)) for slot in slots) for _ in range(_SOME)}
    yield from sorted(filter(is_wanted, drawn), key=lambda choice: (cost(choice), choice))


def _problem(shape: Shape, k: int, choice: list[Any]) -> Problem | None:
    """Return the problem of a choice; None where its chain has no unique stationary weights."""
    n, actions = shape.states, shape.actions
    gamma, flat, paid, rest = choice[0], choice[1 : 1 + n * k], choice[1 + n * k], choice[2 + n * k :]
    features = [flat[s * k : s * k + k] for s in range(n)]
    rewards = [paid, *[0] * (n - 1)]
    if not actions:
        return averaged_process(name="candidate", gamma=gamma, features=features, P=rest[:n], r=rewards, d=rest[n])
    arrivals, policies = rest[: n * actions], rest[n * actions :]
    steps = [
        (s, a, t, p, rewards[s])
        for s in range(n)
        for a in range(actions)
        for t, p in enumerate(arrivals[s * actions + a])
        if p
    ]
    try:
        return Problem(
            name="candidate",
            gamma=gamma,
            features=features,
            transitions=steps,
            behaviour=policies[:n],
            target=policies[n:],
        )
    except BadProblem:
        return None
