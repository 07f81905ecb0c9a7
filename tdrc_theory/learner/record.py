"""The record of a calculation: a graph of operations in their order, each result noted once, and its branches.

Where symbols leave comparisons open, a function is run once for each combination of outcomes.
"""

from __future__ import annotations

import contextlib
import math
import numbers
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from typing import Any, TypeVar

from tdrc_theory.errors import BadAlgorithm

NUMBER, LEAF, SELECT, SUM = "number", "leaf", "select", "sum"
INFIX = ("+", "-", "*", "/", "//", "%", "**", "<", "<=", "==")


class Rate(IntEnum):
    """How often a number changes."""

    RUN = 0
    UPDATE = 1
    SAMPLE = 2


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A number, or a component of a vector, of a calculation; two are equal where they are the same object.

    Attributes:
        operation: one of INFIX, `neg`, a function's name, or NUMBER, LEAF, SELECT (of a condition, what holds if it
            does, and what if it does not), SUM (of a start and of a term over all components).
        operands: what it is calculated from.
        value: of NUMBER, exact where it is finite; the name of LEAF.
        lane: whether it differs between lanes.
        component: whether it differs between components.
        rate: how often it changes.
        depth: how many sums have to be known one after another before it is.
    """

    operation: str
    operands: tuple[Node, ...]
    value: Any
    lane: bool = False
    component: bool = False
    rate: Rate = Rate.RUN
    depth: int = 0

    def __str__(self) -> str:
        """Return it as text."""
        if self.operation == NUMBER:
            return str(machine_number(self.value))
        if self.operation == LEAF:
            return str(self.value)
        parts = [str(operand) for operand in self.operands]
        if self.operation in INFIX:
            return f"({parts[0]} {self.operation} {parts[1]})"
        if self.operation == SUM:
            factors = [str(factor) for factor in self.operands[1].operands]
            return f"dot({', '.join(factors)})" if parts[0] == "0.0" else f"({parts[0]} + dot({', '.join(factors)}))"
        return f"-{parts[0]}" if self.operation == "neg" else f"{self.operation}({', '.join(parts)})"


class Record:
    """Makes nodes; the same operation on the same operands is the same node."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Node] = {}
        self._selected: dict[tuple[Node, Node, Node], Node] = {}

    def leaf(self, name: str, *, lane: bool = False, component: bool = False, rate: Rate = Rate.SAMPLE) -> Node:
        """Return what has a name and is calculated from nothing."""
        return self._interned(Node(LEAF, (), name, lane, component, rate))

    def number(self, value: Any) -> Node:
        """Return a constant; a float means the decimal that is written. What is no number is refused."""
        if not isinstance(value, numbers.Real):
            raise BadAlgorithm(f"calculates with {value!r}, which is no number")
        return self._interned(Node(NUMBER, (), _exact(value)))

    def node(self, operation: str, *operands: Node) -> Node:
        """Return the result of an operation."""
        lane, component = (any(getattr(o, name) for o in operands) for name in ("lane", "component"))
        rate, depth = (max(getattr(o, name) for o in operands) for name in ("rate", "depth"))
        if operation == SUM:
            component, depth = False, depth + 1
        return self._interned(Node(operation, operands, None, lane, component, rate, depth))

    def select(self, condition: Node, if_true: Node, if_false: Node) -> Node:
        """Return one of two; where they differ in some operands only, the operation on the operands that are selected.

        >>> record = Record()
        >>> x, rho = record.leaf("x"), record.leaf("rho")
        >>> many = record.node("<", record.number(1), rho)
        >>> print(record.select(many, record.node("*", record.number(1), x), record.node("*", rho, x)))
        (select((1 < rho), 1, rho) * x)
        """
        if if_true is if_false:
            return if_true
        key, operation = (condition, if_true, if_false), if_true.operation
        if key not in self._selected:
            alike = operation == if_false.operation and len(if_true.operands) == len(if_false.operands)
            if alike and operation not in (NUMBER, LEAF, SUM):
                pairs = zip(if_true.operands, if_false.operands, strict=True)
                operands = [self.select(condition, one, other) for one, other in pairs]
                self._selected[key] = self.node(operation, *operands)
            else:
                self._selected[key] = self.node(SELECT, condition, if_true, if_false)
        return self._selected[key]

    def _interned(self, node: Node) -> Node:
        key = node.operation, node.operands, repr(node.value), node.lane, node.component, node.rate
        return self._known.setdefault(key, node)


def _exact(value: Any) -> Any:
    if isinstance(value, bool):  # a kernel takes it for 1, an equation for no number
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    number = float(value)
    return Fraction(float.__repr__(number)) if math.isfinite(number) else number


def machine_number(value: Any) -> int | float:
    """Return what a kernel calculates with: a whole number where it is a small one, else the nearest float."""
    if isinstance(value, int) and abs(value) < sys.maxsize:
        return int(value)
    with contextlib.suppress(OverflowError):
        return float(value)
    return math.inf if value > 0 else -math.inf


def leaves(nodes: Iterable[Node]) -> set[Node]:
    """Return the leaves that nodes are calculated from."""
    return {node for node in reached(nodes) if node.operation == LEAF}


def reached(targets: Iterable[Node], known: Iterable[Node] = ()) -> Iterator[Node]:
    """Yield each node that targets are calculated from, and they themselves, once, operands first.

    Args:
        targets: what is wanted.
        known: what need not be calculated; it is not yielded, nor what it alone is calculated from.
    """
    seen = set(known)
    stack = [(node, False) for node in reversed(list(targets))]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack += [(operand, False) for operand in reversed(node.operands)]


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
    """Return whether a comparison holds, on the way that is being taken; where none is, it is refused."""
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
