"""Whether moments stay bounded at one step size: a candidate from floats, decided in ball arithmetic.

Let T* be the transposed second-moment operator, which maps positive semidefinite blocks to such. If Z - T*(Z) is
positive definite in every mode, then
- if every block of Z is positive definite, the spectral radius of T is below 1;
- if z^T Z_s z < 0 for some mode and z, it is at least 1: otherwise Z, the sum of all T*^j (Z - T*(Z)), were positive.
(Costa, Fragoso and Marques 2005, chapter 3, for the first; the second is one line.) First moments are the special case
of one mode that always takes the same step, the matrix of the first-moment operator (Stein's theorem).
Z comes from a linear system in floats and may be wrong: then nothing is proven.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import flint
import numpy as np

from tdrc_theory.exact.convert import to_fmpq
from verify.exact.enclosure import precision
from verify.predict.balls import BallStep, ball_steps, common_balls, float_balls
from verify.predict.moving import Moving
from verify.predict.operator import Layout, adjoint, layout
from verify.predict.spectrum import first_matrix
from verify.predict.squaring import Half, written_out

_BITS = 128
LARGEST_SECOND = 2500
"""Rows of the second-moment operator up to which its boundedness is decided."""
LARGEST_FIRST = 200
"""Rows of the first-moment operator up to which its boundedness is decided."""


@dataclass(frozen=True)
class Certifier:
    """Decides boundedness of the linear part of a recursion, at any rational step size."""

    made: Moving

    @cached_property
    def _arrays(self) -> Layout:
        return layout(self.made).linear()

    @cached_property
    def _half(self) -> Half:
        return Half(self._arrays.modes, self._arrays.size)

    @property
    def second_in_reach(self) -> bool:
        """Whether the second-moment operator is small enough to be written out, as finding Z takes."""
        return self._half.size <= LARGEST_SECOND

    @property
    def first_in_reach(self) -> bool:
        """Whether the first-moment operator is small enough."""
        return self._arrays.modes * self._arrays.size <= LARGEST_FIRST

    def second_bounded(self, alpha: Fraction) -> bool | None:
        """Return whether the second-moment operator has spectral radius below 1, None where nothing was proven."""
        operator = written_out(adjoint(self._arrays), self._half, float(alpha))
        ones = self._half.pack(np.broadcast_to(np.eye(self._half.N), (self._half.modes, self._half.N, self._half.N)))
        Z = _solved(np.eye(len(operator)) - operator, ones)
        if Z is None:
            return None
        blocks = self._half.unpack(Z)
        with precision(_BITS):
            balls = [float_balls((block + block.T) / 2) for block in blocks]
            return _decided(balls, self._second_residual(balls, alpha), blocks)

    def first_bounded(self, alpha: Fraction) -> bool | None:
        """Return whether the first-moment operator has spectral radius below 1, None where nothing was proven."""
        P = _stein(first_matrix(self._arrays, float(alpha)))
        if P is None:
            return None
        with precision(_BITS):
            step, ball = self._first_balls(alpha), float_balls(P)
            return _decided([ball], [ball - step.transpose() * ball * step], P[None])

    @cached_property
    def _steps(self) -> list[BallStep]:
        return ball_steps(self.made, self.made.n)

    def _second_residual(self, Z: list[flint.arb_mat], alpha: Fraction) -> list[flint.arb_mat]:
        """Return Z - T*(Z) in balls."""
        a, n = flint.arb(to_fmpq(alpha)), self.made.n
        L = common_balls(self.made, a, n)
        restart = flint.arb_mat(n, n)
        for share, block in zip(self.made.recursion.start, Z, strict=True):
            restart += block * flint.arb(to_fmpq(share))
        ahead = [flint.arb_mat(n, n) for _ in Z]
        low = [flint.arb_mat(n, n) for _ in Z]
        for source, target, p, U, V in self._steps:
            block = restart if target == len(Z) else Z[target]
            ahead[source] += block * p
            moved = U * block
            inner = moved * L + (moved * U.transpose()) * V * (a / 2)
            low[source] += V.transpose() * inner * (a * p)
        images = [L.transpose() * m * L + y + y.transpose() for m, y in zip(ahead, low, strict=True)]
        return [block - image for block, image in zip(Z, images, strict=True)]

    def _first_balls(self, alpha: Fraction) -> flint.arb_mat:
        """Return the first-moment operator in balls."""
        a, n, modes = flint.arb(to_fmpq(alpha)), self.made.n, self.made.recursion.modes
        L = common_balls(self.made, a, n)
        blocks = [[flint.arb_mat(n, n) for _ in range(modes)] for _ in range(modes)]
        for source, target, p, U, V in self._steps:
            M = (L + U.transpose() * V * a) * p
            if target < modes:
                blocks[target][source] += M
                continue
            for t, share in enumerate(self.made.recursion.start):
                blocks[t][source] += M * flint.arb(to_fmpq(share))
        tables = [[block.tolist() for block in band] for band in blocks]
        return flint.arb_mat([[x for table in band for x in table[i]] for band in tables for i in range(n)])


def _decided(Z: list[flint.arb_mat], residual: list[flint.arb_mat], floats: np.ndarray) -> bool | None:
    if not all(_is_positive(block) for block in residual):
        return None
    if any(_has_negative(block, values) for block, values in zip(Z, floats, strict=True)):
        return False
    return True if all(_is_positive(block) for block in Z) else None


def _is_positive(matrix: flint.arb_mat) -> bool:
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


def _has_negative(matrix: flint.arb_mat, values: np.ndarray) -> bool:
    """Return whether z^T M z < 0 for a z found in floats."""
    _, vectors = np.linalg.eigh((values + values.T) / 2)
    z = float_balls(vectors[:, :1])
    return bool((z.transpose() * matrix * z)[0, 0] < 0)


def _stein(B: np.ndarray) -> np.ndarray | None:
    """Return a symmetric P with P - B^T P B near I, corrected once by its own residual."""
    from scipy.linalg import solve_discrete_lyapunov

    P, one = np.zeros_like(B), np.eye(len(B))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # that it is hard is no reason not to try: nothing is believed
        try:
            for _ in range(2):
                P = P + solve_discrete_lyapunov(B.T, one - P + B.T @ P @ B)
        except (np.linalg.LinAlgError, ValueError):
            return None
    return (P + P.T) / 2 if np.isfinite(P).all() else None


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    try:
        found = np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return None
    return found if np.isfinite(found).all() else None
