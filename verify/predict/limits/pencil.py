"""Operators on moments as quadratic pencils T* = T_0* + alpha T_1* + alpha^2 T_2*, over any ring of matrices.

T is the second-moment operator, and T* its transpose with respect to the sum of tr(X_s Y_s) over the modes. Both map
positive semidefinite blocks to such. The spectral radius of such an operator is an eigenvalue (Krein and Rutman 1948).
First moments are a special case: with B their operator, P -> B^T P B is the T* of one mode that always takes the step
B, and its radius is the square of that of B.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tdrc_theory.exact import Matrix, Surd
from tdrc_theory.learner.sample_update import ONE, ZERO
from verify.predict.recursion import RESTART
from verify.predict.reduced_recursion import ReducedRecursion, outer
from verify.predict.ring import HALF, Ring, ring_steps

Blocks = list[Any]
"""A symmetric matrix for each mode."""
Parts = tuple[Blocks, Blocks, Blocks]
"""What multiplies 1, alpha and alpha^2."""


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
        K = ring.matrix([row[:n] for row in self.reduced.common])
        zero, half = K * ring.number(ZERO), ring.number(HALF)
        start = [ring.number(share) for share in self.reduced.recursion.start]
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

    Attributes:
        modes: 1.
    """

    modes = 1

    @property
    def n(self) -> int:
        """Return the number of first moments."""
        return self.reduced.recursion.modes * self.reduced.n

    @property
    def inside(self) -> Matrix:
        """Return the matrix with a block B^T B for each mode on its diagonal."""
        n, block = self.reduced.n, (self.reduced.basis.T @ self.reduced.basis).rows
        rows = [[ZERO] * self.n for _ in range(self.n)]
        for i in range(self.n):
            at = i // n * n
            rows[i][at : at + n] = block[i % n]  # type: ignore[assignment]
        return Matrix(rows)

    @cached_property
    def halves(self) -> tuple[Matrix, Matrix]:
        """B_0 and B_1, exact."""
        result, n, modes = self.reduced, self.reduced.n, self.reduced.recursion.modes
        common = Matrix([row[:n] for row in result.common])
        updates, number = result.distinct
        moves = [common + outer((u, v[:n]) for u, v in pairs) if pairs else common for pairs in updates]
        still, move = ([[Matrix.zeros(n, n)] * modes for _ in range(modes)] for _ in range(2))
        for step, update in zip(result.recursion.steps, number, strict=True):
            ended = step.target == RESTART
            for to, share in enumerate(result.recursion.start) if ended else [(step.target, ONE)]:
                p = step.probability * share
                if p:
                    still[to][step.source] += Matrix.diagonal([p] * n)
                    move[to][step.source] += moves[update] * p
        return Matrix.block(still), Matrix.block(move)

    def parts(self, ring: Ring) -> Callable[[Blocks], Parts]:
        """Return the three maps over a ring."""
        still, move = (ring.matrix(half) for half in self.halves)

        def applied(Z: Blocks) -> Parts:
            held, moved = Z[0] * still, Z[0] * move
            across = still.transpose() * moved
            return [still.transpose() * held], [across + across.transpose()], [move.transpose() * moved]

        return applied


Pencil = SecondPencil | FirstPencil


def rows_of(pencil: Pencil) -> int:
    """Return the number of rows of an operator on symmetric halves."""
    return pencil.modes * pencil.n * (pencil.n + 1) // 2
