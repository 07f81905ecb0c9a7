"""Whether moments stay bounded at one step size: a candidate from floats, decided in ball arithmetic.

Operators on moments are quadratic pencils T* = T_0* + alpha T_1* + alpha^2 T_2*, over any ring of matrices. T is the
second-moment operator, and T* its transpose with respect to the sum of tr(X_s Y_s) over the modes. Both map positive
semidefinite blocks to such. The spectral radius of such an operator is an eigenvalue (Krein and Rutman 1948). First
moments are a special case: with B their operator, P -> B^T P B is the T* of one mode that always takes the step B, and
its radius is the square of that of B.

If Z - T*(Z) is positive definite in every mode, then
- if every block of Z is positive definite, the spectral radius of T is below 1;
- if z^T Z_s z < 0 for some mode and z, it is at least 1: otherwise Z, the sum of all T*^j (Z - T*(Z)), were positive.
(Costa, Fragoso and Marques 2005, chapter 3, for the first, which of first moments is Stein's theorem; the second is one
line.)

Candidates Z are solutions of r Z - X(t)(Z) = I in floats, and may be wrong: then nothing is proven. X(t) is T* at
alpha = t, or, reversed, T* / alpha^2 at alpha = 1 / t, which is T_2* + t T_1* + t^2 T_0*.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import numpy as np

from tdrc_theory.exact import Matrix, Surd
from tdrc_theory.exact.number import precision, to_fmpq
from tdrc_theory.learner.sample_update import ONE, ZERO
from verify.predict.operator import Half, Spectrum, forward, layout, written_out
from verify.predict.recursion import RESTART
from verify.predict.reduced_recursion import ReducedRecursion, outer
from verify.predict.ring import HALF, Ring, exact_balls, float_balls, ring_steps, scalar

Blocks = list[Any]
"""A symmetric matrix for each mode."""
Parts = tuple[Blocks, Blocks, Blocks]
"""What multiplies 1, alpha and alpha^2."""
LARGEST_SECOND_COVERED, LARGEST_FIRST_COVERED = 1500, 120
"""Rows up to which boundedness is decided on intervals of step sizes too: some dozens of times as long."""
LARGEST_SECOND = 5100
"""Rows of the second-moment operator up to which candidates are found."""
LARGEST_FIRST = 200
"""Rows of the first-moment operator up to which candidates are found."""
_POWERS = 240
"""Applications of an operator whose growth is taken to be its radius."""
_SOLVED = 1000
"""Rows up to which a linear system is quicker than a spectral radius."""
_NEAR_1, _ALL = 1.02, 1000
"""Radius up to which all eigenvalues are found instead, and rows up to which they are."""
Symmetric = flint.arb_mat | flint.fmpq_mat
BITS = 128
"""Of balls: more than twice those of a double, so that what is left when floats cancel has the digits of one."""


@dataclass(frozen=True)
class _Pencil:
    """An operator on symmetric blocks of n rows, one for each of `modes`."""

    reduced: ReducedRecursion

    @cached_property
    def rational(self) -> bool:
        """Return whether all numbers are rational."""
        pairs = (pair for pairs in set(self.reduced.updates) for pair in pairs)
        rows = (*self.reduced.common, *(row for pair in pairs for row in pair), *self.reduced.basis.rows)
        return not any(isinstance(x, Surd) for row in rows for x in row)


class SecondPencil(_Pencil):
    """The second-moment operator of a recursion's linear part."""

    @property
    def modes(self) -> int:
        """Return the number of modes."""
        return self.reduced.recursion.modes

    @property
    def n(self) -> int:
        """Return the number of coordinates."""
        return self.reduced.n

    @property
    def inside(self) -> Matrix:
        """Return B^T B (n, n), with B the basis of what moves: exact, positive definite, the same block in all modes.

        What is symmetric in the problem's own coordinates is so in these blocks.
        """
        return self.reduced.basis.T @ self.reduced.basis

    def parts(self, ring: Ring) -> Callable[[Blocks], Parts]:
        """Return what maps blocks Z over a ring to T_0*(Z), T_1*(Z) and T_2*(Z).

        With the common part K and the rest U^T V of an update, M^T Z M is quadratic in alpha.
        """
        n = self.n
        K = ring([row[:n] for row in self.reduced.common])
        zero, half = K * scalar(ring, ZERO), scalar(ring, HALF)
        start = [scalar(ring, share) for share in self.reduced.recursion.start]
        steps, turned = ring_steps(self.reduced, n, ring), K.transpose()

        def applied(Z: Blocks) -> Parts:
            restart = zero
            for share, block in zip(start, Z, strict=True):
                restart = restart + block * share
            ahead, once, twice = ([zero for _ in Z] for _ in range(3))
            for source, target, p, U, V in steps:
                block = restart if target == len(Z) else Z[target]
                ahead[source] = ahead[source] + block * p
                moved, across = U * block, V.transpose() * p
                once[source] = once[source] + across * moved
                twice[source] = twice[source] + across * (moved * K + (moved * U.transpose()) * V * half)
            first = [turned * m + m * K + y + y.transpose() for m, y in zip(ahead, once, strict=True)]
            second = [turned * m * K + y + y.transpose() for m, y in zip(ahead, twice, strict=True)]
            return ahead, first, second

        return applied


