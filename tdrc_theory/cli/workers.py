"""Who computes: the cores of this machine, in processes that end with their parent, or a Dask cluster.

A cluster's workers run what they are sent: name only your own.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.synchronize import Event
from typing import Any, ParamSpec, TypeVar, cast

from tdrc_theory.cli.extras import importing
from tdrc_theory.cli.supervised import end_with
from tdrc_theory.errors import BadOption

P = ParamSpec("P")
A = TypeVar("A")
Task = TypeVar("Task")
Sent = TypeVar("Sent")
Result = TypeVar("Result")

MOST_WORKERS = 1024


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def worker_count(workers: int | None) -> int:
    """Return the number of workers, by default one a core.

    Raises:
        BadOption: it is out of range.
    """
    count = usable_cores() if workers is None else workers
    if not 1 <= count <= MOST_WORKERS:
        raise BadOption(f"--workers: {count} is not from 1 to {MOST_WORKERS}")
    return count


class _ProcessWithoutInterrupts(SpawnProcess):
    """A process that is started with interrupts held back, so that not even the interpreter's own start has one."""

    def start(self) -> None:
        """Start it; an interrupt meanwhile reaches this process afterwards."""
        if sys.platform == "win32":  # which has no such mask
            return super().start()
        resource_tracker.ensure_running()  # which would let them through again if it was begun meanwhile
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    Process = _ProcessWithoutInterrupts


class _Pool(ProcessPoolExecutor):
    """A pool whose tasks are not cancelled one by one: where it is left early, its processes are ended.

    The pool's own thread would fail, with a traceback, on a cancelled task of a process that was ended (Python 3.11).
    """

    def submit(self, fn: Callable[P, Result], /, *args: P.args, **kwargs: P.kwargs) -> Future[Result]:
        """Begin a task as soon as a process is free."""
        future = super().submit(fn, *args, **kwargs)
        future.cancel = lambda: False  # type: ignore[method-assign]
        return future


_GUARD = 'if __name__ == "__main__":'
"""Workers import the script that started them, and would start workers of their own without it."""


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Give the block a pool of `workers` processes; where it is left early, they are ended at once.

    Raises:
        BadOption: a process was killed, or could not start.
    """
    # Spawned, not forked: a progress bar has a thread, and what a thread holds stays held in a fork.
    before, left_early = set(multiprocessing.active_children()), True
    context = _Context()
    begun = context.Event()
    pool = _Pool(workers, context, initializer=_worker, initargs=(begun,))
    try:
        yield pool
        left_early = False
    except BrokenProcessPool:
        if not begun.is_set():
            raise BadOption(f"--workers: no worker process could start; scripts call this under `{_GUARD}`") from None
        raise BadOption("--workers: a worker process was killed, perhaps for lack of memory") from None
    finally:
        for child in set(multiprocessing.active_children()) - before if left_early else ():
            child.terminate()
        pool.shutdown()  # it waits: a thread of the pool's that is still ending as Python ends would show a traceback


def within(seconds: float, function: Callable[[A], Result], argument: A) -> Result:
    """Return what a function returns in a copy of this process, which is ended after so many seconds, whatever it does.

    Raises:
        TimeoutError: it takes longer.
        BadOption: the copy ended by itself, or this system makes no copies of processes.
    """
    if not hasattr(os, "fork"):
        raise BadOption("--limit-seconds: a single computation is limited where processes can be forked, not here")
    context = multiprocessing.get_context("fork")
    received, sent = context.Pipe(duplex=False)
    copy = context.Process(target=_send, args=(sent, os.getpid(), function, argument), daemon=True)
    copy.start()
    sent.close()
    try:
        if not received.poll(seconds):
            raise TimeoutError
        returned, result = received.recv()
    except EOFError:
        raise BadOption("--limit-seconds: a computation ended by itself, perhaps for lack of memory") from None
    finally:
        copy.kill()
        copy.join()
        received.close()
    if not returned:
        raise result
    return cast(Result, result)


def _send(sent: Connection, parent: int, function: Callable[[A], Result], argument: A) -> None:
    """Send what a function returns, or raises; end with the parent."""
    if sys.platform == "linux":
        end_with(parent)
    try:
        result: tuple[bool, Any] = True, function(argument)
    except Exception as error:
        result = False, error
    sent.send(result)


def _worker(begun: Event) -> None:
    """Leave interrupts to the parent, and end with it."""
    begun.set()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # what it starts itself may be interrupted
    threading.Thread(target=_end_with_parent, daemon=True).start()
    atexit.register(os._exit, 0)  # taking apart what it holds takes a quarter of a second


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def as_completed(
    tasks: Iterable[Task], submit: Callable[[Task], Future[Result]], ahead: int
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, as it is done; at most `ahead` are submitted at once.

    So an interrupt has little to wait for. What one raises is raised here, and those that have not begun are not begun
    any more.
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


AHEAD = 256
"""Tasks that are given out at once; the cluster shares them among its workers."""
SCHEDULER_PATIENCE = 5
"""Seconds to wait for the scheduler."""
WORKER_PATIENCE = 20
"""Seconds to wait for a first worker."""
_TALKS = ("asyncio", "distributed", "tornado")
"""Packages that log what becomes of a connection."""


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
