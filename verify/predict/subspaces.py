"""What a curve takes: the subspace that its start reaches, and of that the part which its error observes; exact.

A direction that is never moved into, or never shows, may grow without bound all the same, and then powers of the
second-moment operator, and even the rounding errors of single steps, grow with it. So it is left out before anything is
computed in floats. Both spaces are those of every step size at once: they do not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tdrc_theory.exact import Matrix
from tdrc_theory.learner.sample_update import ONE, Vector
from verify.predict.error_measure import ErrorForm
from verify.predict.recursion import Pair
from verify.predict.reduced_recursion import ReducedRecursion, dot, echelon, in_coordinates, outer

LARGEST_REDUCED = 128
"""Coordinates up to which directions are left out: beyond, finding them takes minutes."""


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
    columns, pivots = _closed(n, ErrorForm(reduced).residual_rows(), common, turned)
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
    grown = True
    while grown and len(pivots) < n:
        grown = False
        for led in maps:
            image = led @ basis
            beyond = image - basis @ image.select(pivots, range(len(pivots)))  # 0 at the pivots
            if not beyond.is_zero():
                grown = True
                echelon_form, pivots = Matrix.block([[basis, beyond]]).T.rref()
                basis = echelon_form.select(range(len(pivots)), range(n)).T
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
