"""Where experience comes from: the float view of a problem, and a trajectory for every run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simulate.error_measure import ErrorMeasure, error_measure
from simulate.sampling import SAMPLINGS, Sampler, SecondSampler
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import normal_float, number_text
from tdrc_theory.learner.step_data import AGAIN
from tdrc_theory.problem import Problem
from tdrc_theory.problem.steps import Rows, rows_after, state_of

MOST_SAMPLES = 10**8
"""Samples of one run; they are kept in memory, 40 bytes each."""


class Trajectory(NamedTuple):
    """The experience of one run, an entry a sample; with mini-batches, consecutive ones form an update's batch.

    Attributes:
        s, s_next: (T,) int64, rows of the environment's features.
        rho, reward: (T,) float64.
        outcome: (T,) int64, where the environment's tables have the other numbers of a sample; None without tables.
        run: its number; None where the environment cannot draw a second transition for each sample.
    """

    s: np.ndarray
    s_next: np.ndarray
    rho: np.ndarray
    reward: np.ndarray
    outcome: np.ndarray | None = None
    run: np.int64 | None = None


@dataclass(frozen=True, eq=False)
class Environment:
    """What a kernel needs to know of a problem, in floats.

    Attributes:
        name: shown in reports.
        features: (places + 1, k), a row a state, or for action values a pair; the last is zeros: the episode has ended.
        numbers: of a step, by name, what it is for each outcome, or what it is for all.
        gamma_before: whether gamma, the discount of the step before, is not known from the place where a step starts.
        initial_weights: (k,).
        error: what is measured.
        steps: number of updates.
        trajectory: gives run i its experience, steps x batch samples, whoever asks and in whatever order.
        key: everything that determines all this, as text.
        again: gives each sample of a trajectory a second transition from its place, independent of the first.
        batch: samples that an update averages.
        data: size of a fixed data set that they are drawn from, if there is one.
        chain: whether a sample begins where the one before arrived.
        expected_features: (places + 1, k), x_bar for each row that x_next can have; None for features by state.
    """

    name: str
    features: np.ndarray
    numbers: Mapping[str, np.ndarray | float]
    initial_weights: np.ndarray
    error: ErrorMeasure
    steps: int
    trajectory: Callable[[int], Trajectory]
    key: str
    again: Callable[[Trajectory], Trajectory] | None = None
    batch: int = 1
    data: int | None = None
    chain: bool = True
    gamma_before: bool = False
    expected_features: np.ndarray | None = None

    def varies(self, name: str) -> bool:
        """Return whether a number of a step differs between steps."""
        before = name == "rho_before" or (name == "gamma" and self.gamma_before)
        return before or not isinstance(self.numbers[AGAIN.get(name, name)], float)

    def column(self, trajectory: Trajectory, name: str) -> np.ndarray:
        """Return (T,), a number of each sample; at an episode's start one of the step before has its first value."""
        if name == "rho_before":
            return self._shifted(trajectory, trajectory.rho, np.ones_like(trajectory.rho))
        assert trajectory.outcome is not None, "there are tables for what varies"
        known = self.numbers[name]
        values = np.full(len(trajectory.s), known) if isinstance(known, float) else known[trajectory.outcome]
        if name == "gamma" and self.gamma_before:
            return self._shifted(trajectory, self.column(trajectory, "gamma_next"), values)
        return values

    def _shifted(self, trajectory: Trajectory, values: np.ndarray, at_start: np.ndarray) -> np.ndarray:
        """Return the value of the sample before, and where an episode starts what counts there."""
        ended = np.concatenate([[True], trajectory.s_next[:-1] == len(self.features) - 1])
        return np.where(ended, at_start, np.roll(values, 1))

    def __post_init__(self) -> None:
        """Check shapes, and keep read-only copies in the layout that kernels take."""
        for name in ("features", "initial_weights"):
            value = np.array(getattr(self, name), dtype=np.float64, order="C")
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        assert self.initial_weights.shape == self.features.shape[1:] == self.error.residual.shape[1:]
        assert not self.features[-1].any(), "the last row of features is where the episode has ended"


