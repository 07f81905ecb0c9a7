"""From nested sequences to exact rows and tables, with messages that name the key, the place and the value."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadNumber, BadProblem
from tdrc_theory.exact.convert import number_text
from tdrc_theory.exact.number import Number, exact
from tdrc_theory.exact.surd import Surd

Row = tuple[Fraction, ...]


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
        if isinstance(value, float) and not value.is_integer():
            key = where.split(",")[0]
            if key not in self.floats:
                self.floats.append(key)
        try:
            return exact(value)
        except BadNumber as error:
            raise BadProblem(f"{where}: {error}") from None

    def rational(self, value: Any, where: str) -> Fraction:
        """Return a rational number."""
        number = self.number(value, where)
        if isinstance(number, Surd):
            raise BadProblem(f"{where}: {number} is irrational; only features may be")
        return number

    def listed(self, value: Any, where: str) -> list[Any]:
        """Return a list of what a sequence holds."""
        if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
            raise BadProblem(f"{where}: {value!r} is not a list")
        return list(value)

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


def index(value: Any, count: int, where: str, what: str) -> int:
    """Return an index below `count`."""
    whole = not isinstance(value, bool) and hasattr(value, "__index__")
    if not whole or not 0 <= int(value) < count:
        raise BadProblem(f"{where}: {value!r} is not one of the {count} {what}, 0 to {count - 1}")
    return int(value)


def state_list(values: Any, count: int) -> tuple[int, ...]:
    """Return distinct states, sorted."""
    found = [index(v, count, "terminal", "states") for v in Reader().listed(values, "terminal")]
    if len(set(found)) != len(found):
        raise BadProblem("terminal: a state is listed twice")
    return tuple(sorted(found))


def of_length(row: Any, length: int, key: str, what: str) -> Any:
    """Return the row if it has this length."""
    if len(row) != length:
        raise BadProblem(f"{key}: {len(row)} entries for {length} {what}")
    return row


def check_probabilities(row: Row, where: str) -> None:
    """Refuse a row that is negative somewhere or does not sum to 1."""
    for i, value in enumerate(row):
        if value < 0:
            raise BadProblem(f"{where}, entry {i}: {number_text(value)} is negative")
    if sum(row) != 1:
        raise BadProblem(f"{where}: entries sum to {number_text(sum(row, Fraction(0)))}, not 1")
