"""Comparisons that symbols leave open: the function is run once for each way through them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.coefficient import Coefficient

_MAX_PATHS = 64
_path: ContextVar[Path | None] = ContextVar("path", default=None)
Result = TypeVar("Result")


class Question(Protocol):
    """A comparison that symbols leave open."""

    def question(self) -> tuple[Any, Any, bool]:
        """Return what is asked in one form, two parts that are compared, and whether its answer is the opposite."""

    def answered(self, taken: bool) -> Any:
        """Return it with its answer."""


@dataclass(frozen=True)
class Condition:
    """`left < right`, `left <= right` or `left == right`, or its opposite, of two coefficients."""

    left: Coefficient
    relation: str
    right: Coefficient
    taken: bool = True

    @property
    def names(self) -> frozenset[str]:
        """The names that it depends on."""
        return (self.left - self.right).names

    def holds(self, values: Mapping[str, Fraction]) -> bool:
        """Return whether it holds at these values."""
        difference = (self.left - self.right).at(values)
        return self.taken is {"<": difference < 0, "<=": difference <= 0, "==": difference == 0}[self.relation]

    def bound(self, values: Mapping[str, Fraction]) -> Condition:
        """Return it with numbers for some of its names."""
        return Condition(self.left.bound(values), self.relation, self.right.bound(values), self.taken)

    def decided(self) -> bool | None:
        """Return whether it holds for all values in range, or for none; None where that depends on them."""
        found = _decided(self.left - self.right, self.relation)
        return None if found is None else found is self.taken

    def to_sympy(self) -> Any:
        """Return it as a sympy relation."""
        import sympy

        kind = {"<": sympy.Lt, "<=": sympy.Le, "==": sympy.Eq}[self.relation]
        relation = kind(self.left.to_sympy(), self.right.to_sympy())
        return relation if self.taken else ~relation

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"

    def answered(self, taken: bool) -> Condition:
        """Return it, or its opposite."""
        return Condition(self.left, self.relation, self.right, taken)

    def question(self) -> tuple[str, Coefficient, bool]:
        """Return what is asked in one form, and whether its answer is the opposite: d <= 0 is not (-d < 0)."""
        difference = self.left - self.right
        if self.relation == "<=":
            return "<", -difference, not self.taken
        return self.relation, difference, self.taken


def _decided(difference: Coefficient, relation: str) -> bool | None:
    if not difference:
        return relation != "<"
    if not difference.names:
        value = difference.at({})
        return {"<": value < 0, "<=": value <= 0, "==": False}[relation]
    sign = difference.sign()
    if sign is None:
        return None
    return False if relation == "==" else sign < 0


class Path:
    """The decisions taken, in order, on comparisons that the symbols leave open."""

    def __init__(self, prefix: list[bool]) -> None:
        self.decisions = prefix
        self.conditions: list[Any] = []

    def decide(self, asked: Question) -> bool:
        """Take the next decision of the prefix, or True beyond it, and note what it assumes.

        A question that was asked before gets the same answer: its opposite is no way through.
        """
        relation, difference, same = asked.question()
        for noted in self.conditions:
            known = noted.question()
            if known[0] == relation and known[1] == difference:
                return known[2] is same
        if len(self.conditions) == _MAX_PATHS:
            raise BadAlgorithm(f"compares more than {_MAX_PATHS} times one after another")
        if len(self.conditions) == len(self.decisions):
            self.decisions = [*self.decisions, True]
        taken = self.decisions[len(self.conditions)]
        self.conditions.append(asked.answered(taken))
        return taken


def decide(left: Coefficient, right: Coefficient, relation: str) -> bool:
    """Return whether a comparison holds, on the way that is being taken where that depends on the values."""
    asked = Condition(left, relation, right)
    known = asked.decided()
    return open_answer(asked) if known is None else known


def open_answer(asked: Question) -> bool:
    """Return the answer to an open question on the way that is being taken.

    Raises:
        BadAlgorithm: no way is being taken; the message has the question's text.
    """
    path = _path.get()
    if path is None:
        raise BadAlgorithm(f"branches on {asked}")
    return path.decide(asked)


@contextmanager
def first_way(prefix: list[bool] | None = None) -> Iterator[Path]:
    """Take a way that begins with these decisions, and is the first of those, while the block runs."""
    token = _path.set(path := Path(prefix or []))
    try:
        yield path
    finally:
        _path.reset(token)


def every_path(run: Callable[[], Result]) -> Iterator[tuple[tuple[Any, ...], Result]]:
    """Call `run` once for each combination of open comparisons; yield (conditions, result)."""
    prefix: list[bool] | None = []
    for _ in range(_MAX_PATHS):
        if prefix is None:
            return
        with first_way(prefix) as path:
            result = run()
        yield tuple(path.conditions), result
        taken = path.decisions
        while taken and not taken[-1]:
            taken = taken[:-1]
        prefix = [*taken[:-1], False] if taken else None
    if prefix is not None:
        raise BadAlgorithm(f"branches in more than {_MAX_PATHS} ways")
