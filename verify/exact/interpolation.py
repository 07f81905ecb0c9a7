"""Exact polynomials from their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tdrc_theory.exact import Matrix, Number, Polynomial, Surd
from tdrc_theory.exact.number import to_fmpq


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
