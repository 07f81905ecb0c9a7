"""Mountain Car (Moore, 1990; Sutton, 1996): an underpowered car must swing to get over a hill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simulate.control.environments.environment import Environments

LEFT, RIGHT = -1.2, 0.6
GOAL = 0.5
FASTEST = 0.07
FORCE, GRAVITY = 0.001, 0.0025
LOWEST_START, HIGHEST_START = -0.6, -0.4
REWARD = -1.0


def start(uniform: Any) -> Any:
    """Return the position in which an episode begins, at rest, from a number in [0, 1); elementwise."""
    return LOWEST_START + (HIGHEST_START - LOWEST_START) * uniform


def dynamics(position: Any, velocity: Any, action: Any) -> tuple[Any, Any]:
    """Return the next position and velocity; elementwise.

    Arrays go through it as they are, and compiled learners take it in, so that it is written once.
    """
    velocity = velocity + ((action - 1) * FORCE - GRAVITY * np.cos(3 * position))
    velocity = np.minimum(np.maximum(velocity, -FASTEST), FASTEST)
    position = np.minimum(np.maximum(position + velocity, LEFT), RIGHT)
    velocity = np.maximum(velocity, -FASTEST * (position > LEFT))  # the wall at the left end stops the car
    return position, velocity


def at_goal(position: Any, velocity: Any) -> Any:
    """Return whether an episode ends in this state; elementwise."""
    return (position >= GOAL) & (velocity >= 0)


class MountainCar(Environments):
    """Reward -1 a step until the goal is reached; the dynamics are gymnasium's MountainCar-v0.

    Actions push back, not at all, or forward. An episode begins at rest, at a uniform position in [-0.6, -0.4].
    The observation is position and velocity as they are: the paper mentions no scaling.

    Attributes:
        position, velocity: (n,) float64, the states.
    """

    name = "mountain-car"
    actions = 3
    observation_shape = (2,)
    kept = ("position", "velocity")

    def __init__(self, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = 1000) -> None:
        super().__init__(seeds, cutoff)
        self.position = np.zeros(len(seeds))
        self.velocity = np.zeros(len(seeds))
        self.reset(np.ones(len(seeds), dtype=bool))

    def observe(self) -> np.ndarray:
        """Return (n, 2) float32, position and velocity."""
        return np.stack((self.position, self.velocity), axis=1, dtype=np.float32, casting="same_kind")

    def _restart(self, chosen: np.ndarray) -> None:
        self.position[chosen] = start(self._streams.uniform(chosen))
        self.velocity[chosen] = 0.0

    def _advance(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | bool]:
        self.position, self.velocity = dynamics(self.position, self.velocity, actions)
        return np.full(len(self), REWARD), at_goal(self.position, self.velocity), False
