"""The cores of this machine, and how many workers compute on them."""

from __future__ import annotations

import os

from tdrc_theory.errors import BadOption

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
