"""The growth of second moments of the weights at a constant step size, in floats: a quick estimate, never a proof.

`verify.predict` proves what is estimated here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tdrc_theory.learner.step_matrices import StepMatrices

LARGEST = 1000
"""Entries of the second moments, modes times n (n + 1) / 2, up to which they are followed: a tenth of a second."""
MOST_NUMBERS = 3 * 10**7
"""Products of entries of G, one for each pair of modes, up to which they are computed."""
_LARGEST_STEP = 1e150
"""Whose square is a float; errors grow at once where an update is so large."""


def entries(modes: int, n: int) -> int:
    """Return how many entries second moments have."""
    return modes * n * (n + 1) // 2


@dataclass(frozen=True, eq=False)
class MomentGrowth:
    """The map of E[y y^T; mode] to the same an update later, y being the weights that move.

    Attributes:
        steps: kinds of updates, in coordinates of what moves.
    """

    steps: StepMatrices

    @property
    def size(self) -> int:
        """Return n, the number of directions that move."""
        return int(self.steps.mean.shape[0])

    @cached_property
    def mean_is_stable(self) -> bool:
        """Whether every eigenvalue of the mean G has a negative real part, as far as floats tell."""
        values = np.linalg.eigvals(self.steps.mean)
        # Well-conditioned eigenvalues are off by about n eps times the norm: 2e-14 of it where n is 100.
        return bool((values.real < -1e-12 * max(np.abs(values).max(initial=0), 1e-300)).all())

    @cached_property
    def _unit(self) -> float:
        """The largest entry of any G: G is divided by it and step sizes are multiplied, so that squares are finite."""
        return float(np.abs(self.steps.G).max(initial=0)) or 1.0

    def _map(self, alpha: float) -> np.ndarray | None:
        """Return the map at a step size, None where its entries are past floats."""
        P, Q, R = self._operator
        step = alpha * self._unit
        return P + step * Q + step * step * R if step < _LARGEST_STEP else None

    @cached_property
    def _operator(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """P, Q and R of the map P + step Q + step^2 R, step = alpha unit, on the upper halves of symmetric blocks."""
        result, n = self.steps, self.size
        rows, columns = np.triu_indices(n)
        half, unit = len(rows), np.eye(n)
        P, Q, R = (np.zeros((result.modes, half, result.modes, half)) for _ in range(3))
        drawn_mean = result.mean / self._unit if result.drawn else None
        for s, t in sorted(set(zip(result.source.tolist(), result.target.tolist(), strict=True))):
            here = (result.source == s) & (result.target == t)
            p, G = result.probability[here], result.G[here] / self._unit
            first = np.einsum("t,tij->ij", p, G) if drawn_mean is None else drawn_mean
            P[t, :, s, :] = p.sum() * np.eye(half)
            products = np.multiply.outer(first, unit) + np.multiply.outer(unit, first)
            Q[t, :, s, :] = _on_halves(products, rows, columns)
            flat = G.reshape(len(G), n * n)
            R[t, :, s, :] = _on_halves(((flat * p[:, None]).T @ flat).reshape(n, n, n, n), rows, columns)
        size = result.modes * half
        return P.reshape(size, size), Q.reshape(size, size), R.reshape(size, size)

    def stable(self, alpha: float) -> bool:
        """Return whether second moments stay bounded: W - T W = I has a positive definite solution, T being the map."""
        n, modes = self.size, self.steps.modes
        if not n:
            return True
        T = self._map(alpha)
        if T is None:
            return False
        rows, columns = np.triu_indices(n)
        unit = np.tile(np.eye(n)[rows, columns], modes)
        try:
            solution = np.linalg.solve(np.eye(len(unit)) - T, unit)
        except np.linalg.LinAlgError:
            return False
        if not np.isfinite(solution).all():
            return False
        W = np.zeros((modes, n, n))
        W[:, rows, columns] = W[:, columns, rows] = solution.reshape(modes, -1)
        return bool(np.linalg.eigvalsh(W).min() > 0)

    def log_growth(self, alpha: float, updates: int) -> float:
        """Return the logarithm of the factor by which second moments grow in so many updates."""
        n, modes = self.size, self.steps.modes
        if not n:
            return 0.0
        T = self._map(alpha)
        if T is None:
            return np.inf
        rows, columns = np.triu_indices(n)
        moments = np.tile(np.eye(n)[rows, columns], modes)
        taken, total, last = min(updates, 100), 0.0, 0.0
        for _ in range(taken):
            moments = T @ moments
            size = float(moments[np.tile(rows == columns, modes)].sum()) / (n * modes)
            if not 0 < size < np.inf:
                return np.inf if size else -np.inf
            last = float(np.log(size))
            total, moments = total + last, moments / size
        return total + (updates - taken) * last


def _on_halves(products: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return X -> sum of L X R^T, symmetric, on the entries of X on and above the diagonal.

    Args:
        products: (n, n, n, n), the sum of L[i, a] R[j, b] at i, a, j, b.
        rows, columns: of the entries.
    """
    i, j, a, b = rows[:, None], columns[:, None], rows[None, :], columns[None, :]
    return np.asarray(products[i, a, j, b] + np.where(a == b, 0, products[i, b, j, a]))
