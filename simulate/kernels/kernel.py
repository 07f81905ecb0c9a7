"""A kernel: one algorithm under one step-size rule, compiled, for any problem and any number of configurations."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simulate.compiling.cache import compiled
from simulate.environment import Environment, Trajectory
from simulate.kernels.kernel_residual_gradient import Smoothing, smoothing_of
from simulate.kernels.lanes import Lanes
from simulate.kernels.layout import LANES, VECTOR
from simulate.kernels.room import Room, aligned
from simulate.kernels.template import kernel_text
from simulate.step_sizes import StepSize
from tdrc_theory.errors import BadAlgorithm, NotAffine, TheoryError
from tdrc_theory.learner.algorithm import Algorithm


class Readings(NamedTuple):
    """What one run leaves behind.

    Attributes:
        errors: (points, L), RMSPBE after each of the updates at which it is read.
        diverged: (L,), the update that took a weight out of the finite range, -1 where none did.
        weights: (k, L), w after the last update.
    """

    errors: np.ndarray
    diverged: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Kernel:
    """An algorithm under a step-size rule; call it with a trajectory and lanes.

    What comes out of a lane depends on that lane and the trajectory alone: not on its neighbours, nor their number.
    """

    algorithm: Algorithm
    rule: StepSize

    def __call__(
        self,
        environment: Environment,
        trajectory: Trajectory,
        lanes: Lanes,
        points: Sequence[int] | np.ndarray | None = None,
    ) -> Readings:
        """Run every lane along the trajectory.

        Args:
            environment: features, first weights and error measure; `steps` updates of `batch` samples each.
            trajectory: what the lanes experience.
            lanes: configurations; a parameter that the algorithm fixes is not read.
            points: the updates after which the error is read, increasing; 0 is before any. Default: 0 and all.

        Raises:
            BadAlgorithm: it cannot be compiled, or it compares the samples of a batch and the environment has none.
        """
        similarity, deltas = self._smoothed(environment)
        run = self._batched if environment.batch > 1 else self._single
        columns = [np.ascontiguousarray(column, dtype) for column, dtype in zip(trajectory, _DTYPES, strict=True)]
        assert all(len(column) == environment.steps * environment.batch for column in columns), "one sample a place"
        read = np.arange(environment.steps + 1) if points is None else np.ascontiguousarray(points, np.int64)
        assert (np.diff(read) > 0).all(), "points increase"
        assert len(read) == 0 or 0 <= read[0] <= read[-1] <= environment.steps, "points are numbers of updates"
        settings = self._settings(lanes)
        L, k = settings.shape[1], len(environment.initial_weights)
        width = -(-L // VECTOR) * VECTOR
        errors = aligned(len(read), width)
        diverged, weights = np.full(width, -1), np.empty((k, width))
        measure, room = environment.error, Room(self.rule, k)
        given = environment.features, environment.gamma, measure.residual, measure.offset, similarity, *columns
        counts = environment.batch, environment.steps, read
        for at in range(0, width, LANES):
            block = slice(at, min(at + LANES, width))
            room.fill(settings[:, block], environment.initial_weights)
            work = room.lane.reshape(-1), room.room, room.kept, room.sums, deltas
            run(*given, *counts, at, *work, errors, diverged[block])
            weights[:, block] = room.weights[:, : len(diverged[block])]
        return Readings(errors[:, :L], diverged[:L], weights[:, :L])

    def _smoothed(self, environment: Environment) -> tuple[np.ndarray, np.ndarray]:
        """Return the similarity of states and room for a batch's TD errors, both empty where delta_hat is h.x."""
        if self._smoothing is None:
            return np.empty((0, 0)), np.empty((0, LANES))
        if environment.batch == 1:
            raise BadAlgorithm(f"{self.algorithm.name} compares the samples of a mini-batch, and there are none")
        return self._smoothing.similarity(environment.features), aligned(environment.batch, LANES)

    def _settings(self, lanes: Lanes) -> np.ndarray:
        """Return alpha, eta, beta and the rule's parameters as rows, the algorithm's own where it fixes them."""
        table = np.array([lanes.alpha, lanes.eta, lanes.beta, *lanes.parameters], np.float64)
        for row, name in ((1, "eta"), (2, "beta")):
            if name in self.algorithm.fixed:
                table[row] = float(self.algorithm.fixed[name])
        return table

    def text(self, batched: bool) -> str:
        """Return the module that is compiled; with the versions of Numba and NumPy it decides every bit.

        Raises:
            BadAlgorithm: it is a learner of vectors, which no kernel runs.
        """
        if self.algorithm.weights:
            raise BadAlgorithm(f"{self.algorithm.name} is a function of vectors; runs take functions of one component")
        h, smoothing = self._has_h, self._smoothing
        return kernel_text(self.algorithm, self.rule, has_h=h, batched=batched, smoothing=smoothing)

    @functools.cached_property
    def _single(self) -> Any:
        return self._compiled(batched=False)

    @functools.cached_property
    def _batched(self) -> Any:
        return self._compiled(batched=True)

    def _compiled(self, batched: bool) -> Any:
        text = self.text(batched)
        try:
            return compiled(text).run
        except TheoryError:
            raise
        except Exception as error:  # the compiler has many
            self._refuse_what_is_no_equation()
            raise BadAlgorithm(f"{self.algorithm.name} cannot be compiled: {_told(error)}") from error

    def _refuse_what_is_no_equation(self) -> None:
        """Raise what is wrong with a function that is not even read as an equation, which says more than a compiler."""
        with contextlib.suppress(NotAffine):
            _ = self.algorithm.trace

    @property
    def _smoothing(self) -> Smoothing | None:
        return smoothing_of(self.algorithm)

    @functools.cached_property
    def _has_h(self) -> bool:
        if self._smoothing:
            return False
        try:
            return "h" in self.algorithm.stacked
        except BadAlgorithm:  # it is not affine, or not even read as an equation; compiled it may be all the same
            return True


@functools.lru_cache(maxsize=256)  # its text takes as long to write as a short run
def kernel(algorithm: Algorithm, rule: StepSize) -> Kernel:
    """Return the kernel of an algorithm under a step-size rule; it is compiled when it is first called."""
    return Kernel(algorithm, rule)


_DTYPES = (np.int64, np.int64, np.float64, np.float64)


def _told(error: Exception) -> str:
    """Return the line of the compiler's long message that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    wrong = [line.rstrip(":") for line in lines if not line.startswith(("Failed in", "-", "During"))]
    return wrong[0] if wrong else type(error).__name__
