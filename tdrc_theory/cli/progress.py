"""A progress bar on the error stream, if that is a terminal and the work takes more than a moment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

MOMENT = 1.0
"""Seconds after which a bar is shown."""


@contextmanager
def progress_bar(title: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a bar while the block runs, if that takes longer than a moment; the block is given what says how far it is.

    `total` is how much is to be done, None where nobody knows.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = _Bar(title, total)
    try:
        yield bar.tell
    finally:
        bar.end()


class _Bar:
    """A bar that another thread shows after a moment, unless it has ended by then."""

    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._total, self._done = title, total, 0
        self._ended, self._lock = False, Lock()
        self._shown: Progress | None = None
        self._timer = Timer(MOMENT, self._show)
        self._timer.daemon = True  # whatever ends the process does not wait for it
        self._timer.start()

    def tell(self, done: int) -> None:
        """Update how much is done."""
        with self._lock:
            self._done = done
            if self._shown is not None:
                self._shown.update(self._shown.task_ids[0], completed=done)

    def end(self) -> None:
        """Take the bar away."""
        self._timer.cancel()
        with self._lock:
            self._ended = True
            if self._shown is not None:
                self._shown.stop()

    def _show(self) -> None:
        result = _progress(self._total)
        with self._lock:
            if not self._ended:
                result.add_task(self._title, total=self._total, completed=self._done)
                result.start()
                self._shown = result


def _progress(total: int | None) -> Progress:
    """Return a bar of so much; where nobody knows how much there is to do, one without numbers."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    numbers = () if total is None else (MofNCompleteColumn(), TimeRemainingColumn())
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn(), *numbers)
    return Progress(*columns, console=Console(stderr=True), transient=True)


@contextmanager
def one_bar_at_a_time() -> Iterator[Callable[[str, int], Callable[[int], None]]]:
    """Give the block a function that replaces the bar by a new one, and returns the function that updates it."""
    with ExitStack() as bars:

        def shown(title: str, total: int) -> Callable[[int], None]:
            bars.close()
            return bars.enter_context(progress_bar(title, total))

        yield shown
