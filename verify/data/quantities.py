"""What the theory reads off estimated matrices: numbers whose intervals decide."""

from __future__ import annotations

import math

import numpy as np


def symmetric_part(A: np.ndarray) -> np.ndarray:
    """Return H = (A + A^T) / 2 on the span of x, of an A (r, m) whose first r columns are of that span."""
    square = A[:, : len(A)]
    return (square + square.T) / 2


def lowest_of_A(A: np.ndarray) -> float:
    """Return the smallest eigenvalue of H on the span of x: above 0 where A is positive definite there."""
    return float(np.linalg.eigvalsh(symmetric_part(A))[0])


def condition_of_C(C: np.ndarray) -> float:
    """Return the smallest eigenvalue of C on its range, over the largest."""
    values = np.linalg.eigvalsh(C)
    return float(values[0] / values[-1])


def beta_bound(A: np.ndarray) -> float:
    """Return the bound of beta that is sufficient in Theorem 3.1 (ii), corrected: inf where H is positive definite.

    It is the least z^T A A^T z / (-z^T H z) over z in range(C) with z^T H z < 0.
    """
    from scipy.linalg import eigh

    largest = float(eigh(-symmetric_part(A), A @ A.T, eigvals_only=True)[-1])
    return 1 / largest if largest > 0 else math.inf


def eta_bound(A: np.ndarray, C: np.ndarray) -> float:
    """Return the bound of eta there: max(0, -lambda_min(C^-1 H))."""
    from scipy.linalg import eigh

    return max(0.0, -float(eigh(symmetric_part(A), C, eigvals_only=True)[0]))


def moving_eigenvalues(G: np.ndarray, rank: int) -> np.ndarray:
    """Return the eigenvalues of G but for n - rank zeros, those of the directions that never move anything.

    Where the kernel of G is taken out, a zero that is left is one that grows with time.
    """
    if rank == len(G):
        return np.asarray(np.linalg.eigvals(G))
    U, values, V = np.linalg.svd(G)
    return np.asarray(np.linalg.eigvals((values[:rank, None] * V[:rank]) @ U[:, :rank]))


def rank_of(G: np.ndarray) -> int:
    """Return the rank of G, up to rounding."""
    values = np.linalg.svd(G, compute_uv=False)
    return int((values > 1e-11 * values[0]).sum()) if len(values) else 0


def residual(G: np.ndarray, g: np.ndarray) -> float:
    """Return by how much G varrho + g = 0 has no solution: the norm of what of g is off the range of G, over g's."""
    norm = float(np.linalg.norm(g))
    if not norm:
        return 0.0
    nearest = np.linalg.lstsq(G, -g, rcond=1e-11)[0]
    return float(np.linalg.norm(G @ nearest + g)) / norm


def largest_step(values: np.ndarray) -> float:
    """Return the largest constant step size below which the mean converges, from the eigenvalues of G: 0 for none."""
    if not len(values):
        return math.inf
    if values.real.max() >= 0:
        return 0.0
    return float((-2 * values.real / np.abs(values) ** 2).min())
