"""A time limit for a user's code that is run here: one line of error in place of a process that never answers."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

MOST_SECONDS = 20.0
"""Seconds that reading a file or recording a function may take; functions of algorithms take milliseconds."""


class OutOfTime(BaseException):
    """Code that ran longer than it may; no Exception, so that `except Exception` does not catch it."""

    def __init__(self) -> None:
        super().__init__(f"did not end within {MOST_SECONDS:g} s")


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise `OutOfTime` in the block after MOST_SECONDS.

    There is no limit where Python delivers no signals: outside the main thread, and on systems without SIGALRM.
    """
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    began = time.monotonic()
    before = signal.signal(signal.SIGALRM, _end)
    # Again each second: the code may catch everything, once.
    left, interval = signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        if left:  # the alarm of a program that calls this goes on
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - began), 1e-6), interval)


def _end(_: int, __: object) -> NoReturn:
    raise OutOfTime
