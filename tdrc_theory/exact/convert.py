"""Conversions between Python's exact numbers and python-flint's, and exact numbers as text."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import flint

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact.number import Number
from tdrc_theory.exact.precision import precision
from tdrc_theory.exact.surd import Surd

_ZERO = Fraction(0)
"""Most entries of most matrices."""


def to_fmpq(value: int | Fraction | flint.fmpq) -> flint.fmpq:
    """Return a rational as python-flint's type."""
    if isinstance(value, Fraction):
        return flint.fmpq(*value.as_integer_ratio())
    return flint.fmpq(value)


def from_fmpq(value: flint.fmpq) -> Fraction:
    """Return a python-flint rational as a Fraction."""
    return Fraction(int(value.p), int(value.q)) if value else _ZERO


def to_arb(value: int | Number) -> flint.arb:
    """Return a ball that contains the value, at the working precision."""
    return value.enclosure() if isinstance(value, Surd) else flint.arb(to_fmpq(value))


def normal_float(value: Number, what: str) -> float:
    """Return the float nearest to a value, with all the digits that floats have.

    Raises:
        BadNumber: the value is not 0, and too small or too large for that; the message begins with what it is.
    """
    try:
        nearest = float(value)
    except OverflowError:
        nearest = math.inf
    if value != 0 and not sys.float_info.min <= abs(nearest) < math.inf:
        raise BadNumber(f"{what}: {short_number(value)} is outside the range of floats, 2.3e-308 to 1.7e308 in size")
    return nearest


def number_text(value: Number) -> str:
    """Return a number as the contract writes it, however many digits it has."""
    return str(value) if isinstance(value, Surd) else str(to_fmpq(value))


def short_number(value: Number) -> str:
    """Return a number in at most a dozen characters: exactly where that is enough, to six digits elsewhere.

    >>> short_number(Fraction(2, 3)), short_number(Fraction(1, 10**30))
    ('2/3', '1.00000e-30')
    """
    text = number_text(value)
    return text if len(text) <= 12 else decimal_text(value, 6)


def rounded_text(value: Number, digits: int = 6) -> str:
    """Return a number to so many digits, as floats are written where it is within their range."""
    try:
        return f"{normal_float(value, ''):.{digits}g}"
    except BadNumber:
        return decimal_text(value, digits)


def decimal_text(value: Number, digits: int) -> str:
    """Return the decimal with so many digits that is nearest to a number of any size."""
    with precision():
        return str(to_arb(value).str(digits, radius=False))
