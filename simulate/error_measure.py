"""The root mean squared projected Bellman error of a problem, as a matrix and a vector of floats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tdrc_theory.key_matrices import key_matrices
from tdrc_theory.problem import Problem


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
    """Return the measure of a problem, from its exact A, b and C."""
    A, b, C = key_matrices(problem)
    return projected_error(A.to_float(), b.to_float()[:, 0], C.to_float(), C.rank())
