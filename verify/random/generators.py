"""Kinds of random problems: pure functions of sizes and one integer seed, with small exact numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from tdrc_theory.algorithms import TDRC
from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix
from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems.garnet import garnet, shares
from tdrc_theory.registry import named
from verify.check import CONVERGES
from verify.conditions.setting import Setting
from verify.conditions.verdict import decide
from verify.exact.roots import root_balls

GAMMAS = (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(1))
GRID = 1000
"""Gammas of near-boundary problems are whole multiples of 1/GRID."""
LARGEST = 1000
"""Sizes beyond this are refused; exact arithmetic ends well before."""
_DRAWS = 10_000
"""Problems drawn before a kind with a property to be found gives up."""


Steps = list[tuple[int, int, int, Fraction, int]]
"""(state, action, next state, probability, reward) each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Sizes of a random problem.

    Attributes:
        states, features, actions: how many there are.
        branching: next states of each action; more than there are states means all of them.

    Raises:
        BadOption: a size is below 1 or above LARGEST.
    """

    states: int = 5
    features: int = 3
    actions: int = 2
    branching: int = 2

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 1 <= getattr(self, name) <= LARGEST:
                raise BadOption(f"--{name}: {getattr(self, name)} is not from 1 to {LARGEST}")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of random problem.

    Attributes:
        name: what it is called in options.
        summary: what its problems have in common, in a few words.
        make: returns the problem that sizes and a seed determine, the same on every machine, by the name given.
        least_features, least_states: below these sizes there is no such problem.
    """

    name: str
    summary: str
    make: Callable[[Size, int, str], Problem]
    least_features: int = 1
    least_states: int = 1

    def __call__(self, size: Size, seed: int) -> Problem:
        """Return the problem of a seed.

        Raises:
            BadOption: there is no such problem of these sizes, or none was found.
        """
        for name, least in (("features", self.least_features), ("states", self.least_states)):
            if getattr(size, name) < least:
                raise BadOption(f"--{name}: {getattr(size, name)} given; {self.name} needs at least {least}")
        shape = "-".join(str(getattr(size, name)) for name in size.__slots__)
        return self.make(size, seed, f"{self.name}-{shape}-{seed}")


def chain(size: Size, seed: int, name: str) -> Problem:
    """Return a line of states that each action moves along, one step back or forth; episodes end past the last one.

    Behaviour takes every action, so that every state is left and the last one reached.
    """
    rng, n = random.Random(seed), size.states
    steps = _both_ways(size, rng, lambda s: (s + 1 if s + 1 < n else END, max(s - 1, 0), shares(rng, 2, least=1)[0]))
    return _with_policies(name, steps, size, rng, starts=True)


def garnet_kind(size: Size, seed: int, name: str) -> Problem:
    """Return a Garnet problem (see `tdrc_theory.problems.garnet`), behaviour and target drawn apart."""
    gamma = random.Random(seed).choice(GAMMAS)
    return garnet(size.states, size.actions, size.branching, size.features, seed, gamma, name)


def on_policy(size: Size, seed: int, name: str) -> Problem:
    """Return a Garnet problem whose target policy is the behaviour policy: every importance ratio is 1."""
    result = garnet_kind(size, seed, name)
    return replace(result, target=result.behaviour)


def off_policy(size: Size, seed: int, name: str) -> Problem:
    """Return a Garnet problem whose target policy always takes the action that behaviour takes least."""
    result = garnet_kind(size, seed, name)
    rarest = [row.index(min(row)) for row in result.behaviour]
    target = tuple(tuple(Fraction(int(a == taken)) for a in range(size.actions)) for taken in rarest)
    return replace(result, target=target)


def off_policy_weights(size: Size, seed: int, name: str) -> Problem:
    """Return a Garnet problem under state weights that need not come from any policy."""
    rng = random.Random(f"weights {seed}")
    return replace(off_policy(size, seed, name), state_weights=tuple(shares(rng, size.states, least=0)))


def singular_c(size: Size, seed: int, name: str) -> Problem:
    """Return an off-policy problem whose last feature is a combination of the others, so that C is singular."""
    rng = random.Random(f"singular {seed}")
    result = off_policy_weights(size, seed, name)
    factors = [rng.randint(-2, 2) for _ in range(size.features - 1)]
    x = Matrix([row[:-1] for row in result.features])
    return replace(result, features=Matrix.block([[x, x @ Matrix.column(factors)]]).rows)


