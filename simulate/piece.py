"""A piece of an experiment, many configurations over some runs, and what comes out of it."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from simulate.environment import Environment, Trajectory
from simulate.kernels import Kernel, Lanes, kernel
from simulate.kernels.layout import LANES
from simulate.step_sizes import StepSize
from simulate.work import NEVER, VANISHED, RunOutcome, Work, finite_or_inf, vanish, versions
from tdrc_theory.learner.algorithm import Algorithm

VERSION = 1
"""Of what an outcome is: raised whenever `compute`, or an error measure, changes what it returns for the same key."""
_compiled_by = functools.cache(lambda: versions("llvmlite", "numpy"))


@dataclass(frozen=True, eq=False)
class Piece(Work):
    """Some runs of several configurations of one algorithm and step-size rule in one environment.

    Attributes:
        environment, algorithm, rule: what is run.
        lanes: the configurations, a lane each.
        first, every: the error is read after updates first, first + every, ... (0 is before any update).
        thin: only every thin-th point read stays in `mean` and `m2`; areas are over all of them.
    """

    environment: Environment
    algorithm: Algorithm
    rule: StepSize
    lanes: Lanes
    first: int = 1
    every: int = 10
    thin: int = 1

    together: ClassVar[int] = LANES

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
        return replace(self, lanes=self.lanes.of(chosen))

    def keys(self) -> list[bytes]:
        """Return a key for each lane: a hash of everything that its outcome depends on."""
        runs = (self.runs.start, self.runs.stop, self.first, self.every, self.thin)
        text = self._update.text(self.environment)
        sources = _compiled_by(), self._update.parameters, hashlib.sha256(text.encode()).hexdigest()
        shared = hashlib.sha256(repr((VERSION, self.environment.key, sources, runs)).encode())
        keys = []
        for lane in self._update.settings(self.lanes).T:
            own = shared.copy()
            own.update(np.ascontiguousarray(lane, "<f8").tobytes())
            keys.append(own.digest())
        return keys

    def descriptions(self) -> list[str]:
        """Return a line for each lane that says what it is."""
        names = ("alpha", *self._update.parameters, *self.rule.parameters)
        what = f"{self.environment.name}, {self.algorithm.name}, {self.rule.name}"
        runs = f"runs {self.runs.start} to {self.runs.stop - 1}"
        return [
            f"{what}, {', '.join(f'{n} {v:.6g}' for n, v in zip(names, lane, strict=True))}, {runs}"
            for lane in self._update.settings(self.lanes).T
        ]

    @property
    def version(self) -> str:
        """Return by what it is computed."""
        return ", ".join([f"prediction {VERSION}", *_compiled_by()])

    @property
    def _update(self) -> Kernel:
        return kernel(self.algorithm, self.rule)

    @property
    def shares(self) -> Hashable | None:
        """Return what it has in common with pieces that are best computed together: data that are drawn once a run."""
        return None if self.environment.data is None else (self.environment, self.runs)

    def compute(self) -> RunOutcome:
        """Run it. The numbers of a lane depend on that lane and the runs alone, never on its neighbours."""
        return together([self])[0]


def together(pieces: Sequence[Piece]) -> list[RunOutcome]:
    """Return the outcomes of pieces over the same runs of one environment, whose experience is drawn once for all."""
    environment, tallies = pieces[0].environment, [_Tally(piece) for piece in pieces]
    for row, run in enumerate(pieces[0].runs):
        trajectory = environment.trajectory(run)
        for tally in tallies:
            tally.add(row, trajectory)
    return [tally.outcome() for tally in tallies]


class _Tally:
    """Runs a piece one run after another."""

    def __init__(self, piece: Piece) -> None:
        self._piece, self._update = piece, kernel(piece.algorithm, piece.rule)
        self._read = np.arange(piece.first, piece.environment.steps + 1, piece.every)
        self._mean, self._m2 = np.zeros((2, len(piece.points), piece.width))
        self._area = np.empty((len(piece.runs), piece.width))
        self._diverged = np.empty((len(piece.runs), piece.width), np.int64)

    def add(self, row: int, trajectory: Trajectory) -> None:
        """Do one run, whose number among the piece's is `row`."""
        piece = self._piece
        errors, left, _ = self._update(piece.environment, trajectory, piece.lanes, self._read)
        with np.errstate(over="ignore", invalid="ignore"):
            # Along a contiguous axis, NumPy adds the points of each lane in an order that no other lane changes.
            self._area[row] = np.where(left < 0, np.ascontiguousarray(errors.T).mean(axis=1), np.inf)
            self._diverged[row] = np.where((left == NEVER) & vanish(errors, axis=0), VANISHED, left)
            kept = errors[:: piece.thin]
            deviation = kept - self._mean
            self._mean += deviation / (row + 1)
            self._m2 += deviation * (kept - self._mean)

    def outcome(self) -> RunOutcome:
        """Return what all runs gave."""
        return RunOutcome(finite_or_inf(self._mean), finite_or_inf(self._m2), self._area, self._diverged)
