"""Exact rows and tables from nested sequences, with messages that name the key, the place and the value."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadNumber, BadProblem
from tdrc_theory.exact.number import ALLOWED, Number, Surd, exact, number_text, total

Row = tuple[Fraction, ...]
ROUNDING = Fraction(1, 10**6)
"""How far from 1 a sum of probabilities may be for rounding to be why; what `normalise` mends."""
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


def shown_key(key: str) -> str:
    """Return a key of a file as a message shows it; TOML lets a quoted one hold anything."""
    return key if key.isidentifier() and len(key) < 40 else shown(key)


_SMALL = {number: Fraction(number) for number in range(-1, 2)}
"""What most tables are made of."""


class Reader:
    """Converts nested sequences to exact numbers, and remembers what a reader of the problem should know of them.

    Args:
        normalise: whether probabilities that sum to 1 up to `ROUNDING` are divided by their sum.

    Attributes:
        floats: the keys that held floats.
        change: the largest change of a probability by the division; None where nothing is divided.
    """

    def __init__(self, normalise: bool = False) -> None:
        self.floats: list[str] = []
        self.change = Fraction(0) if normalise else None

    def notes(self) -> list[str]:
        """Return what a reader of the problem should know: where floats were read, and what was normalised."""
        notes = []
        if self.floats:
            keys = ", ".join(self.floats)
            notes.append(f"floating-point numbers in {keys} were read as the simplest fractions near them")
        if self.change:
            notes.append(
                "normalised: probabilities that summed to 1 up to rounding were divided by their sum, floats as they "
                f"are stored; the largest change is {float(self.change):.2g}"
            )
        return notes

    def probabilities(self, values: Any, where: str, entry: str = "entry") -> Row:
        """Return probabilities that sum to 1: see `row` and `summing_to_one`."""
        listed = self.listed(values, where)
        return self.summing_to_one(self.row(listed, where, entry=entry), listed, where)

    def summing_to_one(self, row: Row, stored: Sequence[Any], where: str, what: str = "entries") -> Row:
        """Return probabilities that sum to 1; with `normalise`, divided by their sum where rounding is why it is not 1.

        Floats whose simplest fractions do not sum to 1 are divided as they are (`stored`): their digits are few, and so
        are those of the quotients.
        """
        if self.change is not None and row:
            off = abs(total(row) - 1)
            if (off or min(row) < 0) and off <= ROUNDING:
                row = self._normalised(row, [_as_stored(value, p) for value, p in zip(stored, row, strict=True)])
        for i, value in enumerate(row):
            if value.numerator < 0:  # a third of the time of value < 0
                raise BadProblem(f"{where}, entry {i}: {shown(value)} is negative")
        result = total(row)
        if result != 1:
            raise BadProblem(f"{where}: {what} sum to {shown(result)}, not 1{of_rounding(result)}")
        return row

    def _normalised(self, row: Row, stored: list[Fraction]) -> Row:
        """Return stored numbers over their sum, those that rounding made negative as 0; negative ones stay."""
        if min(stored) < -ROUNDING:
            return row
        kept = [max(value, Fraction(0)) for value in stored]
        total = sum(kept, Fraction(0))
        divided = tuple(value / total for value in kept)
        self.change = max(self.change or Fraction(0), *(abs(a - b) for a, b in zip(divided, stored, strict=True)))
        return divided

    def number(self, value: Any, where: str) -> Number:
        """Return an exact number, which may have square roots."""
        if type(value) is Fraction:
            return value
        if type(value) is int:
            return _whole(value)
        if type(value) is not str:
            value = _scalar(value)
        elif "_" in value:  # which only programs write
            raise BadProblem(f"{where}: {shown(value)} is not a number; {ALLOWED}")
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
        if type(value) in (list, tuple):
            return list(value)
        try:
            value = _plain(value)
        except (TypeError, ValueError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise BadProblem(f"{where}: a {type(value).__name__} that cannot be read: {reason}") from None
        if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
            raise BadProblem(f"{where}: {shown(value)} is not a list")
        try:
            return list(value)
        except TypeError:  # a NumPy array without dimensions calls itself iterable
            raise BadProblem(f"{where}: {shown(value)} is not a list") from None

    def row(self, value: Any, where: str, surds: bool = False, entry: str = "entry") -> tuple[Any, ...]:
        """Return a tuple of exact numbers, each of which a message calls an entry, or what it is of."""
        read, entries = self.number if surds else self.rational, self.listed(value, where)
        if set(map(type, entries)) == {int}:  # most rows of a large problem, and nothing can be wrong with them
            return tuple(map(_whole, entries))
        return tuple(read(v, f"{where}, {entry} {i}") for i, v in enumerate(entries))

    def table(self, value: Any, where: str, row_is: str, surds: bool = False) -> tuple[tuple[Any, ...], ...]:
        """Return rows of exact numbers, all of one length."""
        rows = [self.row(row, f"{where}, {row_is} {i}", surds) for i, row in enumerate(self.listed(value, where))]
        for i, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise BadProblem(f"{where}, {row_is} {i}: {len(row)} numbers, {row_is} 0 has {len(rows[0])}")
        return tuple(rows)


def _whole(value: int) -> Fraction:
    return _SMALL[value] if value in _SMALL else Fraction(value)


def _plain(value: Any) -> Any:
    """Return a sparse matrix, a tensor or a table as a NumPy array; the library that it is of is not imported."""
    if isinstance(value, type | numbers.Number):
        return value
    if hasattr(value, "toarray"):  # SciPy's, whose rows are matrices
        value = value.toarray()
    if hasattr(value, "detach"):  # PyTorch's
        value = value.detach().cpu()
        value = value.to_dense() if value.is_sparse else value
    if not hasattr(value, "__array__"):
        return value
    import numpy as np

    return np.asarray(value)


def _scalar(value: Any) -> Any:
    """Return the number of an array without dimensions, and the real part of a complex number that is real."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "__array__") and not isinstance(value, numbers.Number):
        value = _plain(value)[()]
    real = isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real) and value.imag == 0
    return value.real if real else value


def _as_stored(value: Any, read: Fraction) -> Fraction:
    """Return the very number that a float holds, and what was read of any other."""
    value = _scalar(value)
    is_float = isinstance(value, numbers.Real) and not isinstance(value, numbers.Rational)
    return Fraction(float(value)) if is_float else read


def is_list(value: Any) -> bool:
    """Return whether a value holds a sequence of others, and is not one number or text."""
    if isinstance(value, str | bytes | dict):
        return False
    if hasattr(value, "toarray"):  # some of SciPy's have no iterator
        return True
    try:
        iter(value)
    except TypeError:
        return False
    return True


def index(value: Any, count: int, where: str, what: str) -> int:
    """Return an index below `count`."""
    if type(value) is int and 0 <= value < count:
        return value
    result = whole(value)
    if result is None or not 0 <= result < count:
        raise BadProblem(f"{where}: {shown(value)} is not one of the {count} {what}, 0 to {count - 1}")
    return result


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
    result = [index(v, count, "terminal", "states") for v in Reader().listed(values, "terminal")]
    if len(set(result)) != len(result):
        raise BadProblem("terminal: a state is listed twice")
    return tuple(sorted(result))


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


def of_rounding(total: Fraction) -> str:
    """Return what to do where a sum is not 1 by rounding alone; nothing where it is further off."""
    if abs(total - 1) > ROUNDING:
        return ""
    return '; a third is written "1/3", and normalise = true (--normalise) divides rounded numbers by their sum'
