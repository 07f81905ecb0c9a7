"""The polynomial det(P + t Q) of two matrices, from its exact values at integers."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.exact import Matrix, Number, Polynomial


def pencil_polynomial(P: Matrix, Q: Matrix) -> Polynomial:
    """Return det(P + t Q) as a polynomial in t.

    >>> pencil_polynomial(Matrix([[2, 0], [0, 3]]), Matrix([[1, 1], [1, 1]]))
    Polynomial('5*x + 6')
    """
    # Newton's divided differences on 0, 1, -1, 2, -2, ...
    points = [Fraction((i + 1) // 2 * (1 if i % 2 else -1)) for i in range(P.shape[0] + 1)]
    differences: list[Number] = [(P + Q * t).det() for t in points]
    for order in range(1, len(points)):
        for i in range(len(points) - 1, order - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (points[i] - points[i - order])
    coefficients: list[Number] = []
    for difference, point in zip(reversed(differences), reversed(points), strict=True):
        # coefficients <- coefficients * (t - point) + difference
        shifted = [Fraction(0), *coefficients]
        coefficients = [s - point * c for s, c in zip(shifted, [*coefficients, Fraction(0)], strict=True)]
        coefficients[0] = coefficients[0] + difference
    return Polynomial(coefficients)
