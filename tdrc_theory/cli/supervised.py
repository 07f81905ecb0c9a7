"""A command runs in a child of the process that was started, which can end it whatever it is doing.

Python acts on an interrupt between two of its own instructions. An exact computation can be minutes inside one call of
a C library, or end the process there for lack of memory. So the process that was started forks at once, and only
waits. Where there is no fork that is safe (not on Linux), and in programs that are not ours, the command runs in the
process itself: then interrupts and limits act between instructions only.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from tdrc_theory.cli.start import INTERRUPTED, STARTED_AS

PATIENCE = 5.0
"""Seconds that a command has to end by itself after an interrupt or its time limit, before it is killed.

A second interrupt kills it at once.
"""
_PR_SET_PDEATHSIG = 1  # of prctl, Linux
_SI_KERNEL = 0x80  # the si_code of a signal from the terminal
_CRASHES = ("SIGKILL", "SIGABRT", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
_PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP")
_HEADER = struct.Struct("did")  # when the limit is reached (0: none), exit status, seconds of the limit
_SIZE = 1 << 16


@dataclass(frozen=True)
class _Limit:
    """When a command is to end, and what it then prints: an answer on standard output, or an error line."""

    seconds: float
    reached_at: float
    status: int
    answer: str


_limit: _Limit | None = None
_timer: threading.Timer | None = None
_shared: mmap.mmap | None = None
"""What the child tells the process that waits; None in a process without one."""


def begin_limit(seconds: float) -> None:
    """End the command so many seconds from now, with an error line and exit status 2 if `at_limit` is not called."""
    global _timer
    import _thread

    _set(_Limit(seconds, time.monotonic() + seconds, 2, ""))
    _timer = threading.Timer(seconds, _thread.interrupt_main)
    _timer.daemon = True
    _timer.start()


def at_limit(answer: str, status: int) -> None:
    """Have the limit, where there is one, end the command with an answer on standard output, and an exit status."""
    if _limit is not None:
        _set(_Limit(_limit.seconds, _limit.reached_at, status, answer))


def end_limit() -> None:
    """Take the limit away: what it limits is done."""
    if _timer is not None:
        _timer.cancel()
    _set(None)


def _set(limit: _Limit | None) -> None:
    global _limit
    _limit = limit
    if _shared is not None:
        header = (0.0, 0, 0.0) if limit is None else (limit.reached_at, limit.status, limit.seconds)
        answer = b"" if limit is None else limit.answer.encode()
        _shared[:] = (_HEADER.pack(*header) + answer).ljust(_SIZE, b"\0")


def interrupted(tell: Callable[[str], None]) -> int:
    """Print why a command was interrupted, by a person or by its time limit, and return its exit status."""
    if _limit is None or time.monotonic() < _limit.reached_at:
        tell("interrupted")
        return INTERRUPTED
    return _at_limit(_limit, tell)


def _at_limit(limit: _Limit, tell: Callable[[str], None]) -> int:
    if not limit.answer:
        tell(f"error: --limit-seconds {limit.seconds:g}: not done by then")
        return limit.status
    try:
        sys.stdout.write(f"{limit.answer}\n")
        sys.stdout.flush()
    except OSError as error:
        tell(f"error: cannot write the output: {error.strerror or error}")
        return 2
    return limit.status


def supervised(command: Callable[[], int], tell: Callable[[str], None]) -> int:
    """Run a command and return its exit status; the process that was started does not return, and exits with the same.

    `tell` prints a line on standard error.
    """
    global _shared
    if _shared is not None or sys.platform != "linux" or STARTED_AS is None:
        return command()
    _shared = mmap.mmap(-1, _SIZE)
    # The one that started this process may have a signal ignored, as `nohup` does.
    passed_on = (s for s in map(signal.Signals.__getitem__, _PASSED_ON) if signal.getsignal(s) is not signal.SIG_IGN)
    watched = {signal.SIGCHLD, *passed_on}
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, a child would leave no status
    before = signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    parent = os.getpid()
    child = os.fork()
    if child:
        _wait(child, watched, _shared, tell)
    end_with(parent)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return command()


def end_with(parent: int) -> None:
    """Have this process killed when its parent ends, however that ends."""
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def _wait(child: int, watched: set[signal.Signals], shared: mmap.mmap, tell: Callable[[str], None]) -> NoReturn:
    """Pass signals on to the child, kill it where it does not obey in time, and exit as it does."""
    interrupts, kill_at = 0, float("inf")
    while True:
        came = signal.sigtimedwait(watched, 0.2)
        if came is not None and came.si_signo == signal.SIGINT:
            if came.si_code != _SI_KERNEL:  # the terminal interrupts the child too
                os.kill(child, signal.SIGINT)
            interrupts += 1
            kill_at = min(kill_at, time.monotonic() + PATIENCE) if interrupts == 1 else 0.0
        elif came is not None and came.si_signo != signal.SIGCHLD:
            os.kill(child, came.si_signo)
        ended, wait_status = os.waitpid(child, os.WNOHANG)
        if ended:
            os._exit(_status(os.waitstatus_to_exitcode(wait_status), tell))
        reached_at, status, seconds = _HEADER.unpack(shared[: _HEADER.size])
        now = time.monotonic()
        if now >= kill_at or (reached_at and now >= reached_at + PATIENCE):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            if interrupts:
                tell("interrupted")
                os._exit(INTERRUPTED)
            answer = shared[_HEADER.size :].rstrip(b"\0").decode()
            os._exit(_at_limit(_Limit(seconds, reached_at, status, answer), tell))


def _status(code: int, tell: Callable[[str], None]) -> int:
    """Return the exit status for that of the child; where a signal ended it, as the signal says."""
    if code >= 0:
        return code
    name = signal.Signals(-code).name
    if name in _CRASHES:
        tell(f"error: the computation was ended by {name}, perhaps for lack of memory; a smaller problem may do")
        return 2
    signal.signal(-code, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
    os.kill(os.getpid(), -code)
    return 128 - code
