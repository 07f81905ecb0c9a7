"""Exact polynomials: from their values, their roots enclosed in intervals of floats, and where these are.

Every root has negative real part (Routh's table), or one is on the axis: both are decided exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

import flint

from tdrc_theory.cli.finite import finite
from tdrc_theory.errors import Unseparated
from tdrc_theory.exact import Matrix, Number, Polynomial, Surd, sign
from tdrc_theory.exact.number import precision, to_arb, to_fmpq


def interpolate(points: Sequence[Number], values: Sequence[Number]) -> Polynomial:
    """Return the polynomial of degree below len(points) with these values, by Newton's divided differences.

    >>> interpolate([0, 1, 2], [1, 2, 5])
    Polynomial('x^2 + 1')
    """
    rational = not any(isinstance(v, Surd) for v in values)
    convert: Any = to_fmpq if rational else lambda number: number
    at, differences = [convert(p) for p in points], [convert(v) for v in values]
    for order in range(1, len(at)):
        for i in range(len(at) - 1, order - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (at[i] - at[i - order])
    zero = convert(0)
    coefficients: list[Any] = []
    for difference, point in zip(reversed(differences), reversed(at), strict=True):
        # coefficients <- coefficients * (t - point) + difference
        shifted = [zero, *coefficients]
        coefficients = [s - point * c for s, c in zip(shifted, [*coefficients, zero], strict=True)]
        coefficients[0] = coefficients[0] + difference
    return Polynomial(coefficients)


def pencil_polynomial(P: Matrix, Q: Matrix) -> Polynomial:
    """Return det(P + t Q) as a polynomial in t.

    >>> pencil_polynomial(Matrix([[2, 0], [0, 3]]), Matrix([[1, 1], [1, 1]]))
    Polynomial('5*x + 6')
    """
    points = integer_points(P.shape[0] + 1)
    return interpolate(points, [(P + Q * t).det() for t in points])


def integer_points(count: int) -> list[Any]:
    """Return 0, 1, -1, 2, -2, ...: points at which values stay small."""
    return [(i + 1) // 2 * (1 if i % 2 else -1) for i in range(count)]


BITS = 96
"""Bits at which roots and constants are enclosed: the 53 of a double, and 43 that may cancel."""
_MOST_BITS = 1 << 14
"""Bits up to which roots that are not apart are enclosed again, twice as many each time."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A closed interval [lower, upper], rounded outwards; an infinite end means that none is known."""

    lower: float
    upper: float

    @classmethod
    def of_ball(cls, ball: flint.arb) -> Enclosure:
        """Return an interval around a ball; an exact zero stays exact."""
        if ball.is_zero():
            return cls(0.0, 0.0)
        with precision():
            lower, upper = float(ball.lower()), float(ball.upper())
        return cls(math.nextafter(lower, -math.inf), math.nextafter(upper, math.inf))

    @property
    def middle(self) -> float:
        """Return a float inside."""
        return self.lower / 2 + self.upper / 2

    def to_json(self) -> dict[str, float | None]:
        """Return both ends, null standing for infinity."""
        return {key: finite(v) for key, v in (("lower", self.lower), ("upper", self.upper))}


def root_balls(polynomial: Polynomial, bits: int = BITS) -> list[flint.acb]:
    """Return one ball around each root, multiple roots once; Unseparated where they are too close."""
    if polynomial.degree < 1:
        return []
    if polynomial.rational is None:
        return _irrational_root_balls(polynomial, bits)
    rational = polynomial.rational
    assert rational is not None
    with precision(bits):
        result: Any = rational.numer().complex_roots()  # pairs of a root and its multiplicity
        return [pair[0] for pair in result]


