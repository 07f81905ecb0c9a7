"""Stability by an exact Lyapunov certificate: a candidate from floating point, rounded to short fractions, then proven.

If Q = -(G^T P + P G) is positive definite for a symmetric P, then G has no eigenvalue on the imaginary axis and as many
with positive real part as P has negative eigenvalues (Ostrowski and Schneider). Both are decided by exact inertia.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import precision, to_arb
from verify.exact.definiteness import form_value, inertia, is_positive_definite, rounded

if TYPE_CHECKING:
    import numpy as np


_SHORT_BITS = 80
"""Bits of an entry of -(G^T P + P G), counted from its largest one: the shorter, the faster its inertia."""


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
    Q, error = _rounded(-(product + product.T), _SHORT_BITS)
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


_BITS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 26, 30, 35, 40, 46, 52)
"""Tried in turn for the entries of a matrix, so that the numbers are as short as will do."""

_MOST_UNKNOWNS = 256
"""Of a system of linear equations that is solved in long numbers, in seconds."""

_MARGIN = 0.01
"""How far, of 1, a float matrix must be from not being dominated by its diagonal: far beyond rounding errors."""


@dataclass(frozen=True)
class LyapunovCandidate:
    """A candidate for P, in coordinates that a positive diagonal T balances: P = T^-1 Y T^-1; nothing of it is proven.

    x^T P x falls along x' = H x where Q = -(H^T P + P H) is positive definite. Anyone sees that by multiplying where
    D Q D, D a positive diagonal, is strictly dominated by its diagonal; and P > 0 where W P W^T is.

    Attributes:
        Y: floats, all multiples of one power of two.
        T: powers of two; it serves as D.
    """

    Y: np.ndarray
    T: np.ndarray

    @cached_property
    def P(self) -> Matrix:
        """The exact matrix, scaled to integers without a common factor."""
        T = [Fraction(float(t)) for t in self.T]
        rows = [
            [Fraction(float(y)) / (t * u) for y, u in zip(row, T, strict=True)]
            for row, t in zip(self.Y, T, strict=True)
        ]
        return _integers(rows)

    def to_json(self) -> dict[str, Any]:
        """Return P and D."""
        return {"P": self.P.texts(), "D": [str(Fraction(float(t))) for t in self.T]}

    def witness(self) -> Matrix | None:
        """Return a W in integers with W P W^T dominated by its diagonal, None where P is not positive definite."""
        V = diagonalising(self.Y)
        if V is None:
            return None
        return _integers([[Fraction(float(v * t)) for v, t in zip(row, self.T, strict=True)] for row in V])

    def negative_vector(self) -> Matrix | None:
        """Return an exact v with v^T P v < 0, in short numbers, None where rounding finds none."""
        import numpy as np

        _, vectors = np.linalg.eigh(self.Y)
        T = Matrix.diagonal([Fraction(float(t)) for t in self.T])
        candidates = (T @ v for v in rounded(vectors[:, 0]))
        return next((v for v in candidates if form_value(self.P, v) < 0), None)


def diagonalising(S: np.ndarray) -> np.ndarray | None:
    """Return a V in short numbers with V S V^T dominated by its diagonal, None where none is seen in floats."""
    import numpy as np

    try:
        inverse = np.linalg.inv(np.linalg.cholesky(S))
    except np.linalg.LinAlgError:
        return None
    return next((V for V in _roundings(inverse) if _dominated(V @ S @ V.T)), None)


def lyapunov_candidates(H: Matrix) -> Iterator[LyapunovCandidate]:
    """Yield candidates from floating point, the one with the shortest numbers first."""
    import numpy as np
    from scipy.linalg import matrix_balance, solve_continuous_lyapunov

    floats = H.to_float()
    if not np.isfinite(floats).all():
        return
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            balanced, (T, _) = matrix_balance(floats, permute=False, separate=True)
            solution = solve_continuous_lyapunov(balanced.T, -np.eye(H.shape[0]))
        except (np.linalg.LinAlgError, ValueError):
            return
        if not np.isfinite(solution).all() or not solution.any():
            return
        for Y in _roundings((solution + solution.T) / 2):
            if _dominated(-(balanced.T @ Y + Y @ balanced)):
                yield LyapunovCandidate(Y, T)


def _roundings(values: np.ndarray) -> Iterator[np.ndarray]:
    import numpy as np

    magnitude = math.frexp(float(np.abs(values).max()))[1]
    for bits in _BITS:
        yield np.ldexp(np.round(np.ldexp(values, bits - magnitude)), magnitude - bits)


def _dominated(X: np.ndarray) -> bool:
    """Return whether every diagonal entry exceeds its row's others, all of them together, with a margin."""
    import numpy as np

    diagonal = np.diag(X)
    others = np.abs(X).sum(axis=1) - np.abs(diagonal)
    return bool((diagonal > others + _MARGIN).all())


