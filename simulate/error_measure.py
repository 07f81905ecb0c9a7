"""The root mean squared projected Bellman error of a problem, as a matrix and a vector of floats."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.key_matrices import key_matrices
from tdrc_theory.problem import Problem

USUAL, _SQUARED = 300, 500
"""Powers of two: features up to that size need no other unit; errors up to that have squares in the range of floats."""


@dataclass(frozen=True, eq=False)
class ErrorMeasure:
    """RMSPBE(w) = |offset - residual w|, with MSPBE(w) = (b - A w)^T C^+ (b - A w) its square.

    Any pair with the right norms will do; it is turned so that `residual` is upper triangular, which halves the work.

    Attributes:
        residual: (r, k), upper triangular.
        offset: (r,).
    """

    residual: np.ndarray
    offset: np.ndarray

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
    """Return the measure of key matrices in floats.

    Args:
        A, b, C: (k, k), (k,) and (k, k) symmetric.
        rank: of C, where it is known exactly; default k. The pseudo-inverse keeps that many directions.
    """
    values, vectors = np.linalg.eigh(np.asarray(C, dtype=np.float64))
    kept = slice(len(values) - (len(values) if rank is None else rank), None)
    root = (vectors[:, kept] / np.sqrt(values[kept])).T  # root^T root = C^+
    return ErrorMeasure(root @ A, root @ b)


def error_measure(problem: Problem) -> ErrorMeasure:
    """Return the measure of a problem, from its exact A, b and C.

    The MSPBE does not depend on the units in which features are measured, and their squares stay in the range of floats
    in units of about their own size. Powers of two change no digit, and features of a usual size are left as they are.

    Raises:
        BadNumber: the measure is outside the range of floats, whatever the units.
    """
    A, b, C = key_matrices(problem)
    exponents = [_exponent(row[i]) for i, row in enumerate(C.rows)]
    D = Matrix.diagonal([Fraction(2) ** -e for e in exponents])  # x in these units is D x, and its w is D^-1 w
    scaled = (D @ A @ D, D @ b, D @ C @ D) if any(exponents) else (A, b, C)
    with np.errstate(all="ignore"):  # what is not finite is refused below
        found = projected_error(scaled[0].to_float(), scaled[1].to_float()[:, 0], scaled[2].to_float(), C.rank())
        if any(exponents):
            found = ErrorMeasure(np.ldexp(found.residual, [exponents]), found.offset)
    _check_range(problem.name, found)
    return found


def _exponent(square: Number) -> int:
    """Return e, with a mean square of about 4^e; 0 where it is of a usual size, or irrational."""
    if not isinstance(square, Fraction) or square == 0:
        return 0
    e = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return e if abs(e) > USUAL else 0


def _check_range(name: str, found: ErrorMeasure) -> None:
    size = float(np.abs(found.offset).max(initial=0))
    if not (np.isfinite(found.residual).all() and np.isfinite(size)):
        raise BadNumber(f"{name}: its RMSPBE is outside the range of floats")
    if abs(math.frexp(size)[1]) > _SQUARED:
        raise BadNumber(
            f"{name}: with weights 0 the RMSPBE is about {size:.1g}: its square is outside the range of floats"
        )
