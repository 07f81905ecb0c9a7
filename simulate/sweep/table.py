"""One table of an experiment file: each key is asked for once, and what is wrong names the key and the value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from tdrc_theory.errors import BadExperiment, BadNumber, TheoryError
from tdrc_theory.exact.number import ALLOWED, parse_number
from tdrc_theory.problem.reader import shown, whole

T = TypeVar("T")
_MISSING: Any = object()
_MOST_VALUES = 1000


class Table:
    """Reads the keys of one table; `finish` refuses those that nobody asked for.

    Args:
        data: the table, as tomllib with `parse_float=str` returns it.
        where: what to put before a key in messages.
    """

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        self._data = data
        self._where = where
        self._asked: list[str] = []

    def has(self, key: str) -> bool:
        """Return whether the key is there; it counts as asked for."""
        self._asked.append(key)
        return key in self._data

    def refuse(self, key: str, reason: str) -> BadExperiment:
        """Return an error about a key."""
        return BadExperiment(f"{self._where}{key}: {reason}")

    def finish(self) -> None:
        """Refuse keys that were not asked for."""
        for key in self._data:
            if key not in self._asked:
                name = key if key.isidentifier() and len(key) < 40 else shown(key)
                raise self.refuse(name, f"unknown key; allowed: {', '.join(dict.fromkeys(self._asked))}")

    def text(self, key: str, default: Any = _MISSING) -> Any:
        """Return one line of text."""
        value = self._get(key, default)
        if value is not default and (not isinstance(value, str) or value.splitlines() != [value] or not value.strip()):
            raise self.refuse(key, f"{shown(value)} is not one line of text")
        return value

    def one_of(self, key: str, allowed: Sequence[str], default: Any = _MISSING) -> Any:
        """Return one of some words."""
        value = self._get(key, default)
        if value is not default and value not in allowed:
            raise self.refuse(key, f"{shown(value)} is none; allowed: {', '.join(allowed)}")
        return value

    def whole(self, key: str, least: int, most: int, default: Any = _MISSING) -> int:
        """Return an integer in a range."""
        return self._whole(self._get(key, default), key, least, most)

    def wholes(self, key: str, least: int, most: int) -> tuple[int, ...]:
        """Return one integer, or a list of different ones, or a range."""
        value = self._get(key, _MISSING)
        values = self._range(value, key) if isinstance(value, dict) else value if isinstance(value, list) else [value]
        plain = [int(v) if isinstance(v, Fraction) and v.denominator == 1 else v for v in values]
        return self._different(key, [self._whole(v, key, least, most) for v in plain])

    def number(self, key: str, default: Any = _MISSING) -> Any:
        """Return an exact number."""
        value = self._get(key, default)
        return value if value is default else self._number(value, key)

    def numbers(self, key: str) -> tuple[Fraction, ...]:
        """Return a list of exact numbers, which may be alike."""
        value = self._get(key, _MISSING)
        if not isinstance(value, list) or not 1 <= len(value) <= _MOST_VALUES:
            raise self.refuse(key, f"{shown(value)} is not a list of 1 to {_MOST_VALUES} numbers")
        return tuple(self._number(v, key) for v in value)

    def truth(self, key: str, default: Any = _MISSING) -> bool:
        """Return true or false."""
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise self.refuse(key, f"{shown(value)} is not true or false")
        return value

    def grid(
        self, key: str, default: Any = _MISSING, *, least: Fraction | None = None, open_end: bool = False
    ) -> tuple[Fraction, ...]:
        """Return one number, or a list of different ones, or a range; at least `least`, or above it."""
        value = self._get(key, default)
        if value is default:
            return value
        if isinstance(value, dict):
            values = self._range(value, key)
        else:
            values = [self._number(v, key) for v in (value if isinstance(value, list) else [value])]
        for v in values:
            if least is not None and (v < least or (open_end and v == least)):
                raise self.refuse(key, f"{shown(v)} is not {'above' if open_end else 'at least'} {least}")
        return self._different(key, values)

    def texts(self, key: str, default: Any = _MISSING) -> tuple[str, ...]:
        """Return one text, or a list of different ones."""
        value = self._get(key, default)
        values = value if isinstance(value, list) else [value]
        for v in values:
            if not isinstance(v, str):
                raise self.refuse(key, f"{shown(v)} is not text")
        return self._different(key, values)

    def table(self, key: str) -> Table:
        """Return a table inside, empty where it is missing."""
        value = self._get(key, {})
        if not isinstance(value, dict):
            raise self.refuse(key, f"{shown(value)} is not a table")
        return Table(value, f"{self._where}{key}.")

    def tables(self, key: str, bare: str | None = None) -> list[Table]:
        """Return a list of tables; where `bare` is given, a text stands for a table with that key alone."""
        value = self._get(key, _MISSING)
        if not isinstance(value, list) or not value:
            raise self.refuse(key, f"{shown(value)} is not a list with something in it")
        read = []
        for number, entry in enumerate(value):
            if bare is not None and isinstance(entry, str):
                entry = {bare: entry}
            if not isinstance(entry, dict):
                raise self.refuse(f"{key}, entry {number}", f"{shown(entry)} is not a table")
            read.append(Table(entry, f"{self._where}{key}, entry {number}: "))
        return read

    def converted(self, key: str, make: Callable[[], T]) -> T:
        """Return what is made of a key's value; its errors name the key."""
        try:
            return make()
        except TheoryError as error:
            raise self.refuse(key, str(error)) from None

    def _get(self, key: str, default: Any) -> Any:
        self._asked.append(key)
        if key in self._data:
            return self._data[key]
        if default is _MISSING:
            raise self.refuse(key, "missing")
        return default

    def _whole(self, value: Any, key: str, least: int, most: int) -> int:
        number = whole(value)
        if number is None or not least <= number <= most:
            raise self.refuse(key, f"{shown(value)} is not an integer from {least} to {most}")
        return number

    def _number(self, value: Any, key: str) -> Fraction:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise self.refuse(key, f"{shown(value)} is not a number; {ALLOWED}")
        try:
            number = parse_number(value) if isinstance(value, str) else Fraction(value)
        except BadNumber as error:
            raise self.refuse(key, str(error)) from None
        try:
            float(number)
        except OverflowError:
            raise self.refuse(key, f"{shown(number)} is too large to compute with") from None
        return number

    def _range(self, value: Mapping[str, Any], key: str) -> list[Fraction]:
        """Return times * base^n for n = from, ..., to."""
        read = Table(value, f"{self._where}{key}.")
        base, times = read.number("base"), read.number("times", Fraction(1))
        low, high = (read.whole(end, -1000, 1000) for end in ("from", "to"))
        read.finish()
        if base <= 0 or base == 1:
            raise read.refuse("base", f"{shown(base)} is not positive, or is 1")
        if low > high:
            raise read.refuse("to", f"{high} is below from = {low}")
        return [self._number(str(times * base**n), key) for n in range(low, high + 1)]

    def _different(self, key: str, values: Sequence[T]) -> tuple[T, ...]:
        if not 1 <= len(values) <= _MOST_VALUES:
            raise self.refuse(key, f"{len(values)} values; 1 to {_MOST_VALUES} are allowed")
        for i, value in enumerate(values):
            if value in values[:i]:
                raise self.refuse(key, f"{shown(value)} is listed twice")
        return tuple(values)
