"""Gymnasium's environments by id: those with discrete actions and flat or numbered observations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simulate.control.environments.replayed import Replayed
from tdrc_theory.errors import BadProblem
from tdrc_theory.problem.environment import make_environments, parse_environment_id


class GymnasiumCopies(Replayed):
    """n copies of one of gymnasium's environments, in this process.

    The cut-off is by default the limit that the environment is registered with. Observations are as they
    come, numbered ones as one-hot vectors.
    """

    def __init__(self, name: str, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = None) -> None:
        """Make the copies.

        Args:
            name: `gymnasium:[MODULE:]ID[?NAME=VALUE&...]`.
            seeds: one a copy.
            cutoff: steps an episode at most.

        Raises:
            MissingExtra: gymnasium is not installed.
            BadProblem: there is no such environment, or it has other kinds of actions or observations.
        """
        parsed = parse_environment_id(name)
        self.name = parsed.text
        # Without the limit and the checker, which looks for mistakes in the environment and warns of them.
        options = {"max_episode_steps": -1, "disable_env_checker": True}
        self._copies, limit = make_environments(parsed, len(seeds), **options)
        spaces = self._copies[0].observation_space, self._copies[0].action_space
        length, self._vector = _flat(self.name, spaces[0])
        self.observation_shape = (length,)
        self.actions, self._first = _discrete(self.name, spaces[1])
        super().__init__(seeds, limit if cutoff is None else cutoff)

    def _begin(self, copy: int, seed: int) -> np.ndarray:
        return self._vector(self._copies[copy].reset(seed=seed)[0])

    def _act(self, copy: int, action: int) -> tuple[np.ndarray, float, bool, bool]:
        seen, reward, terminated, truncated, _ = self._copies[copy].step(self._first + action)
        return self._vector(seen), float(reward), bool(terminated), bool(truncated)


class _OneHot:
    """Observations that are numbered, as vectors."""

    def __init__(self, space: Any) -> None:
        self.size, self._first = int(space.n), int(space.start)

    def __call__(self, seen: Any) -> np.ndarray:
        vector = np.zeros(self.size, dtype=np.float32)
        vector[int(seen) - self._first] = 1
        return vector


def _flat(name: str, space: Any) -> tuple[int, Any]:
    """Return the length of an observation, and what makes it a vector."""
    if type(space).__name__ == "Discrete":
        one_hot = _OneHot(space)
        return one_hot.size, one_hot
    if type(space).__name__ != "Box" or len(space.shape) != 1:
        raise BadProblem(
            f"{name}: observations are {' '.join(str(space).split())}; they must be a vector of numbers, or numbered"
        )
    return int(space.shape[0]), lambda seen: seen


def _discrete(name: str, space: Any) -> tuple[int, int]:
    """Return the number of actions and the first of them."""
    if type(space).__name__ != "Discrete":
        raise BadProblem(f"{name}: actions are {' '.join(str(space).split())}; they must be a finite number")
    return int(space.n), int(space.start)
