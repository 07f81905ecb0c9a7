"""Intervals of floats that certainly contain a real number, and the certified roots of exact polynomials."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import flint

from tdrc_theory.cli.finite import finite
from tdrc_theory.errors import Unseparated
from tdrc_theory.exact import Polynomial
from tdrc_theory.exact.number import to_arb
from tdrc_theory.exact.precision import precision

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
    """Return one ball around each root of an exact polynomial, multiple roots once.

    Raises:
        Unseparated: the roots could not be separated at any reasonable precision.
    """
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
        if not parts:
            return None
        largest = parts[0]
        for part in parts[1:]:
            largest = largest.max(part)
        return largest


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
    """Return balls around the distinct real roots of an exact polynomial, ascending and disjoint.

    Raises:
        Unseparated: the roots could not be separated at any reasonable precision.
    """

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
    least: flint.arb | None = None
    with precision(96):
        for root in root_balls(polynomial):
            limit = -2 * root.real / (root.real**2 + root.imag**2)
            least = limit if least is None else least.min(limit)
    return None if least is None or not least.is_finite() else Enclosure.of_ball(least)
