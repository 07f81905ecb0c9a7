"""A kernel: one learner under one step-size rule, compiled, for any problem and any number of configurations."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simulate.compiling.cache import compiled
from simulate.environment import Environment, Trajectory
from simulate.kernels.kernel_residual_gradient import smoothing_of
from simulate.kernels.layout import LANES, VECTOR, Lanes, Room, aligned
from simulate.kernels.plan import needs_chain, planned, recorded_step
from simulate.kernels.template import ARGUMENTS, READING, SECOND_ROW, KernelText
from simulate.step_sizes import StepSize
from tdrc_theory.errors import BadAlgorithm, BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.copies import Copy
from tdrc_theory.learner.step_data import AGAIN, NUMBERS, OF_ACTION_VALUES


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
    """A learner under a step-size rule, some of its weights copied from others; call it with a trajectory and lanes.

    What comes out of a lane depends on that lane and the trajectory alone: not on its neighbours, nor their number.
    """

    algorithm: Algorithm
    rule: StepSize
    copy: Copy | None = None

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
            lanes: configurations; a parameter that the learner fixes is not read.
            points: the updates after which the error is read, increasing; 0 is before any. Default: 0 and all.

        Raises:
            BadAlgorithm: it cannot be compiled, it has memory and the samples are independent, it compares the samples
                of a batch and the environment has none, or it reads a second transition and samples have one.
            BadOption: the lanes have a parameter that neither the learner nor the rule has.
        """
        self._check(environment, trajectory)
        smoothing = smoothing_of(self.algorithm)  # without any, delta_hat is h.x
        similarity = np.empty((0, 0)) if smoothing is None else smoothing.similarity(environment.features)
        deltas = aligned(0 if smoothing is None else environment.batch, LANES)
        written = self._written(environment)
        run = _run(self.text(environment), self.algorithm.placed_name)
        columns = [np.ascontiguousarray(column, dtype) for column, dtype in zip(trajectory[:4], _DTYPES, strict=True)]
        samples = environment.steps * environment.batch
        assert all(len(column) == samples for column in columns), "one sample a place"
        read = np.arange(environment.steps + 1) if points is None else np.ascontiguousarray(points, np.int64)
        assert (np.diff(read) > 0).all(), "points increase"
        assert len(read) == 0 or 0 <= read[0] <= read[-1] <= environment.steps, "points are numbers of updates"
        settings = self.settings(lanes)
        L, k = settings.shape[1], len(environment.initial_weights)
        width = -(-L // VECTOR) * VECTOR
        errors = aligned(len(read), width)
        diverged, weights = np.full(width, -1), np.empty((k, width))
        measure, room = environment.error, Room(written.layout, k)
        constants = np.array([environment.numbers[AGAIN.get(name, name)] for name in written.constants], np.float64)
        varying = _columns(environment, trajectory, written.varying)
        numbers = constants, np.ascontiguousarray(varying, np.float64).reshape(-1, samples)
        expected = np.empty((0, 0)) if environment.expected_features is None else environment.expected_features
        given = environment.features, expected, *numbers, measure.residual, measure.offset, similarity, *columns
        period = 0 if self.copy is None else self.copy.period
        counts = environment.batch, period, environment.steps, read
        for at in range(0, width, LANES):
            block = slice(at, min(at + LANES, width))
            room.fill(settings[:, block], environment.initial_weights)
            work = room.lane.reshape(-1), room.room, room.kept, room.sums, deltas
            run(*given, *counts, at, *work, errors, diverged[block])
            weights[:, block] = room.weights[:, : len(diverged[block])]
        return Readings(errors[:, :L], diverged[:L], weights[:, :L])

    def settings(self, lanes: Lanes) -> np.ndarray:
        """Return (rows, L): alpha, the learner's parameters as it fixes them, else as asked for, and the rule's.

        Raises:
            BadOption: the lanes have a parameter that neither the learner nor the rule has.
        """
        own = self.parameters
        if unknown := sorted(lanes.learner.keys() - {"beta", "eta", *own, *self.algorithm.defaults}):
            have = ", ".join(own) or "none"
            raise BadOption(f"{self.algorithm.name} has no parameter {unknown[0]}; it has {have}")
        fixed = {name: float(value) for name, value in self.algorithm.fixed.items()}
        defaults = {name: float(value) for name, value in self.algorithm.defaults.items()}
        known: dict[str, Any] = {"beta": 1.0, "eta": 1.0, **defaults, **lanes.learner, **fixed}
        columns = [lanes.alpha, *(known[name] for name in own), *(lanes.rule[name] for name in self.rule.parameters)]
        return np.array([np.broadcast_to(column, lanes.alpha.shape) for column in columns], np.float64)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the learner's parameters that its step depends on."""
        return tuple(recorded_step(self.algorithm).parameters)

    def _check(self, environment: Environment, trajectory: Trajectory) -> None:
        name, read = self.algorithm.name, recorded_step(self.algorithm).names
        if environment.expected_features is None and (absent := sorted(read & set(OF_ACTION_VALUES))):
            raise BadAlgorithm(f"{name} reads {absent[0]}, and features of {environment.name} are by state alone")
        before = environment.gamma_before and "gamma" in read
        if (needs_chain(self.algorithm) or before) and not environment.chain:
            what = "has memory" if self.algorithm.memory else "reads a number of the step before"
            raise BadAlgorithm(f"{name} {what}, which needs a chain: samples are independent here")
        if (twice := [n for n in AGAIN if n in read]) and (environment.again is None or trajectory.run is None):
            raise BadAlgorithm(
                f"{name} reads {twice[0]}, of a second transition from the same state, and {environment.name} is run "
                "on data that have one from each"
            )
        if smoothing_of(self.algorithm) is not None and environment.batch == 1:
            raise BadAlgorithm(f"{self.algorithm.name} compares the samples of a mini-batch, and there are none")

    def text(self, environment: Environment) -> str:
        """Return what is compiled; with the version of llvmlite and the processor it decides every bit.

        Raises:
            BadAlgorithm: the learner's function does what is not recorded.
        """
        return f"{READING}\n\n{self._written(environment).text}"

    def _written(self, environment: Environment) -> KernelText:
        read = [name for name in recorded_step(self.algorithm).names if name in NUMBERS]
        varying = frozenset(name for name in read if environment.varies(name))
        return _written(self, environment.batch > 1, varying)


@functools.lru_cache(maxsize=256)  # its text takes as long to write as a short run
def kernel(algorithm: Algorithm, rule: StepSize, copy: Copy | None = None) -> Kernel:
    """Return the kernel of an algorithm under a step-size rule; it is compiled when it is first called."""
    return Kernel(algorithm, rule, copy)


@functools.lru_cache(maxsize=256)
def _run(text: str, owner: str) -> Any:
    return compiled(text, "run", ARGUMENTS, owner)  # whoever has it need not wait for what others compile


@functools.lru_cache(maxsize=512)
def _written(of: Kernel, batched: bool, varying: frozenset[str]) -> KernelText:
    copy = None if of.copy is None else (of.copy.target, of.copy.source)
    plan = planned(recorded_step(of.algorithm), of.rule, batched, copy)
    return KernelText(plan, batched=batched, varying=varying, smoothing=smoothing_of(of.algorithm))


_DTYPES = (np.int64, np.int64, np.float64, np.float64)


def _columns(environment: Environment, trajectory: Trajectory, names: Sequence[str]) -> list[np.ndarray]:
    """Return (T,) for each name of what varies between samples: numbers, and the row of the second x_next."""
    second = trajectory
    if any(name in AGAIN or name == SECOND_ROW for name in names):
        assert environment.again is not None, "checked before"
        second = environment.again(trajectory)
    return [
        second.s_next
        if name == SECOND_ROW
        else environment.column(second if name in AGAIN else trajectory, AGAIN.get(name, name))
        for name in names
    ]
