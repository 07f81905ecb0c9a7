"""Environments of other packages: one object a copy, whose state is what its episode's seed and actions make of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from simulate.control.environments.environment import Environments, Moved
from tdrc_theory.errors import BadProblem


class Replayed(Environments):
    """Copies whose insides cannot be written down: a state is the episode's seed and the actions since it began.

    Each episode has a seed of its own, drawn from the copy's stream, so that nothing is carried over from the
    episode before; `restore` plays the episode again.
    """

    def __init__(self, seeds: Sequence[np.random.SeedSequence], cutoff: int | None) -> None:
        """Begin the first episode of each copy; whatever `_begin` needs must be there before."""
        super().__init__(seeds, cutoff)
        self._seeds = np.zeros(len(seeds), dtype=np.int64)
        self._taken: list[list[int]] = [[] for _ in seeds]
        self._seen = np.zeros((len(seeds), *self.observation_shape), dtype=self.observation_dtype)
        self.reset(np.ones(len(seeds), dtype=bool))

    def observe(self) -> np.ndarray:
        """Return (n, *observation_shape) float32."""
        return self._seen.astype(np.float32)

    def state(self) -> dict[str, np.ndarray]:
        """Return the streams, the time elapsed, the seeds and actions of the episodes, and what is seen."""
        taken = np.zeros((len(self), max(map(len, self._taken))), dtype=np.int64)
        for row, actions in zip(taken, self._taken, strict=True):
            row[: len(actions)] = actions
        return super().state() | {"seeds": self._seeds.copy(), "taken": taken, "seen": self._seen.copy()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go back to where `state` was taken, by playing each episode again.

        Raises:
            BadProblem: the environment does not do the same again.
        """
        super().restore(state)
        self._seeds[:] = state["seeds"]
        for copy, (seed, length) in enumerate(zip(self._seeds.tolist(), self._elapsed.tolist(), strict=True)):
            self._taken[copy] = state["taken"][copy, :length].tolist()
            self._seen[copy] = self._begin(copy, seed)
            for action in self._taken[copy]:
                self._seen[copy] = self._act(copy, action)[0]
        if not np.array_equal(self._seen, state["seen"], equal_nan=self._seen.dtype.kind == "f"):
            raise BadProblem(f"{self.name}: cannot be resumed: the same seed and actions lead to something else")

    def _restart(self, chosen: np.ndarray) -> None:
        self._seeds[chosen] = self._streams.words(chosen) >> np.uint64(33)
        for copy in chosen.tolist():
            self._taken[copy] = []
            self._seen[copy] = self._begin(copy, int(self._seeds[copy]))

    def _advance(self, actions: np.ndarray) -> Moved:
        rewards = np.zeros(len(self))
        terminated, truncated = np.zeros((2, len(self)), dtype=bool)
        for copy, action in enumerate(actions.tolist()):
            self._taken[copy].append(action)
            self._seen[copy], rewards[copy], terminated[copy], truncated[copy] = self._act(copy, action)
        return Moved(rewards, terminated, truncated)

    @abstractmethod
    def _begin(self, copy: int, seed: int) -> np.ndarray:
        """Begin an episode in one copy, decided by a seed below 2^31; return what is seen."""

    @abstractmethod
    def _act(self, copy: int, action: int) -> tuple[np.ndarray, float, bool, bool]:
        """Take a step in one copy; return what is seen, the reward, terminated and truncated."""
