"""What is computed and stored, pieces of prediction and of control alike, and what comes out of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from typing import Any, ClassVar, NamedTuple, Self

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


class RunOutcome(NamedTuple):
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


def merged(blocks: Sequence[RunOutcome]) -> RunOutcome:
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
    return RunOutcome(finite_or_inf(mean), finite_or_inf(m2), area, diverged)


def finite_or_inf(values: Array) -> Array:
    """Differences of infinities are nan; where a run diverged, the mean over the runs is inf."""
    return np.where(np.isfinite(values), values, np.inf)


@dataclass(frozen=True, eq=False)
class Work(ABC):
    """Some runs of several configurations, which can be computed and stored.

    Attributes:
        runs: their numbers, in steps of 1; run i has the same random numbers whatever else is run.
        together: how many configurations are best computed at once.
    """

    runs: range = field(kw_only=True)

    together: ClassVar[int]

    @property
    def processes(self) -> bool:
        """Return whether it is computed in a process of its own, since threads would wait for each other."""
        return False

    @property
    def shares(self) -> Hashable | None:
        """Return what it has in common with pieces that are best computed together; None for nothing."""
        return None

    @property
    def block(self) -> int:
        """Return how many runs are computed and stored at once, at most."""
        return RUNS

    @property
    @abstractmethod
    def width(self) -> int:
        """Return the number of configurations."""

    @property
    @abstractmethod
    def updates(self) -> int:
        """Return how many updates it takes, at most."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Return by what it is computed: the part of this program, and the packages, each with its version."""

    def blocks(self) -> Iterator[Self]:
        """Yield the same configurations over blocks of runs, in order; `merged` puts their outcomes together."""
        start = self.runs.start
        while start < self.runs.stop:
            stop = min((start // self.block + 1) * self.block, self.runs.stop)
            yield replace(self, runs=range(start, stop))
            start = stop

    @abstractmethod
    def of_lanes(self, chosen: list[int]) -> Self:
        """Return the piece with these of its configurations only."""

    @abstractmethod
    def keys(self) -> list[bytes]:
        """Return a key for each configuration: a hash of everything that its outcome depends on."""

    @abstractmethod
    def descriptions(self) -> list[str]:
        """Return a line for each configuration that says what it is."""

    @abstractmethod
    def compute(self) -> RunOutcome:
        """Run it. The numbers of a configuration depend on that one and the runs alone, never on its neighbours."""


def versions(*packages: str) -> list[str]:
    """Return the installed packages, each with its version: `numpy 2.3.1`.

    Raises:
        PackageNotFoundError: one is not installed.
    """
    return [f"{package} {metadata.version(package)}" for package in packages]
