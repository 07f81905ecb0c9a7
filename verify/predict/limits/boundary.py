"""Where a spectral radius crosses 1, for all step sizes at once: the positive roots of det(I - T_alpha), exactly.

The spectral radius of an operator that preserves the cone of positive semidefinite blocks is one of its eigenvalues. So
it is 1 only where det(I - T_alpha) = 0, a polynomial in alpha, and between neighbouring roots one step size decides for
all. There Z, with Z - T*(Z) = Z_0 positive definite, is positive definite if and only if the radius is below 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import flint

from tdrc_theory.errors import Unseparated
from tdrc_theory.exact import Matrix, Polynomial, simplest_between
from tdrc_theory.exact.convert import from_fmpq, to_fmpq
from tdrc_theory.exact.precision import precision
from verify.exact.definiteness import inertia
from verify.exact.roots import integer_points, interpolate, real_roots
from verify.predict.limits.invariant import Restricted, restricted
from verify.predict.limits.pencil import Pencil
from verify.predict.limits.positive import has_negative, is_positive

LARGEST = 140
"""Dimensions of the invariant space up to which the polynomial is found, in seconds."""


@dataclass(frozen=True)
class Boundary:
    """The roots at which stability may change, and how it is between them.

    Attributes:
        polynomial: without repeated factors; the zero polynomial where 1 is an eigenvalue at every step size.
        roots: balls around its positive roots, ascending and disjoint.
        stable: one more than roots: whether the radius is below 1 before the first, between them, after the last.
    """

    polynomial: Polynomial
    roots: tuple[flint.arb, ...]
    stable: tuple[bool, ...]


def boundary(pencil: Pencil) -> Boundary | None:
    """Return the boundary of an operator, None where it is irrational or too large."""
    space = restricted(pencil, LARGEST) if pencil.rational else None
    if space is None:
        return None
    _, polynomial = determinant(space).split_zero()
    if polynomial.degree < 0:
        return Boundary(polynomial, (), (False,))
    polynomial = polynomial.square_free()
    try:
        real = real_roots(polynomial)
    except Unseparated:
        return None
    if not all(root > 0 or root < 0 for root in real):
        return None
    roots = [root for root in real if root > 0]
    stable = [_stable(space, alpha) for alpha in _between(roots)]
    return Boundary(polynomial, tuple(roots), tuple(stable))


def determinant(space: Restricted) -> Polynomial:
    """Return det(I - T_alpha) on the invariant space.

    Its degree is at most that of a product of columns, of which rank(X_2) are quadratic and the others linear.
    """
    points = integer_points(space.dimension + space.X[2].rank() + 1)
    return interpolate(points, [from_fmpq(space.one_minus(flint.fmpq(t)).det()) for t in points])


@precision()
def _between(roots: list[flint.arb]) -> list[Fraction]:
    """Return a short fraction above 0 and below the first root, between neighbours, and above the last."""
    ends = [(from_fmpq(root.lower().fmpq()), from_fmpq(root.upper().fmpq())) for root in roots]
    if not ends:
        return [Fraction(1)]
    first, last = ends[0][0], ends[-1][1]
    inner = [simplest_between(*_middle(a, b)) for (_, a), (b, _) in pairwise(ends)]
    return [simplest_between(first / 4, first / 2), *inner, simplest_between(last * 2, last * 4)]


def _middle(low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    return (3 * low + high) / 4, (low + 3 * high) / 4


def _stable(space: Restricted, alpha: Fraction) -> bool:
    """Return whether the radius is below 1 at a step size that is no root."""
    coordinates = space.one_minus(to_fmpq(alpha)).solve(space.inside)
    if space.has_negative(coordinates):
        return False
    blocks = space.blocks(coordinates)
    if any(has_negative(block) for block in blocks):
        return False
    if all(is_positive(block) for block in blocks):
        return True
    return all(inertia(Matrix.of_flint(block)).positive == space.n for block in blocks)
