"""The working precision of ball arithmetic, of which python-flint has one for the whole process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import flint

DEFAULT = 53
"""Bits of balls where nothing else is asked for."""
_turn = threading.RLock()
_depth = 0
"""The number of nested blocks of the thread that holds the lock."""


@contextmanager
def precision(bits: int | None = None) -> Iterator[None]:
    """Set the precision of balls for the block, and keep other threads from theirs meanwhile.

    Every operation that rounds a ball stands in such a block, so that no thread changes the digits of another.

    Args:
        bits: None is as in the block around this one, DEFAULT where there is none.
    """
    global _depth
    with _turn:
        before = flint.ctx.prec
        flint.ctx.prec = bits or (before if _depth else DEFAULT)
        _depth += 1
        try:
            yield
        finally:
            _depth -= 1
            flint.ctx.prec = before
