"""Numbered runs over the cores; neither the number of threads nor the order in which they finish changes a bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from tdrc_theory.cli.workers import as_completed, worker_count


def in_threads(
    one: Callable[[int], None],
    runs: Iterable[int],
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Call a function for every run.

    Args:
        one: does a run; compiled code in it runs beside other compiled code.
        runs: their numbers.
        workers: threads, by default one a core.
        progress: called with the number of runs done.
    """
    count = worker_count(workers)
    with ThreadPoolExecutor(count, "simulate") as pool:
        for done, _ in enumerate(as_completed(runs, lambda run: pool.submit(one, run), 2 * count), 1):
            progress(done)
