"""Branches on symbolic comparisons: the function is run once for each combination of outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tdrc_theory.errors import BadAlgorithm

_MAX_PATHS = 64
_path: ContextVar[Path | None] = ContextVar("path", default=None)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Comparison:
    """`left < right`, `left <= right` or `left == right`, or that this does not hold, of what symbols stand for."""

    left: Any
    relation: str
    right: Any
    taken: bool = True

    def question(self) -> tuple[str, Any, bool]:
        """Return a key of the comparison, and its answer; with NaN a comparison and its opposite are both false."""
        return self.relation, (self.left, self.right), self.taken

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


class Path:
    """The decisions taken, in order, on comparisons that the symbols leave open."""

    def __init__(self, prefix: list[bool]) -> None:
        self.decisions = prefix
        self.comparisons: list[Any] = []

    def decide(self, comparison: Comparison) -> bool:
        """Take the next decision of the prefix, or True beyond it, and note what it assumes.

        A question that was asked before gets the same answer: its opposite is no way through.
        """
        *asked, same = comparison.question()
        for noted in self.comparisons:
            *known, answer = noted.question()
            if known == asked:
                return answer is same
        if len(self.comparisons) == _MAX_PATHS:
            raise BadAlgorithm(f"compares more than {_MAX_PATHS} times one after another")
        if len(self.comparisons) == len(self.decisions):
            self.decisions = [*self.decisions, True]
        taken = self.decisions[len(self.comparisons)]
        self.comparisons.append(replace(comparison, taken=taken))
        return taken


def decide(comparison: Comparison) -> bool:
    """Return whether a comparison holds, on the way that is being taken.

    Raises:
        BadAlgorithm: no way is being taken; the message has the comparison.
    """
    path = _path.get()
    if path is None:
        raise BadAlgorithm(f"branches on {comparison}")
    return path.decide(comparison)


@contextmanager
def first_way(prefix: list[bool] | None = None) -> Iterator[Path]:
    """Take a way that begins with these decisions, and is the first of those, while the block runs."""
    token = _path.set(path := Path(prefix or []))
    try:
        yield path
    finally:
        _path.reset(token)


def every_path(run: Callable[[], Result]) -> Iterator[tuple[tuple[Any, ...], Result]]:
    """Call `run` once for each combination of open comparisons; yield (these with their answers, result)."""
    prefix: list[bool] = []
    for _ in range(_MAX_PATHS):
        with first_way(prefix) as path:
            result = run()
        yield tuple(path.comparisons), result
        prefix = path.decisions
        while prefix and not prefix[-1]:
            prefix = prefix[:-1]
        if not prefix:
            return
        prefix = [*prefix[:-1], False]
    raise BadAlgorithm(f"branches in more than {_MAX_PATHS} ways")
