"""What an agent needs of its environment: copies, one a seed, that are stepped together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulate.control.environments.streams import Streams
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


class Moved(NamedTuple):
    """What a subclass returns of a step: rewards (n,), terminated (n,) and, of a limit of its own, truncated (n,)."""

    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray | bool = False


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
        """Take one action in each copy.

        Args:
            actions: (n,) integers from 0 to `actions` - 1.
        """
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
    def _advance(self, actions: np.ndarray) -> Moved:
        """Move all copies on by one step."""
