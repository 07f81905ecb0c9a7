"""Exact numbers from text, decimals, floats and NumPy scalars."""

from __future__ import annotations

import functools
import math
import numbers
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact.surd import Surd

Number = Fraction | Surd

_DIGITS = "[0-9]+(?:_[0-9]+)*"
_DECIMAL = rf"(?:{_DIGITS}(?:\.{_DIGITS})?|\.{_DIGITS})(?:[eE](?P<exponent>[+-]?[0-9]+))?"
_NUMBER = re.compile(f"-?(?:{_DIGITS}/{_DIGITS}|{_DECIMAL})")
LONGEST = 4000
"""Characters of a number that is read, and the most digits that an exponent may stand for."""
ALLOWED = "a number is written as 3, -3, 2/3, 0.25 or 1e-3"


@functools.lru_cache(maxsize=4096)  # a table of transitions has few numbers, many times each
def parse_number(text: str) -> Fraction:
    """Read an integer, a fraction of integers, or a decimal; nothing else is a number.

    A decimal means the decimal that is written; it may begin with its point, and have an exponent. Digits may have
    underscores between them.

    >>> parse_number("0.99"), parse_number("-1/3"), parse_number("-.5e-1"), parse_number("1_000")
    (Fraction(99, 100), Fraction(-1, 3), Fraction(-1, 20), Fraction(1000, 1))

    Raises:
        BadNumber: the text has another form, its denominator is 0, or it has too many digits.
    """
    form = _NUMBER.fullmatch(text)
    if form is None:
        raise BadNumber(f"{_short(text)} is not a number; {ALLOWED}")
    if len(text) > LONGEST:
        raise BadNumber(f"a number of {len(text)} characters; at most {LONGEST} are read")
    if abs(int(form["exponent"] or 0)) > LONGEST:
        raise BadNumber(f"{_short(text)} has too many digits; at most {LONGEST} are read")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise BadNumber(f"{_short(text)} has denominator 0") from None


def total(values: Iterable[Fraction]) -> Fraction:
    """Return a sum, reduced once: of many fractions far cheaper than one after another."""
    listed = [value.as_integer_ratio() for value in values]
    below = math.lcm(*(denominator for _, denominator in listed))
    return Fraction(sum(numerator * (below // denominator) for numerator, denominator in listed), below)


def exact(value: Any) -> Number:
    """Return a Python or NumPy number, or the text of one, as an exact number.

    A float becomes the simplest fraction within four units in its last place (0.99 becomes 99/100).

    Raises:
        BadNumber: a boolean, NaN, an infinity, or something that is no number.
    """
    if isinstance(value, Fraction | Surd):
        return value
    if isinstance(value, str):
        return parse_number(value)
    if isinstance(value, bool) or type(value).__name__ == "bool":
        raise BadNumber(f"{value} is not a number; {ALLOWED}")
    if isinstance(value, int | numbers.Integral):
        return Fraction(int(value))
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise BadNumber(f"{value} is not a number; {ALLOWED}")
        if abs(value.adjusted()) > LONGEST:
            raise BadNumber(f"{value} has too many digits; at most {LONGEST} are read")
        return Fraction(value)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real):
        unit = None
        if hasattr(value, "dtype"):
            import numpy as np

            narrow: Any = value
            unit = float(abs(np.spacing(narrow)))
        return exact_float(float(value), unit)
    raise BadNumber(f"{_short(value)} is not a number; {ALLOWED}")


def exact_float(value: float, unit: float | None = None) -> Fraction:
    """Return the simplest fraction within four units in the last place of a float; a whole float is itself.

    `unit` is that place where it is not a double's.

    Floats that were meant as fractions come back as those: 1/3, (1 - 1/3)/2 and 0.1 become 1/3, 1/3 and 1/10.

    >>> exact_float(1 / 3), exact_float((1 - 1 / 3) / 2), exact_float(0.99)
    (Fraction(1, 3), Fraction(1, 3), Fraction(99, 100))
    """
    if not math.isfinite(value):
        raise BadNumber(f"{value} is not a number; {ALLOWED}")
    if value.is_integer():
        return Fraction(int(value))  # above 2^50, other integers lie as near and are as simple
    centre, reach = Fraction(value), 4 * Fraction(math.ulp(value) if unit is None else unit)
    return simplest_between(centre - reach, centre + reach)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the smallest denominator in [low, high].

    >>> simplest_between(Fraction(3, 10), Fraction(4, 10))
    Fraction(1, 3)
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    # Their continued fractions, in integers, as far as they agree: the convergents are p / q.
    (a, b), (c, d) = low.as_integer_ratio(), high.as_integer_ratio()
    p_before, q_before, p, q = 0, 1, 1, 0
    while True:
        whole, rest = divmod(a, b)
        last = whole if rest == 0 else whole + 1 if (whole + 1) * d <= c else None
        if last is not None:
            return Fraction(last * p + p_before, last * q + q_before)
        p_before, q_before, p, q = p, q, whole * p + p_before, whole * q + q_before
        a, b, c, d = d, c - whole * d, b, rest


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
