"""What an agent needs of its environment: copies, one a seed, that are stepped together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tdrc_theory.errors import BadOption


class Step(NamedTuple):
    """What one step of all copies gives.

    Attributes:
        observations: (n, *observation_shape) float32, of the states reached; also where an episode has ended there.
        rewards: (n,) float32.
        terminated: (n,) bool, the state reached is terminal, so that its value is 0.
        truncated: (n,) bool, the time limit has cut the episode off in a state that has a value; never where it
            has terminated.
    """

    observations: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray


class Environments(ABC):
    """n copies of an environment, one a seed; each has a history of its own seed and actions alone.

    An episode that has ended stays as it is until `reset`; to step it further is the caller's mistake.

    Attributes:
        name: as commands take it.
        actions: number of actions; they are 0, 1, ....
        observation_shape: of one copy's observation.
        observation_dtype: the smallest type that holds every observation exactly, for whoever keeps many.
        cutoff: steps after which an episode is truncated; None where there is no limit.
        kept: names of a subclass's own arrays that decide what happens next.
    """

    name: str
    actions: int
    observation_shape: tuple[int, ...]
    observation_dtype: np.dtype = np.dtype(np.float32)
    kept: tuple[str, ...] = ()

    def __init__(self, seeds: Sequence[np.random.SeedSequence], cutoff: int | None) -> None:
        """Prepare a copy for each seed; a subclass then begins the first episodes by `reset`.

        Raises:
            BadOption: the cut-off is below 1.
        """
        if cutoff is not None and cutoff < 1:
            raise BadOption(f"--cutoff: {cutoff} is less than 1 step")
        self.cutoff = cutoff
        self._streams = Streams(seeds)
        self._elapsed = np.zeros(len(seeds), dtype=np.int64)

    def __len__(self) -> int:
        """Return n, the number of copies."""
        return len(self._elapsed)

    @abstractmethod
    def observe(self) -> np.ndarray:
        """Return (n, *observation_shape) float32, what is seen of each copy's present state; the caller's own."""

    def reset(self, which: np.ndarray) -> None:
        """Begin a new episode in the copies where `which`, (n,) bool, is true."""
        chosen = np.flatnonzero(which)
        if chosen.size:
            self._elapsed[chosen] = 0
            self._restart(chosen)

    def step(self, actions: np.ndarray) -> Step:
        """Take one action in each copy, (n,) integers from 0 to `actions` - 1."""
        assert actions.shape == self._elapsed.shape
        rewards, terminated, truncated = self._advance(actions)
        self._elapsed += 1
        if self.cutoff is not None:
            truncated = truncated | (self._elapsed >= self.cutoff)
        return Step(self.observe(), rewards.astype(np.float32), terminated, truncated & ~terminated)

    def state(self) -> dict[str, np.ndarray]:
        """Return everything that decides what happens next, as arrays of numbers."""
        own = {name: getattr(self, name).copy() for name in self.kept}
        return {"streams": self._streams.position.copy(), "elapsed": self._elapsed.copy(), **own}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go back to where `state` was taken from copies with the same number of seeds."""
        self._streams.position[:] = state["streams"]
        self._elapsed[:] = state["elapsed"]
        for name in self.kept:
            getattr(self, name)[:] = state[name]

    @abstractmethod
    def _restart(self, chosen: np.ndarray) -> None:
        """Put these copies into the first state of an episode."""

    @abstractmethod
    def _advance(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | bool]:
        """Move all copies on by one step; return (n,) rewards, terminated and, of a limit of its own, truncated."""


_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_SHIFTS = (np.uint64(30), np.uint64(27), np.uint64(31))
_ALL = slice(None)


class Streams:
    """SplitMix64 for each seed (Steele, Lea, Flood, 2014), begun at a place that a SeedSequence chooses.

    Its whole state is one number a seed, so that it is kept and restored exactly, and all seeds draw in a few
    integer operations.

    Attributes:
        position: (n,) uint64, where each stream is.
    """

    def __init__(self, seeds: Sequence[np.random.SeedSequence]) -> None:
        self.position = np.array([seed.generate_state(1, np.uint64)[0] for seed in seeds], dtype=np.uint64)

    def words(self, chosen: np.ndarray | slice = _ALL) -> np.ndarray:
        """Return the next 64 bits of the chosen streams, and move those on; uint64."""
        self.position[chosen] += _STEP
        return _mixed(self.position[chosen])

    def table(self, count: int) -> np.ndarray:
        """Return the next words of every stream, (n, count), as so many calls of `words` would give them in turn."""
        ahead = self.position[:, None] + _STEP * np.arange(1, count + 1, dtype=np.uint64)
        self.position = ahead[:, -1].copy()
        return _mixed(ahead)

    def uniform(self, chosen: np.ndarray | slice = _ALL) -> np.ndarray:
        """Return the next number in [0, 1) of the chosen streams, a multiple of 2^-53; float64."""
        return (self.words(chosen) >> np.uint64(11)) * 2.0**-53


def _mixed(word: np.ndarray) -> np.ndarray:
    word = (word ^ (word >> _SHIFTS[0])) * _FIRST
    word = (word ^ (word >> _SHIFTS[1])) * _SECOND
    return word ^ (word >> _SHIFTS[2])
