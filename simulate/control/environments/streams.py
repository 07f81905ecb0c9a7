"""Random numbers for many seeds at once: a stream each, which does not depend on the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
