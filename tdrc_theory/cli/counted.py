"""A number of things, in words."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return how many there are of what a regular noun names.

    >>> counted(1, "run"), counted(20, "run"), counted(1000, "update")
    ('1 run', '20 runs', '1,000 updates')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
