"""What some runs of an experiment gave, and how blocks of runs are put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

RUNS = 50
"""Runs that one block of a store holds, or fewer; blocks begin at multiples, so that more runs reuse the old blocks."""
NEVER, VANISHED = -1, -2
"""In the place of an update at which a run left the finite range: none, and none though its errors vanish."""
UNSQUARED = 2.0**-500
"""An error whose square leaves the range of floats: it reads as 0, or has lost digits."""
MOST_RUNS = 10**6
"""Of one configuration."""


class Outcome(NamedTuple):
    """What some runs of L configurations gave. What is measured is an RMSPBE, or in control a return.

    Attributes:
        mean: (points, L), the measure at each point that was read, averaged over the runs.
        m2: (points, L), sum over the runs of squared deviations from that mean.
        area: (runs, L), the measure of a run averaged over all its points; inf where the run diverged.
        diverged: (runs, L), the update at which a run left the finite range, else NEVER or VANISHED.
    """

    mean: Array
    m2: Array
    area: Array
    diverged: Array

    @property
    def runs(self) -> int:
        """Return the number of runs."""
        return len(self.area)

    def standard_error(self) -> Array:
        """Return (points, L), the standard error of `mean` over the runs; nan for a single run."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.sqrt(self.m2 / (self.runs - 1) / self.runs)


def vanish(errors: Array, axis: int) -> Array:
    """Return which runs, whose errors are along an axis, have one above UNSQUARED and one below."""
    small = errors < UNSQUARED
    return np.asarray(small.any(axis=axis) & ~small.all(axis=axis))


def blocks_of(runs: range, size: int = RUNS) -> Iterator[range]:
    """Yield runs in blocks, which begin at multiples of their size."""
    start = runs.start
    while start < runs.stop:
        stop = min((start // size + 1) * size, runs.stop)
        yield range(start, stop)
        start = stop


def merged(blocks: Sequence[Outcome]) -> Outcome:
    """Return the outcome of all runs from those of blocks of runs, in the order of the runs.

    Means and squared deviations are combined pair by pair from the left (Chan, Golub and LeVeque 1983), so that the
    same blocks give the same bits.
    """
    mean, m2, runs = blocks[0].mean, blocks[0].m2, blocks[0].runs
    with np.errstate(over="ignore", invalid="ignore"):
        for block in blocks[1:]:
            difference = block.mean - mean
            total = runs + block.runs
            mean = mean + difference * (block.runs / total)
            m2 = m2 + block.m2 + difference**2 * (runs * block.runs / total)
            runs = total
    area, diverged = (np.vstack([block[i] for block in blocks]) for i in (2, 3))
    return Outcome(finite_or_inf(mean), finite_or_inf(m2), area, diverged)


def finite_or_inf(values: Array) -> Array:
    """Differences of infinities are nan; where a run diverged, the mean over the runs is inf."""
    return np.where(np.isfinite(values), values, np.inf)
