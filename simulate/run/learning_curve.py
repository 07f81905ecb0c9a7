"""A learning curve: the error of many independent runs of one configuration, run by run, with its mean and interval."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simulate.compute import in_threads
from simulate.environment import environment
from simulate.kernels import Readings, check_reads, kernel, lanes, used_parameters
from simulate.step_sizes import StepSize, find_step_size
from simulate.uncertainty import Estimate, estimate, t_quantile
from simulate.work import vanish
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.workers import worker_count
from tdrc_theory.default_step_size import LARGEST, StepSizes
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import normal_float
from tdrc_theory.frozen import Frozen
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.copies import Copy, copy_of
from tdrc_theory.parameters import step_size_of
from tdrc_theory.problem import Problem
from tdrc_theory.problem.sampling import IID, MARKOV, sampling_of
from tdrc_theory.problems import find_problem
from tdrc_theory.tables.shown import Shown

POINTS = 100
"""Intervals between the points of a curve, if nothing else is asked for."""
MOST_NUMBERS = 10**8
"""Errors that are kept, one a run and point: 0.8 GB."""


class Estimates(NamedTuple):
    """A mean over runs at each point, with Student's t interval for it; inf and nan where a run has diverged."""

    mean: np.ndarray
    standard_error: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class LearningCurve(Shown):
    """What `learning_curve` returns.

    Attributes:
        problem, algorithm, rule: what was run.
        alpha, parameters, rule_parameters: its configuration: those of the algorithm and of the rule that are used.
        why_alpha: why the step size was chosen; "" where it was asked for.
        copy: of weights that periodically become others.
        sampling, batch, data, updates, seed: how it was run; `data` is the size of the data set of `batch`.
        steps: (points,), the updates after which errors are read; 0 is before any.
        errors: (runs, points), RMSPBE of each run; read-only. Not finite where the run has left the range of floats.
        diverged: (runs,), the update that took a weight of the run out of the finite range, -1 where none did.
    """

    problem: Problem
    algorithm: Algorithm
    rule: StepSize
    alpha: Fraction
    why_alpha: str = ""
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    rule_parameters: Mapping[str, Fraction] = field(default_factory=dict)
    copy: Copy | None = None
    sampling: str
    batch: int
    data: int | None
    updates: int
    seed: int
    steps: np.ndarray
    errors: np.ndarray
    diverged: np.ndarray

    def __post_init__(self) -> None:
        """Freeze."""
        for name in ("parameters", "rule_parameters"):
            object.__setattr__(self, name, Frozen(getattr(self, name)))
        for array in (self.steps, self.errors, self.diverged):
            array.setflags(write=False)

    @property
    def runs(self) -> int:
        """Return the number of runs."""
        return len(self.errors)

    @functools.cached_property
    def rmspbe(self) -> Estimates:
        """The root mean squared projected Bellman error: the mean of the root, as the paper reports it."""
        return _band(self.errors)

    @functools.cached_property
    def mspbe(self) -> Estimates:
        """The mean squared projected Bellman error."""
        with np.errstate(over="ignore"):
            return _band(self.errors**2)

    @functools.cached_property
    def area(self) -> Estimate:
        """The RMSPBE of a run averaged over all points but the one before any update; runs are independent."""
        after = self.errors[:, 1:]
        return estimate(np.where(np.isfinite(after).all(axis=1), after.mean(axis=1), np.inf))

    @property
    def diverged_runs(self) -> list[tuple[int, int]]:
        """Return (run, update) for each run that left the finite range."""
        return [(int(run), int(self.diverged[run])) for run in np.flatnonzero(self.diverged >= 0)]

    @functools.cached_property
    def warning(self) -> str:
        """One line where errors grow without bound at this step size, as far as floats tell; else ""."""
        alone = self.batch == 1 and self.copy is None and self.sampling != "batch"
        if self.why_alpha or self.rule.name != "constant" or not alone or self.unmoved:
            return ""
        return StepSizes(self.problem, self.algorithm, self.parameters, self.sampling).warning(self.alpha)

    @property
    def unmoved(self) -> bool:
        """Return whether no error of any run ever differs from the one before any update."""
        return bool((self.errors == self.errors[:, :1]).all())

    @property
    def vanished_runs(self) -> int:
        """Return how many runs have an error above and one below UNSQUARED, which reads as 0 or has lost digits."""
        return int(np.count_nonzero(vanish(self.errors, axis=1)))


