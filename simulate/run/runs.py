"""Many runs of one configuration over the cores; neither their number nor their order changes a bit."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import numpy as np

from simulate.environment import Environment
from simulate.kernels import Kernel, Lanes
from tdrc_theory.cores import usable_cores
from tdrc_theory.errors import BadOption

MOST_NUMBERS = 10**8
"""Errors that are kept, one a run and point."""
MOST_WORKERS = 1024


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
    count = usable_cores() if workers is None else workers
    if not 1 <= count <= MOST_WORKERS:
        raise BadOption(f"--workers: {count} is not from 1 to {MOST_WORKERS}")
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
    with ThreadPoolExecutor(count, "simulate") as pool:
        _finish(pool, one, range(1, runs), 2 * count, lambda done: progress(done + 1))
    return errors, diverged


def _finish(
    pool: ThreadPoolExecutor, one: Callable[[int], None], runs: range, ahead: int, progress: Callable[[int], None]
) -> None:
    """Do all runs with at most so many given out, so that an interrupt has little to wait for."""
    waiting, running, done = iter(runs), set[Future[None]](), 0
    try:
        while True:
            for run in waiting:
                running.add(pool.submit(one, run))
                if len(running) >= ahead:
                    break
            if not running:
                return
            finished, running = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                future.result()
            done += len(finished)
            progress(done)
    finally:
        for future in running:
            future.cancel()
