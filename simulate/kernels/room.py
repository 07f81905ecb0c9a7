"""The memory that a block of lanes needs, laid out for vector instructions and used for one block after another."""

from __future__ import annotations

import math

import numpy as np

from simulate.kernels.layout import LANE, LANES, SETTINGS, TOGETHER, first_values
from simulate.step_sizes import StepSize

_LINE = 8
"""Floats of a cache line."""


class Room:
    """Arrays whose last axis runs over the lanes of a block, as `layout` says.

    Attributes:
        lane: (7 + P, LANES), what belongs to a lane.
        room: (k, rows x LANES), what belongs to a component of w and h.
        kept, sums: what errors are read with.
    """

    def __init__(self, rule: StepSize, k: int) -> None:
        self._first = np.repeat(first_values(rule), LANES)
        self.lane = aligned(len(LANE) + len(rule.parameters), LANES)
        self.room = aligned(k, len(self._first))
        self.kept, self.sums = aligned(k, TOGETHER * LANES), aligned(2, TOGETHER * LANES)
        self.kept[:] = 0

    @property
    def weights(self) -> np.ndarray:
        """Return w, (k, LANES)."""
        return self.room[:, :LANES]

    def fill(self, settings: np.ndarray, initial_weights: np.ndarray) -> None:
        """Begin anew with at most LANES columns of settings; the lanes that are missing are like the first and stay."""
        given, lanes = self.lane[SETTINGS:], settings.shape[1]
        given[:, :lanes], given[:, lanes:] = settings, settings[:, :1]
        given[0, lanes:] = 0
        self.room[:] = self._first
        self.weights[:] = initial_weights[:, None]


def aligned(*shape: int) -> np.ndarray:
    """Return an array that begins where a cache line does; vectors that straddle two lines take twice as long."""
    size = math.prod(shape)
    raw = np.empty(size + _LINE - 1)
    start = -(raw.ctypes.data // raw.itemsize) % _LINE
    return raw[start : start + size].reshape(shape)
