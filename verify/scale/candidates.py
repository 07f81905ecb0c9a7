"""Candidates for Lyapunov certificates in floats, one Schur decomposition for all shifts; nothing here is a proof."""

from __future__ import annotations

from typing import Any

import numpy as np

_BLOCK = 64
"""Size up to which LAPACK's unblocked solver is used; beyond, halves and matrix products."""


class Candidates:
    """Symmetric P with (G - sigma I)^T P + P (G - sigma I) near -I, for any sigma."""

    def __init__(self, G: np.ndarray) -> None:
        from scipy.linalg import schur

        self.T, self.U = schur(G, output="real", check_finite=False)

    @property
    def abscissa(self) -> float:
        """Return the largest real part of an eigenvalue; LAPACK's 2 x 2 blocks have equal diagonal entries."""
        return float(np.diag(self.T).max())

    def solution(self, sigma: float) -> np.ndarray | None:
        """Return P, exactly symmetric; None where it is not finite."""
        n = len(self.T)
        with np.errstate(all="ignore"):
            P = self.U @ _lyapunov(self.T - sigma * np.eye(n), -np.eye(n)) @ self.U.T
            P = (P + P.T) / 2
        return P if np.isfinite(P).all() else None


def _lyapunov(T: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Return X with T^T X + X T = F, T quasi upper triangular and F symmetric (Jonsson and Kagstrom's recursion)."""
    n = len(T)
    if n <= _BLOCK:
        return _sylvester(T, T, F)
    s = _split(T)
    a, b, c = T[:s, :s], T[:s, s:], T[s:, s:]
    X = np.empty_like(F)
    X[:s, :s] = _lyapunov(a, F[:s, :s])
    X[:s, s:] = _sylvester(a, c, F[:s, s:] - X[:s, :s] @ b)
    X[s:, :s] = X[:s, s:].T
    coupled = b.T @ X[:s, s:]
    X[s:, s:] = _lyapunov(c, F[s:, s:] - coupled - coupled.T)
    return X


def _sylvester(T: np.ndarray, S: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Return X with T^T X + X S = F, both quasi upper triangular."""
    p, q = F.shape
    if max(p, q) <= _BLOCK:
        return _small_sylvester(T, S, F)
    X = np.empty_like(F)
    if p >= q:
        s = _split(T)
        X[:s] = _sylvester(T[:s, :s], S, F[:s])
        X[s:] = _sylvester(T[s:, s:], S, F[s:] - T[:s, s:].T @ X[:s])
    else:
        s = _split(S)
        X[:, :s] = _sylvester(T, S[:s, :s], F[:, :s])
        X[:, s:] = _sylvester(T, S[s:, s:], F[:, s:] - X[:, :s] @ S[:s, s:])
    return X


def _small_sylvester(T: np.ndarray, S: np.ndarray, F: np.ndarray) -> np.ndarray:
    from scipy.linalg.lapack import dtrsyl

    X: Any
    X, scale, _ = dtrsyl(T, S, F, trana="T")
    return X / scale


def _split(T: np.ndarray) -> int:
    """Return where to cut in the middle, between two blocks of the diagonal."""
    s = len(T) // 2
    return s + 1 if T[s, s - 1] != 0 else s
