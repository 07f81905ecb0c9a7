"""Predicates on entries and on forms of rational matrices, decided at one instance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tdrc_theory.errors import Inconsistent
from tdrc_theory.exact import Matrix
from verify.exact.definiteness import inertia, is_positive_definite

Table = Sequence[Sequence[Fraction]]


def predicate_holds(op: str, tables: Sequence[Table]) -> bool | None:
    """Return whether a predicate holds of tables; None where it is none of these."""
    rows = tables[0]
    if op == "nonnegative":
        return all(v >= 0 for row in rows for v in row)
    if op == "positive":
        return all(v > 0 for row in rows for v in row)
    if op == "semidefinite":
        return inertia(_symmetric(rows)).negative == 0
    if op == "diagonalizable":
        return _diagonalizable(Matrix([list(row) for row in rows]))
    if op == "definite_where":
        return _definite_where(_symmetric(rows), [row[0] > 0 for row in tables[1]])
    return None


def _diagonalizable(matrix: Matrix) -> bool:
    """Return whether the characteristic polynomial without its repeated factors has the matrix as a root."""
    polynomial = matrix.charpoly().rational
    if polynomial is None:
        raise Inconsistent("a rational matrix has a rational characteristic polynomial")
    simple = polynomial // polynomial.gcd(polynomial.derivative())
    total = Matrix.zeros(*matrix.shape)
    for c in reversed(simple.coeffs()):
        total = total @ matrix + Matrix.identity(matrix.shape[0]) * Fraction(int(c.p), int(c.q))
    return total.is_zero()


def _symmetric(rows: Table) -> Matrix:
    matrix = Matrix([list(row) for row in rows])
    return (matrix + matrix.T) * Fraction(1, 2)


def _definite_where(form: Matrix, weighted: Sequence[bool]) -> bool:
    """Return whether the form is definite on the weighted states and has no other entries."""
    inside = [s for s, yes in enumerate(weighted) if yes]
    outside = [s for s, yes in enumerate(weighted) if not yes]
    if outside and not form.select(outside, range(len(weighted))).is_zero():
        return False
    return not inside or is_positive_definite(form.select(inside, inside))
