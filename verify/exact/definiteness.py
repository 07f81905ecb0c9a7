"""Signs of quadratic forms, exactly, with a vector that shows it where a form is not positive."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from tdrc_theory.exact import Matrix, Number, sign

if TYPE_CHECKING:
    import numpy as np


class Inertia(NamedTuple):
    """How many eigenvalues of a symmetric matrix are positive, zero and negative."""

    positive: int
    zero: int
    negative: int


def inertia(matrix: Matrix) -> Inertia:
    """Return the inertia of a symmetric matrix: its roots are real, so Descartes' rule counts them exactly.

    >>> inertia(Matrix([[1, 2], [2, 1]]))
    Inertia(positive=1, zero=0, negative=1)
    """
    n = matrix.shape[0]
    charpoly = matrix.charpoly()
    zero = charpoly.split_zero()[0]
    signs = [s for s in charpoly.signs() if s]
    positive = sum(a != b for a, b in pairwise(signs))
    return Inertia(positive, zero, n - zero - positive)


def is_positive_definite(matrix: Matrix) -> bool:
    """Return whether z^T M z > 0 for every z but 0, M symmetric."""
    return inertia(matrix).positive == matrix.shape[0]


def form_value(matrix: Matrix, z: Matrix) -> Number:
    """Return z^T M z for a column z."""
    return (z.T @ matrix @ z)[0, 0]


def nonpositive_vector(matrix: Matrix) -> Matrix | None:
    """Return an exact z, not 0, with z^T M z < 0, or = 0 where nothing is negative; None if M is positive definite."""
    signs = inertia(matrix)
    if signs.negative:
        return _simple_negative_vector(matrix) or _negative_vector(matrix)
    if signs.zero:
        return matrix.null_space().select(range(matrix.shape[0]), [0])
    return None


def _simple_negative_vector(matrix: Matrix) -> Matrix | None:
    """Return a z with z^T M z < 0 rounded from a float eigenvector, whose fractions are short; None where none is."""
    import numpy as np

    values = matrix.to_float()
    if np.isfinite(values).all():
        _, vectors = np.linalg.eigh(values)
        for z in rounded(vectors[:, 0]):
            if sign(form_value(matrix, z)) < 0:
                return z
    return None


def _negative_vector(matrix: Matrix) -> Matrix:
    """Return a z with z^T M z < 0 of a matrix that has one, however close to 0: by completing squares, exactly.

    On the span of the basis vectors in `kept` the form is positive definite. The next basis vector, made M-orthogonal
    to them, is z; where z^T M z = 0, z is in the kernel or a small step along a basis vector makes it negative.
    """
    n = matrix.shape[0]
    kept: list[int] = []
    for j in range(n):
        z = Matrix.identity(n).select(range(n), [j])
        if kept:
            share = matrix.select(kept, kept).solve(matrix.select(kept, [j]))
            assert share is not None, "positive definite"
            z = z - Matrix.identity(n).select(range(n), kept) @ share
        value = sign(form_value(matrix, z))
        if value < 0:
            return z
        if value > 0:
            kept.append(j)
            continue
        image = matrix @ z
        i = next((i for i in range(n) if image[i, 0] != 0), None)
        if i is not None:
            # (z + t e_i)^T M (z + t e_i) = 2 t image_i + t^2 M_ii
            t = -image[i, 0] / (matrix[i, i] + 1) if sign(matrix[i, i]) >= 0 else -image[i, 0]
            return z + Matrix.identity(n).select(range(n), [i]) * t
    raise AssertionError("only called where a form is negative somewhere")


def rounded(vector: np.ndarray) -> Any:
    """Yield exact columns ever closer to a float vector, the one with the shortest fractions first."""
    largest = max(abs(float(v)) for v in vector)
    for denominator in (1, 2, 4, 10, 100, 10**4, 10**6, 10**9, 10**12):
        z = Matrix.column([Fraction(round(float(v) / largest * denominator), denominator) for v in vector])
        if not z.is_zero():
            yield z
