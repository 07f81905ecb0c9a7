"""Whether moments stay bounded at one step size: a candidate from floats, decided in ball arithmetic.

Let T* be the transposed second-moment operator, which maps positive semidefinite blocks to such. If Z - T*(Z) is
positive definite in every mode, then
- if every block of Z is positive definite, the spectral radius of T is below 1;
- if z^T Z_s z < 0 for some mode and z, it is at least 1: otherwise Z, the sum of all T*^j (Z - T*(Z)), were positive.
(Costa, Fragoso and Marques 2005, chapter 3, for the first; the second is one line.) First moments are a special case
(`pencil`; Stein's theorem). Z comes from a linear system in floats and may be wrong: then nothing is proven.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import numpy as np

from tdrc_theory.exact.number import precision, to_fmpq
from verify.predict.limits.candidate import Candidates, FirstCandidates, SecondCandidates
from verify.predict.limits.pencil import Blocks, FirstPencil, Parts, Pencil, SecondPencil
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.ring import BALLS, float_balls

Symmetric = flint.arb_mat | flint.fmpq_mat
BITS = 128
"""Of balls: more than twice those of a double, so that what is left when floats cancel has the digits of one."""


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
        return cls(FirstPencil(reduced), FirstCandidates(reduced))

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
            return self.pencil.parts(BALLS)


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
