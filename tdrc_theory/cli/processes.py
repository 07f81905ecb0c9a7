"""Worker processes that leave interrupts to their parent and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, ParamSpec, TypeVar, cast

from tdrc_theory.cli.supervised import end_with
from tdrc_theory.errors import BadOption

A = TypeVar("A")
P = ParamSpec("P")
R = TypeVar("R")


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

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Begin a task as soon as a process is free."""
        future = super().submit(fn, *args, **kwargs)
        future.cancel = lambda: False  # type: ignore[method-assign]
        return future


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Give the block a pool of `workers` processes; where it is left early, they are ended at once.

    Raises:
        BadOption: a process was killed.
    """
    # Spawned, not forked: a progress bar has a thread, and what a thread holds stays held in a fork.
    before, left_early = set(multiprocessing.active_children()), True
    pool = _Pool(workers, _Context(), initializer=_worker)
    try:
        yield pool
        left_early = False
    except BrokenProcessPool:
        raise BadOption("--workers: a worker process was killed, perhaps for lack of memory") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before if left_early else ():
            child.terminate()
        pool.shutdown(wait=True)


def within(seconds: float, function: Callable[[A], R], argument: A) -> R:
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
    return cast(R, result)


def _send(sent: Connection, parent: int, function: Callable[[A], R], argument: A) -> None:
    """Send what a function returns, or raises; end with the parent."""
    if sys.platform == "linux":
        end_with(parent)
    try:
        result: tuple[bool, Any] = True, function(argument)
    except Exception as error:
        result = False, error
    sent.send(result)


def _worker() -> None:
    """Leave interrupts to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # what it starts itself may be interrupted
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
