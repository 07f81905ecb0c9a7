"""A Dask cluster in the place of this machine's cores. Its workers run what they are sent: name only your own."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor
from typing import TypeVar

from tdrc_theory.cli.as_completed import as_completed
from tdrc_theory.cli.extras import importing
from tdrc_theory.errors import BadOption

AHEAD = 256
"""Tasks that are given out at once; the cluster shares them among its workers."""
SCHEDULER_PATIENCE = 5
"""Seconds to wait for the scheduler."""
WORKER_PATIENCE = 20
"""Seconds to wait for a first worker."""
_TALKS = ("asyncio", "distributed", "tornado")
"""Packages that log what becomes of a connection."""

Task = TypeVar("Task")
Sent = TypeVar("Sent")
Result = TypeVar("Result")


def computed_there(
    address: str, tasks: Iterable[Task], function: Callable[[Sent], Result], sent: Callable[[Task], Sent]
) -> Iterator[tuple[Task, Result]]:
    """Yield tasks with their results, as they are done; each is what a worker returns of function(sent(task)).

    Raises:
        MissingExtra: Dask is not installed.
        BadOption: there is no scheduler at the address, it is lost, no worker comes, or workers keep dying.
    """
    with _connected(address) as there:
        yield from as_completed(tasks, lambda task: there.submit(function, sent(task)), AHEAD)


@contextlib.contextmanager
def _connected(address: str) -> Iterator[Executor]:
    """Give the block the cluster's workers as an executor."""
    with importing("--cluster needs Dask's", "distributed", "cluster"):
        from distributed import Client
        from distributed.client import ClosedClientError
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker
    where = f"--cluster: {address}"
    with _without_log():
        try:
            client = Client(address, timeout=SCHEDULER_PATIENCE)
        except (OSError, ValueError) as error:
            raise BadOption(f"{where}: {_line(error)}") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=WORKER_PATIENCE)
                yield client.get_executor(pure=False)
            except TimeoutError:
                raise BadOption(f"{where}: no worker came within {WORKER_PATIENCE} seconds") from None
            except KilledWorker as error:
                raise BadOption(f"{where}: {_line(error)}") from None
            except (CancelledError, ClosedClientError, CommClosedError):
                raise BadOption(f"{where}: the scheduler was lost; a store keeps what is done") from None
            except ModuleNotFoundError as error:
                raise BadOption(f"{where}: its workers lack this program: {error}") from None


@contextlib.contextmanager
def _without_log() -> Iterator[None]:
    """Keep Dask from writing tracebacks on the error stream beside the one line that says what is wrong."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in _TALKS]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
