"""Predicates on matrices and operations on entries at one instance, exact."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import flint

from tdrc_theory.errors import Inconsistent
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.convert import from_fmpq
from verify.exact.definiteness import inertia, is_positive_definite
from verify.exact.roots import is_hurwitz
from verify.refute.rows import Rows


def _symmetric(matrix: Matrix) -> Matrix:
    return (matrix + matrix.T) * Fraction(1, 2)


def _definite_where(matrix: Matrix, weights: Matrix) -> bool:
    """Return whether the form is definite on the states of positive weight and has no other entries."""
    form, states = _symmetric(matrix), range(matrix.shape[0])
    inside = [s for s in states if weights[s, 0] > 0]
    outside = [s for s in states if s not in inside]
    if outside and not form.select(outside, states).is_zero():
        return False
    return not inside or is_positive_definite(form.select(inside, inside))


def _diagonalizable(matrix: Matrix) -> bool:
    """Return whether the characteristic polynomial without its repeated factors has the matrix as a root."""
    polynomial = matrix.charpoly().rational
    if polynomial is None:
        raise Inconsistent("a rational matrix has a rational characteristic polynomial")
    simple = polynomial // polynomial.gcd(polynomial.derivative())
    total = Matrix.zeros(*matrix.shape)
    for c in reversed(simple.coeffs()):
        total = total @ matrix + Matrix.identity(matrix.shape[0]) * from_fmpq(c)
    return total.is_zero()


PREDICATES: dict[str, Callable[..., bool]] = {
    "hurwitz": lambda matrix: is_hurwitz(matrix.charpoly()),
    "posdef": lambda matrix: is_positive_definite(_symmetric(matrix)),
    "semidefinite": lambda matrix: inertia(_symmetric(matrix)).negative == 0,
    "definite_where": _definite_where,
    "diagonalizable": _diagonalizable,
    "nonnegative": lambda matrix: all(v >= 0 for row in matrix.rows for v in row),
    "positive": lambda matrix: all(v > 0 for row in matrix.rows for v in row),
}
"""What is true or false of rational matrices."""

ENTRIES: dict[str, Callable[[Rows], Rows]] = {
    "diag": lambda rows: tuple(
        tuple(v if i == j else flint.fmpq(0) for j in range(len(rows))) for i, (v,) in enumerate(rows)
    ),
    "diagonal": lambda rows: tuple((row[i],) for i, row in enumerate(rows)),
    "absolute": lambda rows: tuple(tuple(abs(v) for v in row) for row in rows),
}
"""Operations on entries."""
