"""Many runs of one configuration over the cores; neither their number nor their order changes a bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulate.environment import Environment
from simulate.kernels import Kernel, Lanes
from simulate.threads import in_threads
from tdrc_theory.cli.cores import worker_count
from tdrc_theory.errors import BadOption

MOST_NUMBERS = 10**8
"""Errors that are kept, one a run and point."""


def run_all(
    learn: Kernel,
    environment: Environment,
    lane: Lanes,
    *,
    runs: int,
    points: np.ndarray,
    workers: int | None,
    progress: Callable[[int], None],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the errors (runs, points) and `diverged` (runs,) of runs 0, 1, ... of one lane.

    Args:
        learn, environment, lane: what is run.
        runs: how many.
        points: updates after which the error is read, increasing.
        workers: threads, default one a core; compiled code runs beside other compiled code.
        progress: is told the number of runs done.

    Raises:
        BadOption: a number is out of range.
    """
    count = worker_count(workers)
    if runs < 1:
        raise BadOption(f"--runs: {runs} is less than 1")
    if runs * len(points) > MOST_NUMBERS:
        raise BadOption(f"--every: {len(points)} points of {runs} runs are more than the {MOST_NUMBERS} that are kept")
    errors, diverged = np.empty((runs, len(points))), np.empty(runs, np.int64)

    def one(run: int) -> None:
        outcome = learn(environment, environment.trajectory(run), lane, points)
        errors[run], diverged[run] = outcome.errors[:, 0], outcome.diverged[0]

    one(0)  # compiles, and refuses what cannot be compiled, before any thread is there
    progress(1)
    in_threads(one, range(1, runs), count, lambda done: progress(done + 1))
    return errors, diverged