def learning_curve(
    problem: str | Problem,
    algorithm: str | Algorithm = "tdrc",
    *,
    alpha: Any = None,
    eta: Any = None,
    beta: Any = None,
    parameters: Mapping[str, Any] | None = None,
    step_size: str | StepSize = "constant",
    rule_parameters: Mapping[str, Any] | None = None,
    copy: str | None = None,
    period: int | None = None,
    sampling: str | None = None,
    batch: int | None = None,
    data: int | None = None,
    steps: int = 1000,
    runs: int = 200,
    every: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> LearningCurve:
    """Run one configuration many times, each time with experience of its own.

    Args:
        problem, algorithm: values, or names as the commands take them.
        alpha, eta, beta: exact numbers; alpha and eta above 0, beta at least 0. Default of eta and beta: those of the
            algorithm's function, else 1; of alpha: as `StepSizes.default` chooses it for a constant step size, 1/16
            for a rule that divides by the size of the updates.
        parameters: others of the algorithm, by name; its defaults where they are missing.
        step_size: a rule, or its name.
        rule_parameters: of the rule, by name; its defaults where they are missing.
        copy: `TARGET=SOURCE`, weights of which the first do not move by their own rule, but become the second at the
            start and after every `period` updates (a target network).
        period: a number of updates.
        sampling, batch, data, steps, seed: see `environment`; sampling is by default `markov`, and `iid` where the
            problem has independent samples only.
        runs: how many; run i of a seed is the same run whatever else is asked for.
        every: the error is read after updates 0, every, 2 every, ... and the last; by default about a hundred times.
        workers: threads, default one a core; they change no bit.
        progress: called with the number of runs done.

    Raises:
        TheoryError: a name is unknown, a number is out of range, or the algorithm cannot be compiled.
    """
    problem, algorithm = find_problem(problem), find_algorithm(algorithm)
    rule = find_step_size(step_size) if isinstance(step_size, str) else step_size
    used = used_parameters(algorithm, {"beta": beta, "eta": eta, **(parameters or {})})
    check_reads(problem, algorithm)
    copied = copy_of(algorithm, copy, period)
    of_rule = rule.chosen(rule_parameters or {})
    sampling = sampling_of(problem, sampling)
    if alpha is not None:
        size, why = step_size_of(alpha), ""
    elif rule.robbins_monro(of_rule) is None:
        size, why = LARGEST, f"{rule.name} scales its step sizes to the updates"
    else:
        along = MARKOV if sampling == MARKOV else IID
        size, why = StepSizes(problem, algorithm, used, along, copied is not None).default(steps)
    there = environment(problem, sampling, steps=steps, seed=seed, batch=batch, data=data)
    every = max(1, steps // POINTS) if every is None else every
    if every < 1:
        raise BadOption(f"--every: {every} is less than 1")
    points = np.unique([*range(0, steps, every), steps])
    learner, of_rule_floats = (
        {name: normal_float(value, f"--{name}") for name, value in each.items()} for each in (used, of_rule)
    )
    lane = lanes(rule, normal_float(size, "--alpha"), learner=learner, **of_rule_floats)
    learn = kernel(algorithm, rule, copied)
    errors, diverged = _run_all(
        lambda run: learn(there, there.trajectory(run), lane, points),
        runs,
        len(points),
        worker_count(workers),
        progress,
    )
    return LearningCurve(
        problem=problem,
        algorithm=algorithm,
        rule=rule,
        alpha=size,
        why_alpha=why,
        parameters=used,
        rule_parameters=of_rule,
        copy=copied,
        sampling=sampling,
        batch=there.batch,
        data=there.data,
        updates=steps,
        seed=seed,
        steps=points,
        errors=errors,
        diverged=diverged,
    )


def _run_all(
    learn: Callable[[int], Readings], runs: int, points: int, workers: int, progress: Callable[[int], None]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the errors (runs, points) and `diverged` (runs,) of runs 0, 1, ... of one lane; see `learning_curve`."""
    if runs < 1:
        raise BadOption(f"--runs: {runs} is less than 1")
    if runs * points > MOST_NUMBERS:
        raise BadOption(f"--every: {points} points of {runs} runs are more than the {MOST_NUMBERS} that are kept")
    errors, diverged = np.empty((runs, points)), np.empty(runs, np.int64)

    def one(run: int) -> None:
        outcome = learn(run)
        errors[run], diverged[run] = outcome.errors[:, 0], outcome.diverged[0]

    one(0)  # compiles, and refuses what cannot be compiled, before any thread is there
    progress(1)
    in_threads(one, range(1, runs), workers, lambda done: progress(done + 1))
    return errors, diverged


def _band(values: np.ndarray) -> Estimates:
    """Return the mean over the rows (runs), which are independent; points of one run are not, so none are joined."""
    runs = len(values)
    finite = np.isfinite(values).all(axis=0)
    # Shifted, equal numbers have no spread at all; scaled, large ones do not overflow when they are squared.
    shifted = np.where(finite, values, 0) - np.where(finite, values[0], 0)
    scale = np.maximum(np.abs(shifted).max(axis=0), np.finfo(float).tiny)
    mean = np.where(finite, values[0] + shifted.mean(axis=0), np.inf)
    if runs == 1:
        unknown = np.full_like(mean, np.nan)
        return Estimates(mean, unknown, unknown, unknown)
    error = np.where(finite, scale * ((shifted / scale).std(axis=0, ddof=1) / np.sqrt(runs)), np.nan)
    reach = t_quantile(runs - 1) * error
    return Estimates(mean, error, mean - reach, mean + reach)
