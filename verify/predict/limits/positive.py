"""Positive definiteness of symmetric matrices of balls, or of rationals: what floats suggest is proven, or is not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import numpy as np

from tdrc_theory.exact.convert import to_fmpq
from verify.predict.ring import float_balls

Symmetric = flint.arb_mat | flint.fmpq_mat


def is_positive(matrix: Symmetric) -> bool:
    """Return whether a matrix, every one in the balls, is seen to be positive definite.

    With W near the inverse of a Cholesky factor, W M W^T is near I: strictly dominated by a positive diagonal, it is
    positive definite, and then so is M, whatever W is.
    """
    floats = middle(matrix)
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(floats))
    except np.linalg.LinAlgError:
        return False
    if not np.isfinite(inverse).all():
        return False
    W = _like(matrix, inverse)
    rows: list[list[Any]] = (W * matrix * W.transpose()).tolist()
    return all(row[i] > sum((abs(x) for j, x in enumerate(row) if j != i), row[i] * 0) for i, row in enumerate(rows))


def has_negative(matrix: Symmetric) -> bool:
    """Return whether z^T M z < 0 is seen for a z found in floats."""
    floats = middle(matrix)
    if not np.isfinite(floats).all():
        return False
    _, vectors = np.linalg.eigh(floats)
    z = _like(matrix, vectors[:, :1])
    return bool((z.transpose() * matrix * z)[0, 0] < 0)


def middle(matrix: Symmetric) -> np.ndarray:
    """Return about the matrix, symmetric; a rational one by its own largest entry, which may be past floats."""
    entries: list[Any] = matrix.entries()
    if isinstance(matrix, flint.fmpq_mat):
        largest = max(map(abs, entries))
        values = [float(x / largest) for x in entries] if largest else [0.0] * len(entries)
    else:
        values = [float(x.mid()) for x in entries]
    floats = np.array(values).reshape(matrix.nrows(), matrix.ncols())
    return (floats + floats.T) / 2


def _like(matrix: Symmetric, values: np.ndarray) -> Symmetric:
    """Return floats as a matrix over the same numbers."""
    if isinstance(matrix, flint.arb_mat):
        return float_balls(values)
    return flint.fmpq_mat([[to_fmpq(Fraction(float(x))) for x in row] for row in values])