def _integers(rows: list[list[Fraction]]) -> Matrix:
    """Return a positive multiple of a matrix, in integers without a common factor."""
    values = [value for row in rows for value in row]
    scale = Fraction(math.lcm(*(v.denominator for v in values)), math.gcd(*(v.numerator for v in values)) or 1)
    return Matrix(rows) * scale


def precise_candidates(H: Matrix) -> Iterator[tuple[Matrix, Matrix]]:
    """Yield P and W for a stable H whose eigenvalues lie too near the axis, or too far apart, for floating point.

    With K = (H - I)^-1 and S = K (H + I), H^T P + P H = -I says P = S^T P S + 2 K^T K. So P is the sum of all
    (S^T)^j 2 K^T K S^j, taken by squaring S, in ever longer numbers until one length suffices.
    """
    size = H.shape[0].bit_length()
    for bits in (128, 512, 2048, 8192):
        with precision(bits):
            try:
                P = _on_grid(_lyapunov(_balls(H), _identity(H.shape[0]), bits), 2 * size + 4 + _log2(H))
                W = _inverse_cholesky(P)
                yield P, _on_grid(W, 2 * size + 8 + _log2(P) + max(0, _log2(_on_grid(W, bits))))
            except (ZeroDivisionError, ValueError):
                continue


def precise_indefinite_candidates(H: Matrix) -> Iterator[Matrix]:
    """Yield P for an H that is not stable, and too near the axis for floating point: H^T P + P H near -I.

    E projects on the space of the eigenvalues with positive real part, along that of the others, and S = 2 E - I
    commutes with H. So -H S is stable, and what P is on each space follows as it does for a stable matrix. Where the
    columns of V span the range of E, and E = V L, the rest is Y L + (Y L)^T. Y has a column for each unstable
    eigenvalue, and solves H^T Y + Y L H V = (E - I)^T V. There is none where that has more than 256 unknowns.
    """
    n = H.shape[0]
    one = _identity(n)
    for bits in (128, 512, 2048):
        with precision(bits):
            try:
                balls = _balls(H)
                S = _sign(balls, bits)
                E = (one + S).mid() / 2
                V, L = _factors(E)
                if n * V.ncols() > _MOST_UNKNOWNS:
                    return
                Y = _between(balls, (L * balls * V).mid(), ((E - one).transpose() * V).mid())
                weight = E.transpose() * E + (one - E).transpose() * (one - E)
                P = Y * L + (Y * L).transpose() - _lyapunov((-balls * S).mid(), weight.mid(), bits) * S
                yield _on_grid((P + P.transpose()).mid() / 2, 2 * n.bit_length() + 4 + _log2(H))
            except (ZeroDivisionError, ValueError):
                continue


