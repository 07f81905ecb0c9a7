"""The MSPBE as a quadratic form in the coordinates of what moves, in balls around what is exact."""

from __future__ import annotations

import math

import flint
import numpy as np

from tdrc_theory.errors import Unseparated
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import precision
from tdrc_theory.learner.sample_update import Vector
from tdrc_theory.problem.key_matrices import key_matrices
from verify.predict.operator import check_range
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.ring import exact_balls

_BITS = (128, 256, 512, 1024, 2048, 4096)
"""Tried in turn, until W is narrow."""
_ENOUGH = 2.0**-60
"""Radius of an entry, as a share of the largest one, below what rounding it to a double adds."""


class ErrorForm:
    """W (n + 1, n + 1), symmetric, with MSPBE(w) = (b - A w)^T C^+ (b - A w) = z^T W z, z = (y, 1).

    With F a basis of range(C), C^+ = F (F^T C F)^-1 F^T: W = S^T (F^T C F)^-1 S with S = F^T (-A B, b - A origin).
    """

    def __init__(self, reduced: ReducedRecursion) -> None:
        self._reduced = reduced
        A, b, C = key_matrices(reduced.recursion.table)
        k, m = reduced.recursion.problem.k, reduced.recursion.dimension
        w = range(m - k, m)
        F = Matrix.identity(k) if C.rank() == k else C.column_basis()
        origin = Matrix.column(reduced.origin).select(w, [0])
        self.size = reduced.n + 1
        self._seen = F.T @ Matrix.block([[-(A @ reduced.basis.select(w, range(reduced.n))), b - A @ origin]])
        self._inner = F.T @ C @ F

    def residual_rows(self) -> list[Vector]:
        """Return what the error depends on: linear forms in y, without their constants."""
        return [row[: self.size - 1] for row in self._seen.rows]

    def balls(self) -> flint.arb_mat:
        """Return W at the working precision.

        Raises:
            ZeroDivisionError: that is not enough to invert F^T C F.
        """
        if not self._inner.shape[0]:
            return flint.arb_mat(self.size, self.size)
        seen = exact_balls(self._seen.rows)
        return seen.transpose() * exact_balls(self._inner.rows).solve(seen)

    def floats(self) -> np.ndarray:
        """Return W, every entry rounded once.

        Raises:
            Unseparated: no reasonable precision is enough.
            BadNumber: an error of one unit is outside the range of floats.
        """
        for bits in _BITS:
            with precision(bits):
                try:
                    entries = self.balls().entries()
                except ZeroDivisionError:
                    continue
                largest = max(float(abs(x).upper()) for x in entries)
                if all(float(x.rad()) <= _ENOUGH * largest for x in entries):
                    diagonal = [x for x in entries[:: self.size + 1] if x.mid() != 0]  # it bounds the other entries
                    sizes = [float(abs(x.mid())) or math.ulp(0.0) for x in diagonal]
                    check_range(self._reduced, np.array(sizes))
                    return np.array([float(x.mid()) for x in entries]).reshape(self.size, self.size)
        raise Unseparated("the MSPBE: C is too close to a singular matrix of lower rank to be inverted")
