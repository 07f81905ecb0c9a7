"""The memory that a block of lanes needs, laid out for vector instructions and used for one block after another."""

from __future__ import annotations

import math

import numpy as np

from simulate.kernels.template import LANES, TOGETHER
from simulate.step_sizes import StepSize

_LINE = 8
"""Floats of a cache line."""


class Room:
    """Arrays whose last axis runs over the lanes of a block.

    Attributes:
        settings: (3 + P, LANES), alpha, eta, beta and the rule's parameters.
        w, h: (k, LANES).
        states: (2, Q + 1, k, LANES), the rule's accumulators of w and of h, and a sum over a batch.
        scratch, kept, sums: what a kernel works with.
    """

    def __init__(self, rule: StepSize, k: int) -> None:
        self._first = np.array([*rule.state.values(), 0.0])[:, None, None]
        self.settings = aligned(3 + len(rule.parameters), LANES)
        self.w, self.h = aligned(k, LANES), aligned(k, LANES)
        self.states = aligned(2, len(self._first), k, LANES)
        self.scratch, self.sums = aligned(4, LANES), aligned(2, TOGETHER * LANES)
        self.kept = aligned(k, TOGETHER * LANES)
        self.kept[:] = 0

    def fill(self, settings: np.ndarray, initial_weights: np.ndarray) -> None:
        """Begin anew with at most LANES columns of settings; the lanes that are missing are like the first and stay."""
        lanes = settings.shape[1]
        self.settings[:, :lanes], self.settings[:, lanes:] = settings, settings[:, :1]
        self.settings[0, lanes:] = 0
        self.w[:], self.h[:] = initial_weights[:, None], 0
        self.states[:] = self._first


def aligned(*shape: int) -> np.ndarray:
    """Return an array that begins where a cache line does; vectors that straddle two lines take twice as long."""
    size = math.prod(shape)
    raw = np.empty(size + _LINE - 1)
    start = -(raw.ctypes.data // raw.itemsize) % _LINE
    return raw[start : start + size].reshape(shape)
