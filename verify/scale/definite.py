"""A verified lower bound of the eigenvalues of a symmetric matrix, from a Cholesky factor in floats.

After Rump, Verification of positive definiteness, BIT 46, 2006. There the rounding errors of the factorisation are
bounded a priori; here R^T R is multiplied out, so that nothing is assumed of LAPACK, a wrong R proves nothing, and only
the error of a matrix product has to be known.
"""

from __future__ import annotations

import math

import numpy as np

from verify.scale.ball import TINY, U, gamma, up

_BLOCK = 256
"""Size up to which a product is not split."""


def least_eigenvalue_bound(Q: np.ndarray, shift: float) -> float | None:
    """Return a lower bound of the eigenvalues of a symmetric Q, near `shift`; None where Q - shift I has no factor.

    With R the float Cholesky factor of Q - shift I and D = Q - R^T R exactly, Q >= D in the order of symmetric
    matrices whatever R is, and Gershgorin's discs bound the eigenvalues of D. |D - fl(D)| is at most
    gamma(n) |R|^T |R| + U |fl(D)| entry by entry, of which row sums are taken.

    Args:
        Q: (n, n), exactly symmetric, finite.
        shift: what is hoped for; it does not have to be right.
    """
    from scipy.linalg import cholesky

    n = len(Q)
    try:
        R = cholesky(Q - shift * np.eye(n), check_finite=False)
    except np.linalg.LinAlgError:
        return None
    D = Q - _gram(R)
    size, R = np.abs(D), np.abs(R)
    error = gamma(n) * (R.T @ R.sum(axis=1)) + U * size.sum(axis=1) + 8 * n * n * TINY
    diagonal = np.diag(D)
    others = size.sum(axis=1) - np.abs(diagonal)
    # The difference above may cancel: its own rounding is U times the full row sum, n times over.
    others = others + gamma(2 * n) * size.sum(axis=1)
    bound = float((diagonal - up(np.maximum(others, 0) + error, 3 * n)).min())
    # One more subtraction, whose error is relative to its result.
    return math.nextafter(bound, -math.inf) if math.isfinite(bound) else None


def _gram(R: np.ndarray) -> np.ndarray:
    """Return R^T R for an upper triangular R: by halves, half the work of a product and the same inner products."""
    n = len(R)
    if n <= _BLOCK:
        return R.T @ R
    s = n // 2
    a, b, c = R[:s, :s], R[:s, s:], R[s:, s:]
    product = np.empty_like(R, order="C")
    product[:s, :s] = _gram(a)
    product[:s, s:] = a.T @ b
    product[s:, :s] = product[:s, s:].T
    product[s:, s:] = b.T @ b
    product[s:, s:] += _gram(c)
    return product
