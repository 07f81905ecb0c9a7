"""Gymnasium's environments by id: those with discrete actions and flat observations."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from simulate.control.environments.replayed import Replayed
from tdrc_theory.errors import BadProblem, MissingExtra

PREFIX = "gymnasium:"


class GymnasiumCopies(Replayed):
    """n copies of one of gymnasium's environments, in this process.

    The cut-off is by default the limit that the environment is registered with. Observations are as they come.
    """

    def __init__(self, name: str, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = None) -> None:
        """Make the copies.

        Args:
            name: `gymnasium:` and an id.
            seeds: one a copy.
            cutoff: steps an episode at most.

        Raises:
            MissingExtra: gymnasium is not installed.
            BadProblem: there is no such environment, or it has other kinds of actions or observations.
        """
        self.name = PREFIX + " ".join(name.removeprefix(PREFIX).split())
        self._copies, limit = _made(self.name, len(seeds))
        spaces = self._copies[0].observation_space, self._copies[0].action_space
        self.observation_shape = _flat(self.name, spaces[0])
        self.actions, self._first = _discrete(self.name, spaces[1])
        super().__init__(seeds, limit if cutoff is None else cutoff)

    def _begin(self, copy: int, seed: int) -> np.ndarray:
        return self._copies[copy].reset(seed=seed)[0]

    def _act(self, copy: int, action: int) -> tuple[np.ndarray, float, bool, bool]:
        seen, reward, terminated, truncated, _ = self._copies[copy].step(self._first + action)
        return seen, float(reward), bool(terminated), bool(truncated)


def _made(name: str, count: int) -> tuple[list[Any], int | None]:
    """Return the copies and the registered time limit, which they do not apply themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import gymnasium
        except ImportError:
            raise MissingExtra(
                f"{name} needs gymnasium; install it with: pip install 'tdrc-referee[gymnasium]'"
            ) from None
    identifier = name.removeprefix(PREFIX)
    try:
        # Apart from the import, which puts a warnings filter of gymnasium's own before this one.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            limit = gymnasium.spec(identifier).max_episode_steps
            # Without the limit and the checker, which looks for mistakes in the environment and warns of them.
            made = [gymnasium.make(identifier, max_episode_steps=-1, disable_env_checker=True) for _ in range(count)]
    except Exception as error:  # gymnasium has errors of its own for unknown, old and misspelt names
        raise BadProblem(f"{name}: {' '.join(str(error).split())}") from None
    return made, limit


def _flat(name: str, space: Any) -> tuple[int]:
    if type(space).__name__ != "Box" or len(space.shape) != 1:
        raise BadProblem(f"{name}: observations are {' '.join(str(space).split())}; they must be a vector of numbers")
    return (int(space.shape[0]),)


def _discrete(name: str, space: Any) -> tuple[int, int]:
    """Return the number of actions and the first of them."""
    if type(space).__name__ != "Discrete":
        raise BadProblem(f"{name}: actions are {' '.join(str(space).split())}; they must be a finite number")
    return int(space.n), int(space.start)