@dataclass(frozen=True, eq=False)
class _Experience:
    """What gives runs their experience; it can be pickled, as a piece of a study is that travels to another machine."""

    problem: Problem
    sampling: str
    sampler: Sampler
    seed: int
    samples: int

    def trajectory(self, run: int) -> Trajectory:
        """Return the experience of a run."""
        return self._of(self.sampler.draw(self._stream(run), self.samples), run)

    def again(self, first: Trajectory) -> Trajectory:
        """Return a second transition from the place of each of a trajectory's samples."""
        assert first.run is not None, "it is one of this environment's own"
        run = int(first.run)
        return self._of(self._second.draw(self._stream(run, 1), first.s), run)

    @functools.cached_property
    def _second(self) -> SecondSampler:
        return SecondSampler(self.problem, self.sampling)

    def _stream(self, *key: int) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=key)))

    def _of(self, outcome: np.ndarray, run: int) -> Trajectory:
        there = self.sampler
        rho, reward = (np.broadcast_to(there.numbers[name], there.s.shape)[outcome] for name in ("rho", "reward"))
        number = None if self.sampling == "batch" else np.int64(run)
        return Trajectory(there.s[outcome], there.s_next[outcome], rho, reward, outcome, number)


def environment(
    problem: Problem,
    sampling: str = "markov",
    *,
    steps: int,
    seed: int = 0,
    batch: int | None = None,
    data: int | None = None,
) -> Environment:
    """Return the environment of a problem.

    Run i of a seed has the stream SeedSequence(seed, spawn_key=(i,)), and its second transitions that of (i, 1).

    Args:
        problem: any.
        sampling: `markov`, one trajectory of the behaviour chain, in which episodes restart at once and every
            transition is a sample; `iid`, states drawn from d, actions from behaviour; or `batch`, a data set of
            independent samples drawn once a run, of which every update draws its own with replacement.
        steps: number of updates.
        seed: at least 0.
        batch: samples that an update averages; default 1, and 8 where sampling is `batch`.
        data: size of the data set; for `batch` only, default 100000.

    Raises:
        BadOption: an argument is out of range, or the problem has only independent samples and markov is asked for.
        BadNumber: a number of the problem, or its RMSPBE, is outside the range of floats.
    """
    fixed = sampling == "batch"
    if sampling not in SAMPLINGS:
        raise BadOption(f"--sampling: {sampling!r} is none of {', '.join(SAMPLINGS)}")
    if data is not None and not fixed:
        raise BadOption("--data: only --sampling batch has a data set")
    size = (8 if fixed else 1) if batch is None else batch
    kept = 100_000 if fixed and data is None else data
    for name, value, least in (("steps", steps, 1), ("batch", size, 1), ("data", kept, 1), ("seed", seed, 0)):
        if value is not None and value < least:
            raise BadOption(f"--{name}: {value} is less than {least}")
    samples = max(steps * size, kept or 0)
    if samples > MOST_SAMPLES:
        raise BadOption(f"--steps: {samples} samples a run; at most {MOST_SAMPLES} are kept in memory")
    sampler = Sampler(problem, sampling, kept)
    drawn = _Experience(problem, sampling, sampler, seed, steps * size)
    after = rows_after(problem)
    features = _table(problem, after["x_next"])
    parts = [sampler.key, f"features {features.tolist()}", f"w_0 {problem.initial_weights}", f"gamma {problem.gamma}"]
    parts += [f"d {[*map(number_text, problem.d)]}", f"target {problem.target}", f"steps {steps} x {size}, seed {seed}"]
    error = error_measure(problem)
    if error.rescaled:  # earlier versions lost digits, or all of them
        parts.append("measured to the last digit")
    return Environment(
        name=problem.name,
        features=features,
        numbers=sampler.numbers,
        gamma_before=problem.gamma_by_transition,
        expected_features=_table(problem, after["x_bar"]) if "x_bar" in after else None,
        initial_weights=np.array(
            [normal_float(value, f"initial weight {i}") for i, value in enumerate(problem.initial_weights)]
        ),
        error=error,
        steps=steps,
        batch=size,
        data=kept,
        trajectory=drawn.trajectory,
        again=drawn.again,
        chain=sampling == "markov",
        key="\n".join(parts),
    )


def _table(problem: Problem, rows: Rows) -> np.ndarray:
    """Return exact rows of places, and the last one of zeros, in floats."""
    return np.array(
        [
            [normal_float(value, f"state {state_of(problem, place)}: feature {i}") for i, value in enumerate(row)]
            for place, row in enumerate(rows)
        ]
    )
