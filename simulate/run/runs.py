"""Many runs of one configuration over the cores; neither their number nor their order changes a bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulate.environment import Environment
from simulate.kernels import Kernel, Lanes
from simulate.threads import in_threads, worker_count
from tdrc_theory.errors import BadOption

MOST_NUMBERS = 10**8
"""Errors that are kept, one a run and point."""


def run_all(
    learn: Kernel,
    environment: Environment,
    lane: Lanes,
    *,
    runs: int,
    every: int,
    workers: int | None,
    progress: Callable[[int], None],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the errors (runs, points) and `diverged` (runs,) of runs 0, 1, ... of one lane.

    Args:
        learn, environment, lane: what is run.
        runs: how many.
        every: the error is read after updates 0, every, 2 every, ...
        workers: threads, default one a core; compiled code runs beside other compiled code.
        progress: is told the number of runs done.

    Raises:
        BadOption: a number is out of range.
    """
    count = worker_count(workers)
    for name, value in (("runs", runs), ("every", every)):
        if value < 1:
            raise BadOption(f"--{name}: {value} is less than 1")
    points = len(range(0, environment.steps + 1, every))
    if runs * points > MOST_NUMBERS:
        raise BadOption(f"--every: {points} points of {runs} runs are more than the {MOST_NUMBERS} that are kept")
    errors, diverged = np.empty((runs, points)), np.empty(runs, np.int64)

    def one(run: int) -> None:
        found = learn(environment, environment.trajectory(run), lane, 0, every)
        errors[run], diverged[run] = found.errors[:, 0], found.diverged[0]

    one(0)  # compiles, and refuses what cannot be compiled, before any thread is there
    progress(1)
    in_threads(one, range(1, runs), count, lambda done: progress(done + 1))
    return errors, diverged