def _irrational_root_balls(polynomial: Polynomial, bits: int) -> list[flint.acb]:
    # Most have simple roots, and the square-free part is dear to find; where they cluster, it is found after all.
    simple, working = polynomial, 4 * bits
    while working <= _MOST_BITS:
        with precision(working):
            try:
                roots = flint.acb_poly([to_arb(c) for c in simple.coefficients]).roots(flint.arb(2) ** (-working // 2))
            except ValueError:
                roots = []
        # A real part that is 0 has no relative accuracy; beside the root, it can be narrow.
        if roots and all(
            root.real.rel_accuracy_bits() >= bits // 2 or root.rel_one_accuracy_bits() >= 3 * bits // 2
            for root in roots
        ):
            return roots
        if simple is polynomial:
            simple = polynomial.square_free()
        else:
            working *= 2
    raise Unseparated(f"the roots of a polynomial of degree {polynomial.degree} could not be separated at {bits} bits")


def largest_real_part(polynomial: Polynomial) -> flint.arb | None:
    """Return a ball around the largest real part among the roots, None where there are no roots."""
    with precision(BITS):
        parts = [root.real for root in root_balls(polynomial)]
        return reduce(lambda a, b: a.max(b), parts) if parts else None


def leading_root(polynomial: Polynomial) -> tuple[flint.acb, bool] | None:
    """Return the root with the largest real part, in a ball, and whether it is real (else one of a conjugate pair).

    None where the balls do not show which it is, or whether it is real.
    """
    with precision(BITS):
        roots = root_balls(polynomial)
        first = max(roots, key=lambda root: root.real.mid(), default=None)
        if first is None:
            return None
        rivals = [root for root in roots if root is not first and not root.real < first.real]
        if _is_real(first, roots):
            return None if rivals else (first, True)
        mirror = flint.acb(first.real, -first.imag)
        pair = not first.imag.contains(0) and len(rivals) == 1 and mirror.overlaps(rivals[0])
        return (flint.acb(first.real, abs(first.imag)), False) if pair else None


def real_roots(polynomial: Polynomial, bits: int = BITS) -> list[flint.arb]:
    """Return balls around the distinct real roots, ascending and disjoint; Unseparated where they are too close."""

    def real(roots: list[flint.acb]) -> list[flint.arb] | None:
        result = [root.real for root in roots if _is_real(root, roots)]
        return None if len(result) < sum(root.imag.contains(0) for root in roots) else result

    return _ascending(polynomial, bits, real)


def _is_real(root: flint.acb, roots: list[flint.acb]) -> bool:
    """Return whether a ball holds a real root: its mirror image holds a root too, and meets no other ball."""
    if root.imag == 0:
        return True
    if not root.imag.contains(0):
        return False
    mirror = flint.acb(root.real, -root.imag)
    return not any(mirror.overlaps(other) for other in roots if other is not root)


def sorted_real_roots(polynomial: Polynomial) -> list[flint.arb]:
    """Return balls around the distinct roots, ascending, of a polynomial known to have only real roots."""
    return _ascending(polynomial, BITS, lambda roots: [root.real for root in roots])


def _ascending(
    polynomial: Polynomial, bits: int, chosen: Callable[[list[flint.acb]], list[flint.arb] | None]
) -> list[flint.arb]:
    """Return what is chosen of the roots, ascending and disjoint, at the first precision at which it is so."""
    while bits <= _MOST_BITS:
        roots = root_balls(polynomial, bits)
        with precision(bits):
            result = chosen(roots)
            if result is not None:
                result.sort(key=lambda ball: ball.mid())
                if all(a < b for a, b in pairwise(result)):
                    return result
        bits *= 2
    raise Unseparated(f"the roots of a polynomial of degree {polynomial.degree} could not be separated at {bits} bits")


def largest_step_size(polynomial: Polynomial) -> Enclosure | None:
    """Enclose the supremum of the alpha > 0 with |1 + alpha lambda| < 1 at every root lambda; None without roots.

    |1 + alpha lambda|^2 = 1 + 2 alpha Re lambda + alpha^2 |lambda|^2, so that of one root is -2 Re lambda / |lambda|^2.

    Args:
        polynomial: exact; every root has negative real part.

    Raises:
        Unseparated: the roots could not be separated at any reasonable precision.

    >>> largest_step_size(Polynomial([2, 3, 1])).middle
    1.0
    """
    with precision(BITS):
        limits = [-2 * root.real / (root.real**2 + root.imag**2) for root in root_balls(polynomial)]
        least = reduce(lambda a, b: a.min(b), limits) if limits else None
    return None if least is None or not least.is_finite() else Enclosure.of_ball(least)


def is_hurwitz(polynomial: Polynomial) -> bool:
    """Return whether every root has negative real part.

    Each row of Routh's table is kept at that multiple which begins with a determinant of Hurwitz: where coefficients
    are whole, all entries are, since from the fifth row on the determinant three rows before divides them.

    >>> is_hurwitz(Polynomial([2, 3, 1])), is_hurwitz(Polynomial([1, 0, 1]))
    (True, False)
    """
    if polynomial.degree < 1:
        return polynomial.degree == 0
    descending = _descending(polynomial)
    if sign_of(descending[0]) < 0:
        descending = [-c for c in descending]
    if any(sign_of(c) <= 0 for c in descending):
        return False
    upper, lower = descending[0::2], descending[1::2]
    divisor = following = 1
    while lower:
        determinant, above = lower[0], upper[0]
        if sign_of(determinant) <= 0:
            return False
        # The last entry of the upper row may have none below it.
        row = [determinant * u - above * v for u, v in zip(upper[1:], lower[1:], strict=False)]
        row += [determinant * u for u in upper[len(lower) :]]
        upper, lower = lower, [value / divisor for value in row]
        divisor, following = following, determinant
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


def _descending(polynomial: Polynomial) -> list[Any]:
    """Return coefficients, descending and whole if rational, of a polynomial with these roots times a positive number.

    Of the characteristic polynomial of N/d, with N of whole numbers, that of N has half the digits of the numerators.
    """
    rational = polynomial.rational
    if rational is None:
        return list(polynomial.coefficients)[::-1]
    numerators = rational.numer().coeffs()[::-1]
    lead, scale = numerators[0], flint.fmpz(1)
    if lead == 1:
        return numerators
    for i, c in enumerate(numerators):
        if (scaled := c * scale**i) % lead:
            scale *= abs(lead) // lead.gcd(scaled)
    monic = [c * scale**i // lead for i, c in enumerate(numerators)]
    return min(monic, numerators, key=lambda numbers: sum(c.bit_length() for c in numbers))
