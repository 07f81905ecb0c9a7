"""From nested sequences to exact rows and tables, with messages that name the key, the place and the value."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadNumber, BadProblem
from tdrc_theory.exact.convert import number_text
from tdrc_theory.exact.number import ALLOWED, Number, exact
from tdrc_theory.exact.surd import Surd

Row = tuple[Fraction, ...]
_SHOWN = 60


def shown(value: Any) -> str:
    """Return a value as a message shows it: on one line, and not long.

    >>> shown(Fraction(1, 3)), shown([1, "a\\nb"])
    ('1/3', "[1, 'a\\\\nb']")
    """
    try:
        # Python refuses to write integers of thousands of digits, and to show what is nested too deeply.
        text = number_text(Fraction(value)) if type(value) in (int, Fraction) else repr(value)
    except (ValueError, TypeError, RecursionError):
        return f"a value of type {type(value).__name__}"
    text = " ".join(text.split("\n"))
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


class Reader:
    """Converts nested sequences to exact numbers, and remembers which keys held floats."""

    def __init__(self) -> None:
        self.floats: list[str] = []

    def notes(self) -> list[str]:
        """Return what a reader of the problem should know: where floats were read."""
        if not self.floats:
            return []
        return [f"floating-point numbers in {', '.join(self.floats)} were read as the simplest fractions near them"]

    def number(self, value: Any, where: str) -> Number:
        """Return an exact number, which may have square roots."""
        if type(value) is Fraction:
            return value
        if isinstance(value, numbers.Real) and not isinstance(value, numbers.Rational) and value != value // 1:
            key = where.split(",")[0]
            if key not in self.floats:
                self.floats.append(key)
        try:
            return exact(value)
        except BadNumber as error:
            raise BadProblem(f"{where}: {' '.join(str(error).splitlines())}") from None
        except (ValueError, TypeError, ArithmeticError, RecursionError):
            raise BadProblem(f"{where}: {shown(value)} is not a number; {ALLOWED}") from None

    def rational(self, value: Any, where: str) -> Fraction:
        """Return a rational number."""
        number = self.number(value, where)
        if isinstance(number, Surd):
            raise BadProblem(f"{where}: {number} is irrational; only features may be")
        return number

    def listed(self, value: Any, where: str) -> list[Any]:
        """Return a list of what a sequence holds."""
        if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
            raise BadProblem(f"{where}: {shown(value)} is not a list")
        try:
            return list(value)
        except TypeError:  # a NumPy array without dimensions calls itself iterable
            raise BadProblem(f"{where}: {shown(value)} is not a list") from None

    def row(self, value: Any, where: str, surds: bool = False) -> tuple[Any, ...]:
        """Return a tuple of exact numbers."""
        read = self.number if surds else self.rational
        return tuple(read(v, f"{where}, entry {i}") for i, v in enumerate(self.listed(value, where)))

    def table(self, value: Any, where: str, row_is: str, surds: bool = False) -> tuple[tuple[Any, ...], ...]:
        """Return rows of exact numbers, all of one length."""
        rows = [self.row(row, f"{where}, {row_is} {i}", surds) for i, row in enumerate(self.listed(value, where))]
        for i, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise BadProblem(f"{where}, {row_is} {i}: {len(row)} numbers, {row_is} 0 has {len(rows[0])}")
        return tuple(rows)


def is_list(value: Any) -> bool:
    """Return whether a value holds a sequence of others, and is not one number or text."""
    if isinstance(value, str | bytes | dict):
        return False
    try:
        iter(value)
    except TypeError:
        return False
    return True


def index(value: Any, count: int, where: str, what: str) -> int:
    """Return an index below `count`."""
    found = whole(value)
    if found is None or not 0 <= found < count:
        raise BadProblem(f"{where}: {shown(value)} is not one of the {count} {what}, 0 to {count - 1}")
    return found


def whole(value: Any) -> int | None:
    """Return an integer of Python or NumPy as Python's, and None for anything else, booleans included."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return operator.index(value)
    except TypeError:  # a NumPy array, which has the method and refuses it
        return None


def state_list(values: Any, count: int) -> tuple[int, ...]:
    """Return distinct states, sorted."""
    found = [index(v, count, "terminal", "states") for v in Reader().listed(values, "terminal")]
    if len(set(found)) != len(found):
        raise BadProblem("terminal: a state is listed twice")
    return tuple(sorted(found))


def few_states(states: Iterable[int]) -> str:
    """Return states as a message names them: the first five.

    >>> few_states([3]), few_states({2, 1}), few_states(range(9))
    ('state 3', 'states 1, 2', 'states 0, 1, 2, 3, 4, ... (9 in all)')
    """
    listed = sorted(states)
    more = f", ... ({len(listed)} in all)" if len(listed) > 5 else ""
    return f"{'state' if len(listed) == 1 else 'states'} {', '.join(map(str, listed[:5]))}{more}"


def of_length(row: Any, length: int, key: str, what: str) -> Any:
    """Return the row if it has this length."""
    if len(row) != length:
        raise BadProblem(f"{key}: {len(row)} entries for {length} {what}")
    return row


def check_probabilities(row: Row, where: str) -> None:
    """Refuse a row that is negative somewhere or does not sum to 1."""
    for i, value in enumerate(row):
        if value < 0:
            raise BadProblem(f"{where}, entry {i}: {shown(value)} is negative")
    if sum(row) != 1:
        raise BadProblem(f"{where}: entries sum to {shown(sum(row, Fraction(0)))}, not 1")
