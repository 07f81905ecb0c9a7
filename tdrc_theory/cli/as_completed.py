"""Tasks given out to a pool, a few more than it has workers, so that an interrupt has little to wait for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")


def as_completed(
    given: Iterable[Given], submit: Callable[[Given], Future[Found]], ahead: int
) -> Iterator[tuple[Given, Found]]:
    """Yield what is given out, with what is found, as it is done; at most `ahead` are given out at once.

    What one raises is raised here, and those that have not begun are not begun any more.
    """
    waiting = iter(given)
    running: dict[Future[Found], Given] = {}
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
