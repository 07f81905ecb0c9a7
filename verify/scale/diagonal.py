"""Both sides of the spectral abscissa of a large matrix, from its eigenvectors, without a Schur decomposition.

Let G x = lambda x and G^T y = lambda y, all real, with y_i / x_i > 0. Two proposals, with D diagonal:

- P = D. Only for D = diag(y / x) can Q = -((G - sigma I)^T P + P (G - sigma I)) be positive semidefinite at
  sigma = lambda. Where -G is an M-matrix it is: TD with tabular features. A little above lambda, any D near it serves;
  x and y are mixed with the solutions of G x = G^T y = a multiple of G's diagonal, lest an entry of D is near 0, as
  that of a state that is hardly reached, or far above the others.
- P = D - c y y^T: D with the sign at x turned. It serves below lambda as D serves above.

Q positive definite proves, with P = D > 0, that every real part is below sigma, and with a P that is negative
somewhere, that one is above (Ostrowski and Schneider, see `verify.scale.verified`). Floats only propose. P is diagonal
plus rank 1, so that Q and the bound on its error take O(n^2); an LU factor and Cholesky factors take O(n^3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from verify.exact.roots import Enclosure
from verify.scale.ball import Ball, gamma, least_eigenvalue_bound, up

_WIDTHS = (1e-2, 4e-2)
"""Distances from lambda, as shares of it, that are tried on either side: an enclosure is narrower than 1/10 of it."""

_STEPS = 50
"""Of the inverse iteration; it gains a digit or more a step where lambda is well separated."""

_ACCURACY = 1e-6
"""Of the eigenvectors' entries, beside their largest."""

_MIXED = 0.1
"""Part of the solution for G's diagonal in x and in y, all of largest entry 1."""

_TURN = 4.0
"""c y^T D^-1 y: above 1, P is negative along D^-1 y; 2 would be a reflection."""

_LARGEST = 1e30
"""P, its parts and the scaling are between 1 / this and this in size: what underflows in Q is below `_UNDERFLOW`."""
_UNDERFLOW = 1e-140


@dataclass(frozen=True, slots=True)
class _Proposal:
    """P = diag(p) - c y y^T, with p > 0 and c >= 0."""

    p: np.ndarray
    y: np.ndarray
    c: float

    @property
    def sign(self) -> int | None:
        """Return 1 if P is positive definite, -1 if it is negative somewhere, None if neither is seen."""
        if not self.c:
            return 1
        # z = y / p, whose rounding is of no account: z^T P z = sum p z^2 - c (y^T z)^2, all terms y z >= 0.
        z, n = self.y / self.p, len(self.p)
        positive = up(float((self.p * z * z).sum()), n + 4)
        inner = float((self.y * z).sum()) * (1 - 4 * gamma(n + 8))
        return -1 if inner > 0 and positive < self.c * inner * inner * (1 - gamma(8)) else None

    def dissipation(self, G: Ball) -> tuple[np.ndarray, float] | None:
        """Return T Q T, Q = -(G^T P + P G) and T diagonal, and a bound on the error's norm for every G of the ball.

        An entry of P G, p_i G_ij - c y_i (y^T G)_j, takes n + 4 roundings at most, and Q's one more; T consists of
        powers of 2 that bring the diagonal near 1.
        """
        n, c, y, p = len(self.p), self.c, self.y, self.p
        M = p[:, None] * G.mid
        spread = gamma(n + 10) * np.abs(G.mid) + 2 * G.rad
        sizes = np.zeros(n)
        if c:
            M -= np.outer(c * y, y @ G.mid)
            sizes = np.abs(y) @ spread
        diagonal = -2 * np.diag(M)
        if not (diagonal > 0).all():
            return None
        t = np.ldexp(1.0, -(np.frexp(diagonal)[1] // 2))
        if not _moderate(t):
            return None
        M *= t[:, None]
        M *= t
        Q = -(M + M.T)
        rows = p * (spread @ t) + c * np.abs(y) * (sizes @ t)
        columns = spread.T @ (p * t) + c * sizes * (np.abs(y) @ t)
        return Q, float(up(t * (rows + columns), 4 * n + 20).max()) + _UNDERFLOW


@np.errstate(all="ignore")
def two_sides(G: Ball) -> tuple[Enclosure, float] | None:
    """Return narrow bounds of the abscissa of every matrix of a ball, and it in floats; None where none are proven.

    Args:
        G: (n, n), with entries of order 1 at most.
    """
    pair = None if np.abs(G.mid).max() > _LARGEST else _eigenvectors(G.mid)
    if pair is None:
        return None
    eigenvalue, p, y = pair
    turned = _TURN / float(y @ (y / p))
    if not ((p > 0).all() and _moderate(p) and _moderate(turned) and np.abs(y).max() < _LARGEST):
        return None
    upper = _proven(G, _Proposal(p, y, 0.0), eigenvalue, 1)
    lower = None if upper is None else _proven(G, _Proposal(p, y, turned), eigenvalue, -1)
    return None if upper is None or lower is None else (Enclosure(lower, upper), eigenvalue)


def _eigenvectors(G: np.ndarray) -> tuple[float, np.ndarray, np.ndarray] | None:
    """Return the real eigenvalue next to 0, the diagonal of D and y, in floats; None without convergence."""
    from scipy.linalg.lapack import dgetrf, dgetrs

    factor, pivots, failed = dgetrf(G)
    if failed:
        return None

    def solved(right: np.ndarray, transposed: int) -> np.ndarray:
        x, _ = dgetrs(factor, pivots, right, trans=transposed)
        return np.asarray(x / x[np.abs(x).argmax()])

    def converged(transposed: int) -> np.ndarray | None:
        x = np.ones(len(G))
        for _ in range(_STEPS):
            before, x = x, solved(x, transposed)
            if np.abs(x - before).max() <= _ACCURACY:
                return x
        return None

    x, y = converged(0), converged(1)
    if x is None or y is None:
        return None
    eigenvalue = float(y @ (G @ x) / (y @ x))
    if not math.isfinite(eigenvalue) or not eigenvalue:
        return None
    # Signs of x and y agree, or one is 0; a wrong sign shows as an entry of D below 0, or as a D that fails.
    right = np.copysign(np.diag(G), x + y)
    p = (y + _MIXED * solved(right, 1)) / (x + _MIXED * solved(right, 0))
    return eigenvalue, p, y


def _proven(G: Ball, proposal: _Proposal, eigenvalue: float, side: int) -> float | None:
    """Return the first shift on this side of the eigenvalue that is proven to be on this side of the abscissa."""
    if proposal.sign != side:
        return None
    for width in _WIDTHS:
        sigma = eigenvalue + side * width * abs(eigenvalue)
        scaled = proposal.dissipation(G.shifted(-sigma))
        if scaled is None or not np.isfinite(scaled[0]).all():
            continue
        Q, error = scaled
        # Above the bound on the residual of a Cholesky factor, at most about n gamma(n) max Q_ii.
        hoped = 2 * error + 8 * len(Q) * gamma(len(Q)) * float(np.diag(Q).max())
        least = least_eigenvalue_bound(Q, hoped)
        if least is not None and least > error:
            return sigma
    return None


def _moderate(values: np.ndarray | float) -> bool:
    size = np.abs(values)
    return bool(np.all((size > 1 / _LARGEST) & (size < _LARGEST)))
