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
    zero, rest = matrix.charpoly().split_zero()
    signs = [s for s in (sign(c) for c in rest.coefficients) if s]
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
        import numpy as np

        _, vectors = np.linalg.eigh(matrix.to_float())
        for z in rounded(vectors[:, 0]):
            if sign(form_value(matrix, z)) < 0:
                return z
    if signs.zero:
        return matrix.null_space().select(range(matrix.shape[0]), [0])
    return None


def rounded(vector: np.ndarray) -> Any:
    """Yield exact columns ever closer to a float vector, the one with the shortest fractions first."""
    largest = max(abs(float(v)) for v in vector)
    for denominator in (1, 2, 4, 10, 100, 10**4, 10**6, 10**9, 10**12):
        z = Matrix.column([Fraction(round(float(v) / largest * denominator), denominator) for v in vector])
        if not z.is_zero():
            yield z
