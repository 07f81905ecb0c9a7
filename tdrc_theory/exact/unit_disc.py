"""The Schur-Cohn test, exact: whether every root of a rational polynomial is inside the unit circle."""

from __future__ import annotations

import flint

from tdrc_theory.exact.polynomial import Polynomial


def is_inside_unit_disc(polynomial: Polynomial) -> bool:
    """Return whether every root t has |t| < 1.

    With p* = t^n p(1/t), all roots of p are inside iff |p(0)| is below the modulus of the leading coefficient a and
    those of (a p - p(0) p*) / t, of a lower degree, are inside.

    >>> is_inside_unit_disc(Polynomial([1, 0, 4])), is_inside_unit_disc(Polynomial([1, 0, 1]))
    (True, False)
    """
    rational = polynomial.rational
    assert rational is not None, "rational coefficients"
    rest = rational.numer()
    while rest.degree() > 0:
        last, first = rest[0], rest[rest.degree()]
        if abs(last) >= abs(first):
            return False
        mirrored = flint.fmpz_poly(rest.coeffs()[::-1])
        rest = (first * rest - last * mirrored).right_shift(1)
        rest = rest // rest.content()
    return rest.degree() == 0
