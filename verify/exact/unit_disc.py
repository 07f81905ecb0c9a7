"""Whether every root of a rational polynomial is inside the unit circle, exactly."""

from __future__ import annotations

from fractions import Fraction

import flint

from tdrc_theory.exact import Polynomial
from verify.exact.routh import is_hurwitz


def is_inside_unit_disc(polynomial: Polynomial) -> bool:
    """Return whether every root t has |t| < 1: then s = (t - 1) / (t + 1) is in the left half-plane, and back.

    >>> is_inside_unit_disc(Polynomial([Fraction(1, 4), 0, 1])), is_inside_unit_disc(Polynomial([1, 0, 1]))
    (True, False)
    """
    rational, n = polynomial.rational, polynomial.degree
    assert rational is not None, "rational coefficients"
    if polynomial(Fraction(-1)) == 0:
        return False
    up, down = flint.fmpq_poly([1, 1]), flint.fmpq_poly([1, -1])
    moved = sum((c * up**i * down ** (n - i) for i, c in enumerate(rational.coeffs())), flint.fmpq_poly([0]))
    return is_hurwitz(Polynomial.of_flint(moved))
