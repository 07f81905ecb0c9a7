"""Matrices of doubles with an entrywise bound on the distance from what they stand for, and on their eigenvalues.

Every bound here is for IEEE double precision, round to nearest: fl(a op b) = (a op b)(1 + e) with |e| <= U, and, for
products, an absolute error of at most TINY more, whether underflow is gradual or flushed to 0. A sum or an inner
product of n terms, in any order, on any number of threads, with fused operations or without, is off by at most
`gamma(n)` times the sum of the absolute values (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
secs. 3.1 and 4.2). Only matrix multiplication by its definition is assumed of BLAS: no Strassen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Matrix

U = 2.0**-53
"""Unit roundoff."""

TINY = 2.0**-1022
"""The smallest normal double."""

_LARGEST_FACTOR = Fraction(10) ** 150
_BLOCK = 256
"""Size up to which a product is not split."""

# As in `verify.predict.operator`: the C library learns to keep blocks, up to the 32 MiB that it may, less a header.
np.empty((1 << 22) - (1 << 10))


def gamma(n: int) -> float:
    """Return an upper bound of n U / (1 - n U): the relative error of n roundings in a row.

    Raises:
        BadNumber: n is so large that there is no bound.
    """
    if n * U > 0.1:
        raise BadNumber(f"{n} terms: too many for a bound on their rounding errors")
    return n * U / (1 - n * U) * (1 + 8 * U)


def up(value: Any, roundings: int) -> Any:
    """Return nonnegative floats that took at most this many relative roundings, enlarged past their exact values."""
    return value * (1 + gamma(2 * roundings + 8))


@dataclass(frozen=True)
class Ball:
    """All real matrices X with |X - mid| <= rad, entry by entry; an entry with rad = 0 is exact.

    Attributes:
        mid: (n, m) float64.
        rad: (n, m) float64, at least 0.

    Raises:
        BadNumber: an entry is not finite, or a radius negative.
    """

    mid: np.ndarray
    rad: np.ndarray

    def __post_init__(self) -> None:
        """Refuse what bounds nothing."""
        if self.mid.shape != self.rad.shape or self.mid.ndim != 2:
            raise BadNumber(f"mid is {self.mid.shape}, rad {self.rad.shape}; both are (n, m)")
        if self.mid.dtype != np.float64 or self.rad.dtype != np.float64:
            raise BadNumber(f"mid is {self.mid.dtype}, rad {self.rad.dtype}; both are float64")
        if not (np.isfinite(self.mid).all() and np.isfinite(self.rad).all()):
            raise BadNumber("an entry is not finite, or past the largest double")
        if (self.rad < 0).any():
            raise BadNumber("a radius is negative")

    @classmethod
    def exact(cls, mid: np.ndarray) -> Ball:
        """Return the ball that contains one matrix of doubles."""
        return cls(mid, np.zeros_like(mid))

    @classmethod
    def of(cls, matrix: Matrix) -> Ball:
        """Return a ball around an exact matrix: half a unit in the last place, two where there are square roots.

        Raises:
            BadNumber: an entry is past the largest double.
        """
        mid, nonzero = matrix.rounded()
        relative = 4 * U if matrix.rational is None else U
        with np.errstate(under="ignore", over="ignore", invalid="ignore"):
            return cls(mid, np.where(nonzero, relative * np.abs(mid) + TINY, 0.0))

    @property
    def shape(self) -> tuple[int, int]:
        """Return (n, m)."""
        n, m = self.mid.shape
        return n, m

    @property
    def T(self) -> Ball:
        """Return the transpose."""
        return Ball(self.mid.T, self.rad.T)

    @property
    def is_zero(self) -> np.ndarray:
        """Return which entries are exactly 0, (n, m)."""
        return (self.mid == 0) & (self.rad == 0)

    def select(self, rows: Any, columns: Any) -> Ball:
        """Return the submatrix with these rows and columns."""
        place = np.ix_(np.asarray(rows, dtype=np.intp), np.asarray(columns, dtype=np.intp))
        return Ball(self.mid[place], self.rad[place])

    def __neg__(self) -> Ball:
        return Ball(-self.mid, self.rad)

    def __add__(self, other: Ball) -> Ball:
        with np.errstate(all="ignore"):
            mid = self.mid + other.mid
            return Ball(mid, up(self.rad + other.rad + U * np.abs(mid), 3))

    def times(self, factor: Fraction) -> Ball:
        """Return the product with an exact number.

        Raises:
            BadNumber: the factor is not 0 and not between 1e-150 and 1e150 in size.
        """
        if not factor:
            return Ball.exact(np.zeros(self.shape))
        if not 1 / _LARGEST_FACTOR < abs(factor) < _LARGEST_FACTOR:
            raise BadNumber("a factor is not between 1e-150 and 1e150 in size")
        nearest = float(factor)
        # The factor's own rounding and the product's: U |mid| each, to first order, and an underflow.
        with np.errstate(all="ignore"):
            mid = nearest * self.mid
            rad = up(abs(nearest) * self.rad + 3 * U * np.abs(mid) + 4 * TINY, 6)
        return Ball(mid, np.where(self.is_zero, 0.0, rad))

    def shifted(self, shift: float) -> Ball:
        """Return a ball around the square matrix with this added to its diagonal."""
        mid, rad = self.mid.copy(), self.rad.copy()
        i = np.arange(len(mid))
        mid[i, i] += shift
        rad[i, i] = up(rad[i, i] + U * np.abs(mid[i, i]), 2)
        return Ball(mid, rad)

    @classmethod
    def block(cls, blocks: Sequence[Sequence[Ball]]) -> Ball:
        """Assemble a block matrix."""
        return cls(
            np.block([[b.mid for b in band] for band in blocks]), np.block([[b.rad for b in band] for band in blocks])
        )


def least_eigenvalue_bound(Q: np.ndarray, shift: float) -> float | None:
    """Return a lower bound of the eigenvalues of a symmetric Q, near `shift`; None where Q - shift I has no factor.

    After Rump, Verification of positive definiteness, BIT 46, 2006. There the rounding errors of the factorisation are
    bounded a priori; here R^T R is multiplied out, so that nothing is assumed of LAPACK, a wrong R proves nothing, and
    only the error of a matrix product has to be known.

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
