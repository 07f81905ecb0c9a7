"""Stability by an exact Lyapunov certificate: a candidate from floating point, rounded to short fractions, then proven.

If Q = -(G^T P + P G) is positive definite for a symmetric P, then G has no eigenvalue on the imaginary axis and as many
with positive real part as P has negative eigenvalues (Ostrowski and Schneider). Both are decided by exact inertia.
"""

from __future__ import annotations

from fractions import Fraction

import flint

from tdrc_theory.exact import Matrix
from verify.exact.definiteness import inertia, is_positive_definite
from verify.exact.lyapunov_candidate import lyapunov_candidates

_BITS = 80


def nonzero_part(G: Matrix) -> Matrix:
    """Return G restricted to its range: the same eigenvalues without the zeros, where those are semisimple."""
    basis = G.column_basis()
    if basis.shape[0] == basis.shape[1]:
        return G
    restricted = basis.solve(G @ basis)
    assert restricted is not None
    return restricted


def is_stable(G: Matrix) -> bool | None:
    """Return whether every eigenvalue of a rational G has negative real part; None where no certificate was found."""
    form = next(lyapunov_candidates(G), None)
    if form is None or not _dissipates(G, form.P):
        return None
    signs = inertia(form.P)
    return None if signs.zero else signs.negative == 0


def _dissipates(G: Matrix, P: Matrix) -> bool:
    """Return whether -(G^T P + P G) is positive definite.

    It is rounded to short fractions first: the rounding moves no entry by more than e, so no eigenvalue by more than
    n e, and a rounded matrix that stays positive definite less n e proves the exact one to be.
    """
    product = P @ G
    Q, error = _rounded(-(product + product.T), _BITS)
    n = Q.shape[0]
    return is_positive_definite(Q - Matrix.identity(n) * (n * error))


def _rounded(matrix: Matrix, bits: int) -> tuple[Matrix, Fraction]:
    """Return the matrix with entries on a grid, `bits` below the largest one, and the grid's width."""
    rational = matrix.rational
    assert rational is not None
    largest = max((abs(v) for row in rational.tolist() for v in row), default=flint.fmpq(0))
    magnitude = int(largest.p).bit_length() - int(largest.q).bit_length() if largest else 0
    scale = Fraction(2) ** (bits - magnitude)
    grid = flint.fmpq(scale.numerator, scale.denominator)
    entries = [[flint.fmpq((v * grid).floor()) for v in row] for row in rational.tolist()]
    n, m = matrix.shape
    table = flint.fmpq_mat(n, m, [v for row in entries for v in row])
    return Matrix.of_flint(table * (1 / grid)), 1 / scale
