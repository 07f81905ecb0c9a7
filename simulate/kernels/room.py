"""The memory that a block of lanes needs, laid out for vector instructions and used for one block after another."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from simulate.kernels.layout import LANES, TOGETHER

if TYPE_CHECKING:
    from simulate.kernels.layout import Layout

_LINE = 8
"""Floats of a cache line."""


class Room:
    """Arrays whose last axis runs over the lanes of a block, as `layout` says.

    Attributes:
        lane: (rows, LANES), what belongs to a lane.
        room: (k, rows x LANES), what belongs to a component.
        kept, sums: what errors are read with.
    """

    def __init__(self, layout: Layout, k: int) -> None:
        self._settings, self._first_of_lane = layout.settings, np.array(layout.lanes)[:, None]
        self._first = np.repeat(layout.components, LANES)
        self.lane = aligned(len(layout.lanes), LANES)
        self.room = aligned(k, len(self._first))
        self.kept, self.sums = aligned(k, TOGETHER * LANES), aligned(2, TOGETHER * LANES)
        self.kept[:] = 0

    @property
    def weights(self) -> np.ndarray:
        """Return w, (k, LANES)."""
        return self.room[:, :LANES]

    def fill(self, settings: np.ndarray, initial_weights: np.ndarray) -> None:
        """Begin anew with at most LANES columns of settings; the lanes that are missing are like the first and stay."""
        self.lane[:] = self._first_of_lane
        given, lanes = self.lane[: self._settings], settings.shape[1]
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