class FirstPencil(_Pencil):
    """P -> B^T P B, with B = B_0 + alpha B_1 the first-moment operator of a recursion's linear part.

    Modes that are reached alike, by the same updates from the same modes with probabilities in one ratio, are one:
    after any step their first moments are in that ratio, and so is every eigenvector whose eigenvalue is not 0.

    Attributes:
        modes: 1.
    """

    modes = 1

    @property
    def n(self) -> int:
        """Return the number of first moments."""
        return self.halves[0].shape[0]

    @property
    def inside(self) -> Matrix:
        """Return the matrix with a block B^T B for each mode on its diagonal."""
        basis = self.reduced.basis
        return block_diagonal(basis.T @ basis, self.n // self.reduced.n)

    @cached_property
    def halves(self) -> tuple[Matrix, Matrix]:
        """B_0 and B_1, exact, with a block for each mode; of modes that are reached alike, for the first."""
        result, n, modes = self.reduced, self.reduced.n, self.reduced.recursion.modes
        common = Matrix([row[:n] for row in result.common])
        updates, number = result.distinct
        moves = [common + outer((u, v[:n]) for u, v in pairs) if pairs else common for pairs in updates]
        shares: list[dict[int, Fraction]] = [{} for _ in range(modes)]
        moved: list[dict[int, Matrix]] = [{} for _ in range(modes)]
        for step, update in zip(result.recursion.steps, number, strict=True):
            ended = step.target == RESTART
            for to, share in enumerate(result.recursion.start) if ended else [(step.target, ONE)]:
                p, source = step.probability * share, step.source
                if p:
                    shares[to][source] = shares[to].get(source, ZERO) + p
                    moved[to][source] = moved[to].get(source, Matrix.zeros(n, n)) + moves[update] * p
        totals = [sum(each.values(), ZERO) or ONE for each in shares]
        reached: dict[frozenset[tuple[int, Fraction, Matrix]], int] = {}
        alike = [
            reached.setdefault(frozenset((s, p / total, move[s] * (1 / total)) for s, p in share.items()), to)
            for to, (share, move, total) in enumerate(zip(shares, moved, totals, strict=True))
        ]
        place = {mode: i for i, mode in enumerate(reached.values())}
        halves = [[[Matrix.zeros(n, n)] * len(place) for _ in place] for _ in range(2)]
        for to, row in place.items():
            for s, p in shares[to].items():
                column, ratio = place[alike[s]], totals[s] / totals[alike[s]]
                halves[0][row][column] += Matrix.diagonal([p * ratio] * n)
                halves[1][row][column] += moved[to][s] * ratio
        return Matrix.block(halves[0]), Matrix.block(halves[1])

    def parts(self, ring: Ring) -> Callable[[Blocks], Parts]:
        """Return the three maps over a ring."""
        still, move = (ring(half) for half in self.halves)

        def applied(Z: Blocks) -> Parts:
            held, moved = Z[0] * still, Z[0] * move
            across = still.transpose() * moved
            return [still.transpose() * held], [across + across.transpose()], [move.transpose() * moved]

        return applied


Pencil = SecondPencil | FirstPencil


def block_diagonal(block: Matrix, count: int) -> Matrix:
    """Return the matrix that has a square block so many times on its diagonal."""
    zero = Matrix.zeros(*block.shape)
    return Matrix.block([[block if i == j else zero for j in range(count)] for i in range(count)])


def rows_of(pencil: Pencil) -> int:
    """Return the number of rows of an operator on symmetric halves."""
    return pencil.modes * pencil.n * (pencil.n + 1) // 2


class SecondCandidates:
    """Candidates for the second-moment operator.

    Attributes:
        in_reach: whether the operator can be written out.
        coverable: whether intervals of step sizes are tried, which takes some dozens of times as long.
    """

    def __init__(self, reduced: ReducedRecursion) -> None:
        self.reduced, self._arrays = reduced, layout(reduced).linear()
        self._spectrum, self._half = Spectrum(self._arrays), Half.of(self._arrays)
        self._ones = self._half.of_each(np.eye(self._half.N))
        self.in_reach = self._half.size <= LARGEST_SECOND
        self.coverable = self._half.size <= LARGEST_SECOND_COVERED

    @cached_property
    def _written(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        unit = 1 / self._arrays.scale()  # of alpha: at it no part is lost beside the others
        still, up, down = (written_out(forward(self._arrays), self._half, a).T for a in (0.0, unit, -unit))
        move = (up - down) / 2
        return still, move / unit, (up - still - move) / unit**2

    def _at(self, t: float, reverse: bool) -> np.ndarray:
        still, once, twice = self._written[::-1] if reverse else self._written
        return still + t * once + t**2 * twice

    def at(self, t: float, r: float = 1.0, reverse: bool = False) -> np.ndarray | None:
        """Return symmetric Z (modes, n, n) with r Z - X(t)(Z) = I, None where there is none."""
        try:
            solved = np.linalg.solve(r * np.eye(self._half.size) - self._at(t, reverse), self._ones)
        except np.linalg.LinAlgError:
            return None
        return self._half.unpack(solved) if np.isfinite(solved).all() else None

    def excess(self, alpha: float) -> float:
        """Return 1 / trace(Z), which is 0 where 1 is an eigenvalue, with the sign of radius - 1."""
        if self._half.size > _SOLVED:
            return self._spectrum.second(alpha) - 1
        Z = self.at(alpha)
        if Z is None:  # the matrix is singular even in floats
            return 0.0
        size = self._half.size / abs(float(np.trace(Z, axis1=1, axis2=2).sum()))
        return -size if np.linalg.eigvalsh(Z).min() > 0 else size

    def residual(self, Z: np.ndarray, t: float, r: float, reverse: bool = False) -> np.ndarray:
        """Return r Z - X(t)(Z)."""
        return r * Z - self._half.unpack(self._at(t, reverse) @ self._half.pack(Z))

    def radius(self, t: float, reverse: bool = False) -> float:
        """Return about the spectral radius of X(t), from its powers at a point inside the cone."""
        operator, vector, growth = self._at(t, reverse), self._ones / np.linalg.norm(self._ones), 0.0
        for k in range(_POWERS):
            vector = operator @ vector
            size = float(np.linalg.norm(vector))
            if not 0 < size < np.inf:
                return 0.0 if size == 0 else math.inf
            vector /= size
            growth += math.log(size) if k >= _POWERS // 2 else 0.0
        radius = math.exp(growth / (_POWERS - _POWERS // 2))
        if not reverse and radius < _NEAR_1 and self._half.size <= _ALL:  # eigenvalues lie close to each other there
            return float(np.linalg.eigvals(operator).real.max())
        return radius

    def at_zero(self) -> np.ndarray | None:
        """Return Z_0 with G^T Z_0 + Z_0 G = -I for the averaged update G, None where the mode may leave this class."""
        from scipy.linalg import solve_continuous_lyapunov

        if not self.reduced.recursion.closed:
            return None
        result, modes = self._arrays, self._arrays.modes
        mixing = np.zeros((modes, modes))
        for s, t, p in zip(result.source, result.target, result.probability, strict=True):
            mixing[:, s] += p * (result.start if t == modes else np.eye(modes)[t])
        everywhere = np.vstack([mixing - np.eye(modes), np.ones(modes)])
        share = np.linalg.lstsq(everywhere, np.append(np.zeros(modes), 1.0))[0]
        mass, update = share[result.source] * result.probability, result.update
        each = np.einsum("t,tri,trj->ij", mass, result.U[update], result.V[update])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nothing is believed
            try:
                Z = solve_continuous_lyapunov((result.common + each).T, -np.eye(result.size))
            except np.linalg.LinAlgError:
                return None
        if not np.isfinite(Z).all() or not np.trace(Z):
            return None
        return np.broadcast_to((Z + Z.T) / 2, (modes, *Z.shape))


class FirstCandidates:
    """Candidates for P -> B^T P B, with B the first-moment operator.

    Attributes:
        in_reach: whether Stein's equation can be solved.
        coverable: as of second moments.
    """

    def __init__(self, pencil: FirstPencil) -> None:
        self._pencil, self._arrays = pencil, layout(pencil.reduced).linear()
        rows = self._arrays.modes * self._arrays.size
        self.in_reach, self.coverable = rows <= LARGEST_FIRST, rows <= LARGEST_FIRST_COVERED

    @cached_property
    def _halves(self) -> tuple[np.ndarray, np.ndarray]:
        still, move = self._pencil.halves
        return still.to_float(), move.to_float()

    def _at(self, t: float, reverse: bool) -> np.ndarray:
        still, move = self._halves[::-1] if reverse else self._halves
        return still + t * move

    def at(self, t: float, r: float = 1.0, reverse: bool = False) -> np.ndarray | None:
        """Return P with r P - B^T P B near I, corrected once by its own residual."""
        from scipy.linalg import solve_discrete_lyapunov

        if not r > 0:
            return None
        B = self._at(t, reverse) / math.sqrt(r)
        P, one = np.zeros_like(B), np.eye(len(B))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # that it is hard is no reason not to try: nothing is believed
            try:
                for _ in range(2):
                    P = P + solve_discrete_lyapunov(B.T, one - P + B.T @ P @ B)
            except (np.linalg.LinAlgError, ValueError):
                return None
        return ((P + P.T) / 2)[None] if np.isfinite(P).all() else None

    def excess(self, alpha: float) -> float:
        """Return the spectral radius of B, less 1."""
        if not self.in_reach:
            return Spectrum(self._arrays).first(alpha) - 1
        return float(np.abs(self.eigenvalues(alpha)).max()) - 1

    def eigenvalues(self, alpha: float) -> np.ndarray:
        """Return all eigenvalues of B."""
        return np.linalg.eigvals(self._at(alpha, reverse=False))

    def residual(self, Z: np.ndarray, t: float, r: float, reverse: bool = False) -> np.ndarray:
        """Return r P - B^T P B."""
        B = self._at(t, reverse)
        return r * Z - B.T @ Z @ B

    def radius(self, t: float, reverse: bool = False) -> float:
        """Return about the square of the spectral radius of B."""
        return float(np.abs(np.linalg.eigvals(self._at(t, reverse))).max()) ** 2

    def at_zero(self) -> None:
        """Return None: first moments are covered from 0 by second ones."""
        return


Candidates = SecondCandidates | FirstCandidates


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


@dataclass(frozen=True)
class Certifier:
    """Decides at single step sizes whether one operator has spectral radius below 1."""

    pencil: Pencil
    candidates: Candidates

    @classmethod
    def second(cls, reduced: ReducedRecursion) -> Certifier:
        """Return what decides on second moments."""
        return cls(SecondPencil(reduced), SecondCandidates(reduced))

    @classmethod
    def first(cls, reduced: ReducedRecursion) -> Certifier:
        """Return what decides on first moments."""
        pencil = FirstPencil(reduced)
        return cls(pencil, FirstCandidates(pencil))

    def bounded(self, alpha: Fraction) -> bool | None:
        """Return whether the operator has spectral radius below 1, None where nothing was proven."""
        if not self.candidates.in_reach:
            return None
        Z = self.candidates.at(float(alpha))
        if Z is None:
            return None
        with precision(BITS):
            a = flint.arb(to_fmpq(alpha))
            blocks = symmetric_balls(Z)
            parts = zip(blocks, *self.parts(blocks), strict=True)
            return decided(blocks, [z - x - y * a - w * (a * a) for z, x, y, w in parts])

    @cached_property
    def parts(self) -> Callable[[Blocks], Parts]:
        """What maps blocks Z to T_0*(Z), T_1*(Z) and T_2*(Z) in balls."""
        with precision(BITS):
            return self.pencil.parts(exact_balls)


def symmetric_balls(Z: np.ndarray) -> Blocks:
    """Return floats (modes, n, n) as symmetric blocks of balls of radius 0."""
    return [float_balls((block + block.T) / 2) for block in Z]


def decided(Z: Blocks, residual: Blocks) -> bool | None:
    """Return whether the radius is below 1, given Z and Z - T*(Z); None where nothing is proven."""
    if not all(is_positive(block) for block in residual):
        return None
    if all(is_positive(block) for block in Z):
        return True
    return False if any(has_negative(block) for block in Z) else None
