"""Numbered runs over the cores; neither the number of threads nor the order in which they finish changes a bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from tdrc_theory.cores import usable_cores
from tdrc_theory.errors import BadOption

MOST_WORKERS = 1024


def worker_count(workers: int | None) -> int:
    """Return the number of threads, by default one a core.

    Raises:
        BadOption: it is out of range.
    """
    count = usable_cores() if workers is None else workers
    if not 1 <= count <= MOST_WORKERS:
        raise BadOption(f"--workers: {count} is not from 1 to {MOST_WORKERS}")
    return count


def in_threads(
    one: Callable[[int], None], runs: Iterable[int], workers: int, progress: Callable[[int], None] = lambda _: None
) -> None:
    """Call a function for every run, with at most so many given out that an interrupt has little to wait for.

    Args:
        one: does a run; compiled code in it runs beside other compiled code.
        runs: their numbers.
        workers: threads.
        progress: is told the number of runs done.
    """
    waiting, running, done = iter(runs), set[Future[None]](), 0
    with ThreadPoolExecutor(workers, "simulate") as pool:
        try:
            while True:
                for run in waiting:
                    running.add(pool.submit(one, run))
                    if len(running) >= 2 * workers:
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