def _sign(H: flint.arb_mat, bits: int) -> flint.arb_mat:
    """Return the matrix with H's eigenvectors, and the sign of each eigenvalue's real part in its place, by Newton."""
    S = H
    for _ in range(2 * bits):
        step = ((S.inv() - S) / 2).mid()
        S = (S + step).mid()
        if all(abs(entry) < flint.arb(2) ** -(bits // 2) for entry in step.entries()):
            return ((S.inv() + S) / 2).mid()
    raise ValueError("the iteration does not end")


def _factors(E: flint.arb_mat) -> tuple[flint.arb_mat, flint.arb_mat]:
    """Return V and L with E = V L, as few columns of a projection E as span its range, and coordinates in them."""
    import numpy as np
    from scipy.linalg import qr

    floats = np.array([[float(entry) for entry in row] for row in E.tolist()])
    rank = round(float(np.trace(floats)))
    columns = qr(floats, pivoting=True, mode="r")[1][:rank]
    rows = qr(floats[:, columns].T, pivoting=True, mode="r")[1][:rank]
    table = E.tolist()
    V = flint.arb_mat([[row[j] for j in columns] for row in table])
    R = flint.arb_mat([table[i] for i in rows])
    return V, flint.arb_mat([[table[i][j] for j in columns] for i in rows]).solve(R).mid()


def _between(H: flint.arb_mat, B: flint.arb_mat, right: flint.arb_mat) -> flint.arb_mat:
    """Return Y with H^T Y + Y B near the right side."""
    n, m = right.nrows(), right.ncols()
    equations = [[flint.arb(0)] * (n * m) for _ in range(n * m)]
    for i in range(n):
        for j in range(m):
            for k in range(n):
                equations[i * m + j][k * m + j] += H[k, i]
            for k in range(m):
                equations[i * m + j][i * m + k] += B[k, j]
    entries = flint.arb_mat(equations).solve(flint.arb_mat([[entry] for entry in right.entries()])).mid().entries()
    return flint.arb_mat(n, m, entries)


def _lyapunov(H: flint.arb_mat, weight: flint.arb_mat, bits: int) -> flint.arb_mat:
    """Return P with H^T P + P H near -weight, H stable; ValueError where the sum does not end at this precision."""
    one = _identity(H.nrows())
    K = (H - one).inv().mid()
    S, P = (K * (H + one)).mid(), (K.transpose() * weight * K * 2).mid()
    for _ in range(2 * bits):
        more = (S.transpose() * P * S).mid()
        P, S = (P + more).mid(), (S * S).mid()
        if all(abs(entry) < flint.arb(2) ** -bits for entry in S.entries()):
            return P
    raise ValueError("the sum does not end")


def _inverse_cholesky(matrix: Matrix) -> flint.arb_mat:
    """Return W with W M W^T near I; ValueError where a pivot of M is not positive at this precision."""
    n = matrix.shape[0]
    M = _balls(matrix).tolist()
    W = [[flint.arb(int(i == j)) for j in range(n)] for i in range(n)]
    for i in range(n):
        if not M[i][i] > 0:
            raise ValueError("a pivot is not positive")
        scale = 1 / M[i][i].sqrt()
        M[i], W[i] = ([(value * scale).mid() for value in row] for row in (M[i], W[i]))
        for j in range(i + 1, n):
            factor = M[j][i] * scale
            M[j] = [(x - factor * y).mid() for x, y in zip(M[j], M[i], strict=True)]
            W[j] = [(x - factor * y).mid() for x, y in zip(W[j], W[i], strict=True)]
    return flint.arb_mat(W)


def _identity(n: int) -> flint.arb_mat:
    return flint.arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])


def _balls(matrix: Matrix) -> flint.arb_mat:
    return flint.arb_mat([[to_arb(value) for value in row] for row in matrix.rows]).mid()


def _log2(matrix: Matrix) -> int:
    """Return about the logarithm of the largest entry."""
    largest = max(abs(entry) for entry in _balls(matrix).entries()).mid().fmpq()
    return int(largest.p).bit_length() - int(largest.q).bit_length()


def _on_grid(balls: flint.arb_mat, bits: int) -> Matrix:
    """Return the middles rounded to multiples of 2^-bits."""
    n, scale = balls.nrows(), flint.fmpq(2) ** bits
    values = [flint.fmpq((entry.mid().fmpq() * scale).floor()) / scale for entry in balls.entries()]
    return Matrix.of_flint(flint.fmpq_mat(n, n, values))
