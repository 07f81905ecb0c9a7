"""A piece of an experiment, many configurations over some runs, and what comes out of it."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np

from simulate.environment import Environment
from simulate.kernels import Lanes, kernel
from simulate.step_sizes import StepSize
from tdrc_theory.algorithm import Algorithm

Array = np.ndarray[Any, np.dtype[Any]]

VERSION = 1
"""Of what an outcome is: raised whenever `compute`, or an error measure, changes what it returns for the same key."""
RUNS = 50
"""Runs that one block of a store holds; blocks begin at its multiples, so that more runs reuse the old blocks."""
MOST_RUNS = 10**6
"""Of one configuration."""


class Outcome(NamedTuple):
    """What some runs of L configurations gave; the error is the RMSPBE.

    Attributes:
        mean: (points, L), the error at each point that was read, averaged over the runs.
        m2: (points, L), sum over the runs of squared deviations from that mean.
        area: (runs, L), the error of a run averaged over all its points; inf where the run diverged.
        diverged: (runs, L), the update at which a run left the finite range, -1 for never.
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


@dataclass(frozen=True, eq=False)
class Piece:
    """Some runs of several configurations of one algorithm and step-size rule in one environment.

    Attributes:
        environment, algorithm, rule: what is run.
        lanes: the configurations, a lane each.
        runs: run numbers, in steps of 1; run i has the same experience whatever else is run.
        first, every: the error is read after updates first, first + every, ... (0 is before any update).
        thin: only every thin-th point read stays in `mean` and `m2`; areas are over all of them.
    """

    environment: Environment
    algorithm: Algorithm
    rule: StepSize
    lanes: Lanes
    runs: range
    first: int = 1
    every: int = 10
    thin: int = 1

    @property
    def points(self) -> range:
        """Return the updates after which `mean` and `m2` are given."""
        return range(self.first, self.environment.steps + 1, self.every)[:: self.thin]

    @property
    def width(self) -> int:
        """Return the number of configurations."""
        return len(self.lanes.alpha)

    @property
    def updates(self) -> int:
        """Return how many updates it takes."""
        return self.environment.steps * self.width * len(self.runs)

    def of_lanes(self, chosen: list[int]) -> Piece:
        """Return the piece with these of its configurations only."""
        lanes = self.lanes
        parts = (lanes.alpha[chosen], lanes.eta[chosen], lanes.beta[chosen], lanes.parameters[:, chosen])
        return replace(self, lanes=Lanes(*parts))

    def blocks(self) -> Iterator[Piece]:
        """Yield the same configurations over blocks of runs, in order; `merged` puts their outcomes together."""
        start = self.runs.start
        while start < self.runs.stop:
            stop = min((start // RUNS + 1) * RUNS, self.runs.stop)
            yield replace(self, runs=range(start, stop))
            start = stop

    def keys(self) -> list[bytes]:
        """Return a key for each lane: a hash of everything that its outcome depends on."""
        runs = (self.runs.start, self.runs.stop, self.first, self.every, self.thin)
        sources = _sources(self.algorithm, self.rule, self.environment.batch > 1)
        shared = hashlib.sha256(repr((VERSION, self.environment.key, sources, runs)).encode())
        keys = []
        for lane in _table(self.lanes).T:
            own = shared.copy()
            own.update(np.ascontiguousarray(lane, "<f8").tobytes())
            keys.append(own.digest())
        return keys

    def told(self) -> list[str]:
        """Return a line for each lane that says what it is."""
        names = ("alpha", "eta", "beta", *self.rule.parameters)
        what = f"{self.environment.name}, {self.algorithm.name}, {self.rule.name}"
        runs = f"runs {self.runs.start} to {self.runs.stop - 1}"
        return [
            f"{what}, {', '.join(f'{n} {v:.6g}' for n, v in zip(names, lane, strict=True))}, {runs}"
            for lane in _table(self.lanes).T
        ]

    def compute(self) -> Outcome:
        """Run it. The numbers of a lane depend on that lane and the runs alone, never on its neighbours."""
        update = kernel(self.algorithm, self.rule)
        read = np.arange(self.first, self.environment.steps + 1, self.every)
        mean, m2 = np.zeros((2, len(self.points), self.width))
        area = np.empty((len(self.runs), self.width))
        diverged = np.empty((len(self.runs), self.width), np.int64)
        with np.errstate(over="ignore", invalid="ignore"):
            for row, run in enumerate(self.runs):
                trajectory = self.environment.trajectory(run)
                errors, left, _ = update(self.environment, trajectory, self.lanes, read)
                # Along a contiguous axis, NumPy adds the points of each lane in an order that no other lane changes.
                area[row] = np.where(left < 0, np.ascontiguousarray(errors.T).mean(axis=1), np.inf)
                diverged[row] = left
                kept = errors[:: self.thin]
                deviation = kept - mean
                mean += deviation / (row + 1)
                m2 += deviation * (kept - mean)
        return Outcome(_finite_or_inf(mean), _finite_or_inf(m2), area, diverged)


def merged(blocks: list[Outcome]) -> Outcome:
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
    return Outcome(_finite_or_inf(mean), _finite_or_inf(m2), area, diverged)


@functools.cache
def _sources(algorithm: Algorithm, rule: StepSize, batched: bool) -> str:
    """Return a hash of all that is compiled, and of what compiles it."""
    versions = [f"{package} {metadata.version(package)}" for package in ("numba", "numpy")]
    fixed = sorted(algorithm.fixed.items())
    return hashlib.sha256(repr((versions, fixed, kernel(algorithm, rule).text(batched))).encode()).hexdigest()


def _table(lanes: Lanes) -> Array:
    return np.vstack([lanes.alpha, lanes.eta, lanes.beta, lanes.parameters])


def _finite_or_inf(values: Array) -> Array:
    """Differences of infinities are nan; where a run diverged, the mean over the runs is inf."""
    return np.where(np.isfinite(values), values, np.inf)
