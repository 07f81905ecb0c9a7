"""Tasks of a pool, at most a few submitted ahead of its workers, so that an interrupt has little to wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def as_completed(
    tasks: Iterable[Task], submit: Callable[[Task], Future[Result]], ahead: int
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, as it is done; at most `ahead` are submitted at once.

    What one raises is raised here, and those that have not begun are not begun any more.
    """
    waiting = iter(tasks)
    running: dict[Future[Result], Task] = {}
    try:
        while True:
            for one in waiting:
                running[submit(one)] = one
                if len(running) >= ahead:
                    break
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
