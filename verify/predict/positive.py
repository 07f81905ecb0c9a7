"""Positive definiteness of matrices of balls."""

from __future__ import annotations

import flint
import numpy as np

from verify.predict.balls import float_balls


def is_positive(matrix: flint.arb_mat) -> bool:
    """Return whether every symmetric matrix in the balls is seen to be positive definite.

    With W near the inverse of a Cholesky factor, W M W^T is near I: strictly dominated by a positive diagonal, it is
    positive definite, and then so is M, whatever W is.
    """
    n = matrix.nrows()
    middle = np.array([float(x.mid()) for x in matrix.entries()]).reshape(n, n)
    try:
        inverse = np.linalg.inv(np.linalg.cholesky((middle + middle.T) / 2))
    except np.linalg.LinAlgError:
        return False
    if not np.isfinite(inverse).all():
        return False
    W = float_balls(inverse)
    rows = (W * matrix * W.transpose()).tolist()
    return all(row[i] > sum((abs(x) for j, x in enumerate(row) if j != i), flint.arb(0)) for i, row in enumerate(rows))
