"""Cart Pole (Barto, Sutton, Anderson, 1983): a cart is pushed left or right so that the pole on it stays up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulate.control.environments.environment import Environments

GRAVITY = 9.8
POLE_MASS, TOTAL_MASS = 0.1, 1.1
HALF_LENGTH = 0.5
FORCE = 10.0
SECONDS = 0.02
FARTHEST = 2.4
STEEPEST = 12 * 2 * np.pi / 360
START = 0.05


class CartPole(Environments):
    """Reward +1 a step, also the last; the dynamics are gymnasium's CartPole-v1, which are integrated by Euler's rule.

    Actions push left or right. An episode begins with each number of the state uniform in [-0.05, 0.05], and
    terminates when the cart leaves the track (2.4) or the pole leans by more than 12 degrees. The paper ends it
    after 500 steps as well; that is a time limit, so a truncation. The observation is the state as it is.

    Attributes:
        states: (4, n) float64; place, velocity, angle (radians), angular velocity.
    """

    name = "cart-pole"
    actions = 2
    observation_shape = (4,)
    kept = ("states",)

    def __init__(self, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = 500) -> None:
        super().__init__(seeds, cutoff)
        self.states = np.zeros((4, len(seeds)))
        self.reset(np.ones(len(seeds), dtype=bool))

    def observe(self) -> np.ndarray:
        """Return (n, 4) float32: place, velocity, angle, angular velocity."""
        return self.states.T.astype(np.float32, order="C")

    def _restart(self, chosen: np.ndarray) -> None:
        for row in self.states:
            row[chosen] = START * (2 * self._streams.uniform(chosen) - 1)

    def _advance(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | bool]:
        _, velocity, angle, turning = self.states
        cosine, sine = np.cos(angle), np.sin(angle)
        lever = POLE_MASS * HALF_LENGTH
        push = (np.where(actions == 1, FORCE, -FORCE) + lever * turning**2 * sine) / TOTAL_MASS
        inertia = HALF_LENGTH * (4 / 3 - POLE_MASS * cosine**2 / TOTAL_MASS)
        turning_faster = (GRAVITY * sine - cosine * push) / inertia
        faster = push - lever * turning_faster * cosine / TOTAL_MASS
        self.states = self.states + SECONDS * np.stack((velocity, faster, turning, turning_faster))
        place, _, angle, _ = self.states
        return np.ones(len(self)), (abs(place) > FARTHEST) | (abs(angle) > STEEPEST), False