def complex_spectrum(size: Size, seed: int, name: str) -> Problem:
    """Return a ring that is walked one way round more than the other, with an A whose eigenvalues are not all real."""
    for draw in range(_DRAWS):
        result = _ring(size, random.Random(f"complex {seed} {draw}"), name)
        if any(root.imag != 0 for root in root_balls(key_matrices(result).A.charpoly())):
            return result
    raise BadOption(f"complex-spectrum: none among {_DRAWS} problems of these sizes; more features make them likelier")


def _ring(size: Size, rng: random.Random, name: str) -> Problem:
    n = size.states
    steps = _both_ways(size, rng, lambda s: ((s + 1) % n, (s - 1) % n, Fraction(rng.randint(6, 9), 10)))
    return _with_policies(name, steps, size, rng)


def _both_ways(size: Size, rng: random.Random, way: Callable[[int], tuple[int, int, Fraction]]) -> Steps:
    """Return steps with drawn rewards; from each state `way` draws where they lead, and how often to the first."""
    steps: Steps = []
    for s in range(size.states):
        for a in range(size.actions):
            on, back, onward = way(s)
            reward = rng.randint(-3, 3)
            steps += [(s, a, on, onward, reward), (s, a, back, 1 - onward, reward)]
    return steps


def near_boundary(size: Size, seed: int, name: str) -> Problem:
    """Return a problem on which the verdict on TDRC at beta = eta = 1 changes within 1/1000 of gamma.

    Bisection between gamma = 0, where it converges, and 999/1000, where it does not; then one side, by lot.
    """
    for draw in range(_DRAWS):
        rng = random.Random(f"boundary {seed} {draw}")
        result = off_policy_weights(size, rng.getrandbits(63), name)
        low, high = 0, GRID - 1
        if _converges(result, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if _converges(result, middle) else (low, middle)
        return replace(result, gamma=Fraction(rng.choice((low, high)), GRID))
    raise BadOption(f"near-boundary: none among {_DRAWS} problems of these sizes")


def _converges(problem: Problem, thousandths: int) -> bool:
    moved = replace(problem, gamma=Fraction(thousandths, GRID))
    return decide(Setting.of(moved, TDRC, Fraction(1), Fraction(1))).status in CONVERGES


def _with_policies(name: str, transitions: Steps, size: Size, rng: random.Random, starts: bool = False) -> Problem:
    """Return a problem with these transitions, all else drawn; behaviour takes every action."""
    n = size.states
    return Problem(
        name=name,
        gamma=rng.choice(GAMMAS),
        features=[[rng.randint(-3, 3) for _ in range(size.features)] for _ in range(n)],
        transitions=transitions,
        behaviour=[shares(rng, size.actions, least=1) for _ in range(n)],
        target=[shares(rng, size.actions, least=0) for _ in range(n)],
        start=shares(rng, n, least=0) if starts else None,
    )


KINDS: tuple[Kind, ...] = (
    Kind("chain", "a line of states, left by its last one; episodes end", chain),
    Kind("garnet", "Garnet(states, actions, branching), behaviour and target apart", garnet_kind),
    Kind("on-policy", "Garnet, target = behaviour", on_policy),
    Kind("off-policy", "Garnet, the target takes what behaviour takes least", off_policy),
    Kind("off-policy-weights", "off-policy, under state weights that no policy need have", off_policy_weights),
    Kind("singular-c", "off-policy weights, and a feature that depends on the others", singular_c, least_features=2),
    Kind("complex-spectrum", "a ring; A has eigenvalues that are not real", complex_spectrum, 2, 3),
    Kind("near-boundary", "the verdict on tdrc, beta = eta = 1, changes within 1/1000 of gamma", near_boundary, 1, 2),
)


def find_kind(name: str) -> Kind:
    """Return a kind by name.

    Raises:
        UnknownName: there is none.
    """
    return named("kind of problem", name, KINDS)


def item_seed(seed: int, item: int) -> int:
    """Return the seed of item `item` of a run: it depends on nothing but the run's seed and the item.

    Raises:
        BadOption: the run's seed is negative.
    """
    import numpy as np

    if seed < 0:
        raise BadOption(f"--seed: {seed} is negative")
    return int(np.random.SeedSequence(seed, spawn_key=(item,)).generate_state(1, np.uint64)[0])
