"""A progress bar on the error stream, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def progress_bar(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar while the block runs, and give the block a function that is told how much is done.

    Args:
        title: one line.
        total: what is to be done; None where nobody knows.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def one_bar_at_a_time() -> Iterator[Callable[[str, int], Callable[[int], None]]]:
    """Give the block a function that shows a bar, in the place of the one before, and returns what is told."""
    with ExitStack() as bars:

        def shown(title: str, total: int) -> Callable[[int], None]:
            bars.close()
            return bars.enter_context(progress_bar(title, total))

        yield shown
