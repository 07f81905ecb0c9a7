"""The error of weights on a problem, as a matrix and a vector of floats: the projected Bellman error, or of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problem.steps import target_values

_USUAL, _ALIKE = 300, 8
"""Powers of two: of features up to that size, and as many times smaller than others, squares keep their digits in C."""
_SEEN = 2.0**-30
"""An eigenvalue of C that is this small a part of the largest has lost digits in floats."""
_SQUARED = 500
"""A power of two: an error up to that has a square in the range of floats."""


@dataclass(frozen=True, eq=False)
class ErrorMeasure:
    """RMSPBE(w) = |offset - residual w|, with MSPBE(w) = (b - A w)^T C^+ (b - A w) its square.

    Any pair with the right norms will do; it is turned so that `residual` is upper triangular, which halves the work.

    Attributes:
        residual: (r, k), upper triangular.
        offset: (r,).
        rescaled: whether features were not measured in the units that they have.
    """

    residual: np.ndarray
    offset: np.ndarray
    rescaled: bool = False

    def __post_init__(self) -> None:
        """Turn, and freeze."""
        turn, triangle = np.linalg.qr(np.asarray(self.residual, dtype=np.float64), mode="complete")
        turned = turn.T @ np.asarray(self.offset, dtype=np.float64)
        rows = min(triangle.shape)
        residual, offset = triangle[:rows], turned[:rows]
        if len(turned) > rows:  # what no weights can change takes one row of zeros
            residual = np.vstack([residual, np.zeros(triangle.shape[1])])
            offset = np.append(offset, np.linalg.norm(turned[rows:]))
        for name, value in (("residual", np.triu(residual)), ("offset", offset)):
            frozen = np.ascontiguousarray(value)
            frozen.setflags(write=False)
            object.__setattr__(self, name, frozen)

    def __call__(self, weights: np.ndarray) -> np.ndarray:
        """Return the RMSPBE of w (k,), or of each column of (k, L)."""
        return np.linalg.norm((self.offset - (self.residual @ weights).T).T, axis=0)


def projected_error(A: np.ndarray, b: np.ndarray, C: np.ndarray, rank: int | None = None) -> ErrorMeasure:
    """Return the measure of key matrices in floats, (k, k), (k,) and (k, k) symmetric.

    The pseudo-inverse of C keeps as many directions as its rank says; by default k.
    """
    values, vectors = np.linalg.eigh(np.asarray(C, dtype=np.float64))
    kept = slice(len(values) - (len(values) if rank is None else rank), None)
    root = (vectors[:, kept] / np.sqrt(values[kept])).T  # root^T root = C^+
    return ErrorMeasure(root @ A, root @ b)


def error_measure(problem: Problem) -> ErrorMeasure:
    """Return the measure of a problem, from its exact A, b and C.

    The MSPBE does not depend on the units in which features are measured, and their squares stay in the range of floats
    in units of about their own size. Powers of two change no digit, and features of a usual size, at most 2^8 times as
    large as each other, are left as they are. Where C is close to a matrix of lower rank even so, factors are exact.

    Raises:
        BadNumber: the measure is outside the range of floats, whatever the units.
    """
    A, b, C = key_matrices(problem)
    exponents = _exponents([row[i] for i, row in enumerate(C.rows)])
    D = Matrix.diagonal([Fraction(2) ** -e for e in exponents])  # x in these units is D x, and its w is D^-1 w
    scaled = (D @ A @ D, D @ b, D @ C @ D) if any(exponents) else (A, b, C)
    floats, rank = [matrix.to_float() for matrix in scaled], C.rank()
    with np.errstate(all="ignore"):  # what is not finite is refused below
        seen = np.linalg.eigvalsh(floats[2])[len(C.rows) - rank :]
        is_close_to_lower_rank = len(seen) > 0 and not seen[0] > _SEEN * seen[-1]
        if is_close_to_lower_rank and all(m.rational is not None for m in scaled):
            measure = _eliminated(*scaled)
        else:
            measure = projected_error(floats[0], floats[1][:, 0], floats[2], rank)
        if any(exponents):
            measure = ErrorMeasure(np.ldexp(measure.residual, [exponents]), measure.offset, rescaled=True)
    _check_range(problem.name, measure)
    return measure


def value_error_measure(problem: Problem) -> ErrorMeasure:
    """Return the root mean squared error of values: sqrt(sum d(s) (v(s) - w^T x(s))^2), v of the target policy.

    Raises:
        BadNumber: the problem has no values, or they are outside the range of floats.
    """
    values = target_values(problem)
    if values is None:
        raise BadNumber(f"{problem.name}: the target policy has no values there")
    roots = np.sqrt([float(weight) for weight in problem.d])[:, None]
    measure = ErrorMeasure(roots * Matrix(problem.features).to_float(), (roots * values.to_float())[:, 0])
    _check_range(problem.name, measure)
    return measure


def _eliminated(A: Matrix, b: Matrix, C: Matrix) -> ErrorMeasure:
    """Return the measure of rational matrices, every number of it rounded once.

    With F a basis of range(C) and F^T C F = L D L^T, the MSPBE is |D^(-1/2) L^-1 F^T (b - A w)|^2; elimination turns
    (F^T C F, F^T A, F^T b) into (D L^T, L^-1 F^T A, L^-1 F^T b).
    """
    F = C.column_basis()
    rows = [list(row) for row in Matrix.block([[F.T @ C @ F, F.T @ A, F.T @ b]]).rows]
    measured = []
    for i, row in enumerate(rows):
        for below in rows[i + 1 :]:
            if below[i]:
                factor = below[i] / row[i]
                below[i:] = [value - factor * above for value, above in zip(below[i:], row[i:], strict=True)]
        e = _halved_logarithm(row[i])
        root = math.sqrt(row[i] / Fraction(4) ** e)
        measured.append([float(value / Fraction(2) ** e) / root for value in row[len(rows) :]])
    turned = np.array(measured)
    return ErrorMeasure(turned[:, :-1], turned[:, -1], rescaled=True)


def _exponents(squares: Sequence[Number]) -> list[int]:
    """Return e of each feature, with a mean square of about 4^e; all 0 where they are of a usual size, and alike."""
    sizes = [_halved_logarithm(square) if square != 0 else None for square in squares]
    known = [size for size in sizes if size is not None]
    if not known or (max(map(abs, known)) <= _USUAL and max(known) - min(known) <= _ALIKE):
        return [0] * len(squares)
    return [size or 0 for size in sizes]


def _halved_logarithm(square: Number) -> int:
    """Return about log_4 of a number above 0."""
    if isinstance(square, Fraction):
        return (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return math.frexp(float(square))[1] // 2


def _check_range(name: str, measure: ErrorMeasure) -> None:
    size = float(np.abs(measure.offset).max(initial=0))
    if not (np.isfinite(measure.residual).all() and np.isfinite(size)):
        raise BadNumber(f"{name}: its RMSPBE is outside the range of floats")
    if abs(math.frexp(size)[1]) > _SQUARED:
        raise BadNumber(
            f"{name}: with weights 0 the RMSPBE is about {size:.1g}: its square is outside the range of floats"
        )
