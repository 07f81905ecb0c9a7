"""Whether every root of a polynomial has negative real part (Routh's table), or one is on the axis, exactly."""

from __future__ import annotations

from typing import Any

import flint

from tdrc_theory.exact import Polynomial, sign
from verify.exact.enclosure import real_roots


def is_hurwitz(polynomial: Polynomial) -> bool:
    """Return whether every root has negative real part.

    The table is kept fraction-free: each row is a positive multiple of Routh's, so that only signs matter.

    >>> is_hurwitz(Polynomial([2, 3, 1])), is_hurwitz(Polynomial([1, 0, 1]))
    (True, False)
    """
    if polynomial.degree < 1:
        return polynomial.degree == 0
    descending = _integers(polynomial)[::-1]
    if sign_of(descending[0]) < 0:
        descending = [-c for c in descending]
    if any(sign_of(c) <= 0 for c in descending):
        return False
    if polynomial.rational is None:
        return _first_column_is_positive(descending)
    # A row is a polynomial whose coefficients are its entries, the first the constant.
    upper, lower = flint.fmpz_poly(descending[0::2]), flint.fmpz_poly(descending[1::2])
    for _ in range(polynomial.degree):
        if lower[0] <= 0:
            return False
        row = (upper * lower[0] - lower * upper[0]).right_shift(1)
        upper, lower = lower, (row // content if (content := row.content()) > 1 else row)
    return True


def _first_column_is_positive(descending: list[Any]) -> bool:
    """Return whether the first entry of every row of the table is positive, of numbers with square roots."""
    upper, lower = descending[0::2], descending[1::2]
    while lower:
        if sign(lower[0]) <= 0:
            return False
        below = [*lower, 0]
        row = [lower[0] * upper[i] - upper[0] * below[i] for i in range(1, len(upper))]
        upper, lower = lower, [c / lower[0] for c in row]
    return True


def has_imaginary_root(polynomial: Polynomial) -> bool:
    """Return whether a root other than 0 is on the imaginary axis: the even and odd parts, in s = x^2, share an s < 0.

    >>> has_imaginary_root(Polynomial([2, 1, 2, 1])), has_imaginary_root(Polynomial([-1, 0, 1]))
    (True, False)
    """
    even, odd = (Polynomial(polynomial.coefficients[parity::2]) for parity in (0, 1))
    return any(root < 0 for root in real_roots(even.gcd(odd)))


def table_cost(polynomial: Polynomial) -> int:
    """Return an estimate of the table's cost for a rational polynomial: degree^3 times the bits of a coefficient."""
    rational = polynomial.rational
    assert rational is not None
    return int(polynomial.degree**3 * rational.numer().height_bits())


def sign_of(value: Any) -> int:
    """Return the sign of a python-flint integer or of an exact number."""
    return (value > 0) - (value < 0) if isinstance(value, flint.fmpz) else sign(value)


def _integers(polynomial: Polynomial) -> list[Any]:
    """Return the coefficients, ascending, with common denominators cleared where they are rational."""
    rational = polynomial.rational
    return list(polynomial.coefficients) if rational is None else list(rational.numer().coeffs())
