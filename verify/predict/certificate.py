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
from verify.predict.balls import BallStep, Blocks, Parts, ball_steps, common_balls, exact_balls, float_balls
from verify.predict.cover import covered
from verify.predict.moving import Moving
from verify.predict.operator import Layout, adjoint, layout
from verify.predict.positive import is_positive
from verify.predict.spectrum import first_matrix
from verify.predict.squaring import Half, written_out

_BITS = 128
LARGEST_SECOND_COVERED, LARGEST_FIRST_COVERED = 1500, 120
"""Rows up to which boundedness is decided on intervals of step sizes too: some dozens of times as long."""
LARGEST_SECOND = 5100
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

    @cached_property
    def _ones(self) -> np.ndarray:
        return self._half.pack(np.broadcast_to(np.eye(self._half.N), (self._half.modes, self._half.N, self._half.N)))

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
        Z = _solved(np.eye(len(operator)) - operator, self._ones)
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

    def second_bounded_to(self, alpha: Fraction) -> Fraction:
        """Return up to where, at most alpha, it was proven that the second-moment operator has spectral radius below 1.

        It is so at every step size above 0 up to there.
        """
        if self._half.size > LARGEST_SECOND_COVERED:
            return Fraction(0)
        unit = 1 / self._arrays.scale()  # of alpha: at it no part is lost beside the others
        written = [written_out(adjoint(self._arrays), self._half, a) for a in (0.0, unit, -unit)]
        still, move = written[0], (written[1] - written[2]) / 2
        again = written[1] - still - move

        def solution(alpha: float) -> np.ndarray | None:
            if not alpha:
                return self._at_zero()
            a = alpha / unit
            found = _solved(np.eye(len(still)) - still - a * move - a**2 * again, self._ones)
            return None if found is None else self._half.unpack(found / (self._ones @ found))

        return covered((Fraction(0), alpha), solution, self.second_parts)

    def first_bounded_from(self, low: Fraction, high: Fraction, limit: float) -> Fraction:
        """Return up to where, from low and at most high, the same was proven of the first-moment operator.

        Args:
            limit: about where it does not any more.
        """
        if self._arrays.modes * self._arrays.size > LARGEST_FIRST_COVERED:
            return low

        def solution(alpha: float) -> np.ndarray | None:
            found = _stein(first_matrix(self._arrays, alpha))
            return None if found is None else found[None] * (1 - alpha / limit)

        return covered((low, high), solution, self.first_parts)

    def _at_zero(self) -> np.ndarray | None:
        """Return Z_0, the same in each mode, to which alpha Z tends: G^T Z_0 + Z_0 G = -I for the averaged update G."""
        from scipy.linalg import solve_continuous_lyapunov

        made, modes = self._arrays, self._arrays.modes
        mixing = np.zeros((modes, modes))
        for s, t, p in zip(made.source, made.target, made.probability, strict=True):
            mixing[:, s] += p * (made.start if t == modes else np.eye(modes)[t])
        everywhere = np.vstack([mixing - np.eye(modes), np.ones(modes)])
        share = np.linalg.lstsq(everywhere, np.append(np.zeros(modes), 1.0))[0]
        each = np.einsum(
            "t,tri,trj->ij", share[made.source] * made.probability, made.U[made.update], made.V[made.update]
        )
        try:
            Z = solve_continuous_lyapunov((made.common + each).T, -np.eye(made.size))
        except np.linalg.LinAlgError:
            return None
        if not np.isfinite(Z).all():
            return None
        return np.broadcast_to((Z + Z.T) / (2 * modes * np.trace(Z)), (modes, *Z.shape))

    @cached_property
    def _steps(self) -> list[BallStep]:
        return ball_steps(self.made, self.made.n)

    def _second_residual(self, Z: Blocks, alpha: Fraction) -> Blocks:
        """Return Z - T*(Z) in balls."""
        a = flint.arb(to_fmpq(alpha))
        return [z - x - y * a - w * (a * a) for z, x, y, w in zip(Z, *self.second_parts(Z), strict=True)]

    def second_parts(self, Z: Blocks) -> Parts:
        """Return T_0*(Z), T_1*(Z) and T_2*(Z) in balls, where T* = T_0* + alpha T_1* + alpha^2 T_2*."""
        n = self.made.n
        K = exact_balls([row[:n] for row in self.made.common])
        restart = flint.arb_mat(n, n)
        for share, block in zip(self.made.recursion.start, Z, strict=True):
            restart += block * flint.arb(to_fmpq(share))
        ahead, once, twice = ([flint.arb_mat(n, n) for _ in Z] for _ in range(3))
        for source, target, p, U, V in self._steps:
            block = restart if target == len(Z) else Z[target]
            ahead[source] += block * p
            moved = U * block
            once[source] += V.transpose() * moved * p
            twice[source] += V.transpose() * (moved * K + (moved * U.transpose()) * V / 2) * p
        first = [K.transpose() * m + m * K + y + y.transpose() for m, y in zip(ahead, once, strict=True)]
        second = [K.transpose() * m * K + y + y.transpose() for m, y in zip(ahead, twice, strict=True)]
        return ahead, first, second

    def first_parts(self, P: Blocks) -> Parts:
        """Return the same of B* = (B_0 + alpha B_1)*, with the first-moment operator as the one step of one mode."""
        still, move = self._first_halves
        moved = P[0] * move
        across = still.transpose() * moved
        return [still.transpose() * (P[0] * still)], [across + across.transpose()], [move.transpose() * moved]

    @cached_property
    def _first_halves(self) -> tuple[flint.arb_mat, flint.arb_mat]:
        still = self._first_balls(Fraction(0))
        return still, self._first_balls(Fraction(1)) - still

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
    if not all(is_positive(block) for block in residual):
        return None
    if any(_has_negative(block, values) for block, values in zip(Z, floats, strict=True)):
        return False
    return True if all(is_positive(block) for block in Z) else None


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
