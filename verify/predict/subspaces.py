"""What a curve takes: the subspace that its start reaches, and of that the part which its error observes; exact.

The error is the MSPBE, a quadratic form in the coordinates of what moves. A direction that is never moved into, or
never shows, may grow without bound all the same, and then powers of the second-moment operator, and even the rounding
errors of single steps, grow with it. So it is left out before anything is computed in floats. Both spaces are those of
every step size at once: they do not depend on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import flint
import numpy as np

from tdrc_theory.errors import Unseparated
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import precision
from tdrc_theory.learner.sample_update import ONE, Vector
from tdrc_theory.problem.key_matrices import key_matrices
from verify.predict.operator import check_range
from verify.predict.recursion import Pair
from verify.predict.reduced_recursion import ReducedRecursion, dot, echelon, in_coordinates, outer
from verify.predict.ring import exact_balls

_BITS = (128, 256, 512, 1024, 2048, 4096)
"""Tried in turn, until W is narrow."""
_ENOUGH = 2.0**-60
"""Radius of an entry, as a share of the largest one, below what rounding it to a double adds."""
LARGEST_REDUCED = 128
"""Coordinates up to which directions are left out: beyond, finding them takes minutes."""


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
        self.seen = F.T @ Matrix.block([[-(A @ reduced.basis.select(w, range(reduced.n))), b - A @ origin]])
        self._inner = F.T @ C @ F

    def balls(self) -> flint.arb_mat:
        """Return W at the working precision.

        Raises:
            ZeroDivisionError: that is not enough to invert F^T C F.
        """
        if not self._inner.shape[0]:
            return flint.arb_mat(self.size, self.size)
        seen = exact_balls(self.seen.rows)
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


def at_rest(reduced: ReducedRecursion) -> bool:
    """Return whether no update of the recursion moves anything from the start; exact.

    False where weights are copied periodically, which is not looked at.
    """
    if reduced.recursion.copy is not None:
        return False
    moves = _images(reduced.common, reduced.distinct[0], (*reduced.first, ONE))
    return not any(any(move) for move in moves)


def reachable(reduced: ReducedRecursion) -> ReducedRecursion:
    """Return a recursion in the smallest space, through its start, that no update leaves."""
    if reduced.n > LARGEST_REDUCED or reduced.recursion.copy is not None:
        return reduced
    start = (*reduced.first, ONE)
    updates, _ = reduced.distinct
    moves = _images(reduced.common, updates, start)
    linear = [tuple((u, v[: reduced.n]) for u, v in pairs) for pairs in updates]
    S, pivots = _closed(reduced.n, moves, [row[: reduced.n] for row in reduced.common], linear)
    if len(pivots) == reduced.n:
        return reduced
    basis = reduced.basis @ S if pivots else Matrix.zeros(reduced.basis.shape[0], 0)
    return in_coordinates(reduced.recursion, basis, tuple(reduced.pivots[i] for i in pivots))


def observable(reduced: ReducedRecursion) -> ReducedRecursion:
    """Return a recursion with the same MSPBE after any number of updates, without what no MSPBE ever depends on.

    With the rows of F spanning what it depends on, s = F y is a recursion of its own: F G = F G E F, where E puts the
    coordinates of s at the pivots of F. Its `basis` is a part of that of `reduced`: its weights have that error.
    """
    if reduced.n > LARGEST_REDUCED or reduced.recursion.copy is not None:
        return reduced
    n, (updates, number) = reduced.n, reduced.distinct
    turned = [tuple((v[:n], u) for u, v in pairs) for pairs in updates]
    common = [tuple(row[i] for row in reduced.common) for i in range(n)]
    columns, pivots = _closed(n, [row[:n] for row in ErrorForm(reduced).seen.rows], common, turned)
    if len(pivots) == n:
        return reduced
    rows = columns.T.rows if pivots else ()

    def part(vector: Vector) -> Vector:
        return tuple(dot(row, vector) for row in rows)

    kept = (*pivots, n)
    parts = ([(part(u), tuple(v[i] for i in kept)) for u, v in pairs] for pairs in updates)
    update = [tuple((u, v) for u, v in each if any(u) and any(v)) for each in parts]
    across = [part(tuple(row[i] for row in reduced.common)) for i in kept]
    return replace(
        reduced,
        basis=reduced.basis.select(range(reduced.basis.shape[0]), pivots),
        pivots=tuple(reduced.pivots[i] for i in pivots),
        first=part(reduced.first),
        common=tuple(zip(*across, strict=True)),
        updates=tuple(update[i] for i in number),
    )


def _closed(
    n: int, seeds: Iterable[Vector], common: Sequence[Vector], updates: Sequence[tuple[Pair, ...]]
) -> tuple[Matrix, tuple[int, ...]]:
    """Return the smallest space that holds the seeds and every update's image of it: a basis as columns, its pivots."""
    basis, pivots = echelon(n, seeds)
    shared = Matrix(common)
    maps = [shared + outer(pairs) if pairs else shared for pairs in updates] if pivots else []
    grown, unit = True, Matrix.identity(n)
    while grown and len(pivots) < n:
        grown = False
        at_pivots = unit.select(pivots, range(n))
        for led in maps:
            image = led @ basis
            beyond = image - basis @ (at_pivots @ image)  # 0 at the pivots
            if not beyond.is_zero():
                grown = True
                echelon_form, pivots = Matrix.block([[basis, beyond]]).T.rref()
                basis, at_pivots = echelon_form.select(range(len(pivots)), range(n)).T, unit.select(pivots, range(n))
    return basis, pivots


def _images(common: Sequence[Vector], updates: Iterable[tuple[Pair, ...]], vector: Vector) -> Iterator[Vector]:
    """Yield (common + sum of u v^T) vector, for each update."""
    shared = [dot(row, vector) for row in common]
    for pairs in updates:
        image = shared
        for u, v in pairs:
            factor = dot(v, vector)
            if factor:
                image = [a + factor * b for a, b in zip(image, u, strict=True)]
        yield tuple(image)
