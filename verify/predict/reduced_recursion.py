"""Coordinates of what moves: the weights differ from their start only by vectors of one fixed subspace, exact.

Every step lies in the smallest subspace that contains the ranges of all G_t and all g_t. A basis B of it in reduced
echelon form makes coordinates easy: those of a vector are its entries at the pivots. With varrho = origin + B y the
recursion is closed in y, and directions in which nothing ever happens are gone. The origin is a fixed point of the
expected update where there is one, so that small errors are not lost in differences of large numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice

from tdrc_theory.exact import Matrix, Number
from tdrc_theory.learner.sample_update import ONE, ZERO, Vector
from verify.predict.recursion import Pair, Recursion, Sparse

LARGEST_SOLVED = 64
"""Dimension up to which the fixed point is computed, exactly; beyond, the origin is where the weights start."""


@dataclass(frozen=True)
class ReducedRecursion:
    """A recursion in the coordinates of what moves.

    Attributes:
        basis: B (m, n), exact.
        pivots: (n,), the rows of B that are those of the identity.
        origin: (m,), exact.
        first: (n,), y before any update.
        common: (n, n + 1), a linear map of (y, 1) that is part of every update.
        updates: the rest of the update of each of `recursion.steps`.
    """

    recursion: Recursion
    basis: Matrix
    pivots: tuple[int, ...]
    origin: Vector
    first: Vector
    common: tuple[Vector, ...]
    updates: tuple[tuple[Pair, ...], ...]

    @property
    def n(self) -> int:
        """Return the number of coordinates."""
        return len(self.pivots)

    def copied(self) -> tuple[Vector, ...]:
        """Return what the periodic copy makes of (y, 1): a matrix (n + 1, n + 1)."""
        columns = [self.recursion.copied(column) for column in self.basis.T.rows] if self.n else []
        there = self.recursion.copied(self.origin)
        last = [a - b for a, b in zip(there, self.origin, strict=True)]
        rows = [(*(column[i] for column in columns), last[i]) for i in self.pivots]
        return (*rows, (*(ZERO,) * self.n, ONE))

    @cached_property
    def distinct(self) -> tuple[tuple[tuple[Pair, ...], ...], tuple[int, ...]]:
        """The updates that differ, and which of them each step's is; steps share most, so that few are compared."""
        numbers: dict[tuple[Pair, ...], int] = {}
        known: dict[int, int] = {}
        for pairs in self.updates:
            if id(pairs) not in known:
                known[id(pairs)] = numbers.setdefault(pairs, len(numbers))
        return tuple(numbers), tuple(known[id(pairs)] for pairs in self.updates)


def reduced_recursion(recursion: Recursion) -> ReducedRecursion:
    """Return a recursion in the coordinates of what moves."""
    (sparse, pairs), m = recursion.shared, recursion.dimension
    distinct = {id(each): each for each in pairs}.values()  # steps share most
    ranges = {*list(zip(*_rows(m, sparse), strict=True))[:m], *(u for each in distinct for u, _ in each)}
    basis, pivots = echelon(m, ranges)
    if 0 < len(pivots) <= LARGEST_SOLVED:
        averaged = recursion.averaged
        if averaged is None or restricted(averaged.G, basis, pivots).rank() < len(pivots):
            basis, pivots = echelon(m, columns(recursion))  # some of what is spanned may never move
    if recursion.copy is not None:
        spanned = basis.T.rows if pivots else ()
        basis, pivots = echelon(m, [*spanned, *map(recursion.copied, spanned)])
    return in_coordinates(recursion, basis, pivots)


def in_coordinates(recursion: Recursion, basis: Matrix, pivots: tuple[int, ...]) -> ReducedRecursion:
    """Return a recursion in the coordinates of a basis, in reduced echelon form, of a space that no update leaves."""
    sparse, pairs = recursion.shared
    zeros = (ZERO,) * (recursion.dimension - recursion.problem.k)
    start: Vector = recursion.copied((*zeros, *recursion.problem.initial_weights))
    fixed = _fixed_point(recursion, basis, pivots, start)
    first = tuple(-v for v in fixed)
    shift = basis @ Matrix.column(fixed) if fixed else None
    origin = start if shift is None else tuple(a + shift[i, 0] for i, a in enumerate(start))
    distinct = {id(each): each for each in pairs}  # steps share most
    moved = {number: [tuple(u[i] for i in pivots) for u, _ in each] for number, each in distinct.items()}
    rows = [row for i, row in enumerate(_rows(recursion.dimension, sparse)) if i in pivots]
    acting = iter(_acting([*rows, *(v for each in distinct.values() for _, v in each)], basis, origin))
    common = tuple(islice(acting, len(rows)))
    updates = {
        number: tuple((u, v) for u, v in zip(each, acting, strict=False) if any(u) and any(v))
        for number, each in moved.items()
    }
    return ReducedRecursion(
        recursion,
        basis,
        pivots,
        origin,
        first,
        common,
        tuple(updates[id(each)] for each in pairs),
    )


def _acting(rows: Sequence[Vector], basis: Matrix, origin: Vector) -> Iterable[Vector]:
    """Return rows that act on (varrho, 1) as rows that act on (y, 1)."""
    if not rows or basis.shape[0] == basis.shape[1]:  # the identity
        return [(*v[:-1], dot(v[:-1], origin) + v[-1]) for v in rows]
    columns = [(*row, x) for row, x in zip(basis.rows, origin, strict=True)]
    return (Matrix(rows) @ Matrix([*columns, (*(ZERO,) * basis.shape[1], ONE)])).rows


def _rows(m: int, sparse: Sparse) -> list[Vector]:
    """Return the rows of a sparse part as a map of (varrho, 1)."""
    rows: list[list[Number]] = [[ZERO] * (m + 1) for _ in range(m)]
    for i, j, value in sparse:
        rows[i][j] = value
    return [tuple(row) for row in rows]


def echelon(m: int, vectors: Iterable[Vector]) -> tuple[Matrix, tuple[int, ...]]:
    """Return a basis of what vectors span in reduced echelon form, as columns, and its pivots."""
    listed = sorted((v for v in set(vectors) if any(v)), key=lambda v: sum(1 for x in v if x))
    kept: list[Vector] = []
    pivots: tuple[int, ...] = ()
    while listed and len(kept) < m:  # some at a time: most of many vectors are not needed
        rows, pivots = Matrix([*kept, *listed[: 2 * m]]).rref()
        kept, listed = list(rows.rows[: len(pivots)]), listed[2 * m :]
    return (Matrix(kept).T if kept else Matrix.zeros(m, 0)), pivots


def restricted(G: Matrix, basis: Matrix, pivots: tuple[int, ...]) -> Matrix:
    """Return a linear map in the coordinates of a basis of a space that it leads into."""
    return (G @ basis).select(pivots, range(len(pivots)))


def columns(recursion: Recursion) -> Iterable[Vector]:
    """Yield the columns of every G_t, and every g_t: together they span what moves, and no more than that."""
    for update in dict.fromkeys(step.update for step in recursion.steps):
        yield from zip(*update.rows(recursion.dimension), strict=True)


def _fixed_point(recursion: Recursion, basis: Matrix, pivots: tuple[int, ...], start: Vector) -> Vector:
    """Return y with G (start + B y) + g = 0 where it is computed and there is one, else zeros."""
    n = len(pivots)
    zeros: Vector = (ZERO,) * n
    update = recursion.averaged if 0 < n <= LARGEST_SOLVED else None
    if update is None:
        return zeros
    right = -(update.g + update.G @ Matrix.column(start)).select(pivots, [0])
    solved = restricted(update.G, basis, pivots).solve(right)
    return zeros if solved is None else tuple(row[0] for row in solved.rows)


def dot(a: Vector, b: Vector) -> Number:
    """Return the inner product."""
    total: Number = ZERO
    for p, q in zip(a, b, strict=True):
        if p and q:
            total = total + p * q
    return total


def outer(pairs: Iterable[Pair]) -> Matrix:
    """Return the sum of u v^T."""
    u, v = zip(*pairs, strict=True)
    return Matrix(u).T @ Matrix(v)


def factored(reduced: ReducedRecursion, alpha: Fraction) -> tuple[ReducedRecursion, Fraction]:
    """Return a recursion of one coordinate, each update by its exact factor, and a step size with the same moments.

    1 + alpha g loses digits in floats where alpha g is near -1, and all of them where an update makes the weight
    exactly 0; what rounding leaves there then grows as the moments of a growing memory do. So each factor is computed
    exactly, and rounded once: with step size 1 and -1 common to all updates, y - y + (1 + alpha g) y + alpha c is what
    is left of each. Where there are several coordinates, the recursion and the step size are returned as they are.
    """
    if reduced.n != 1:
        return reduced, alpha
    ((shared, shift),) = reduced.common

    def rest(pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        slope = shared + sum((u[0] * v[0] for u, v in pairs), ZERO)
        constant = shift + sum((u[0] * v[1] for u, v in pairs), ZERO)
        row = (ONE + alpha * slope, alpha * constant)
        # A power of 2 about the root of the largest number, so that both factors of a large one are in range.
        largest = max((abs(x) for x in row if isinstance(x, Fraction)), default=ONE) or ONE
        unit = Fraction(2) ** ((largest.numerator.bit_length() - largest.denominator.bit_length()) // 2)
        return (((unit,), tuple(x / unit for x in row)),) if any(row) else ()

    updates, number = reduced.distinct
    update = [rest(pairs) for pairs in updates]
    return replace(reduced, common=((-ONE, ZERO),), updates=tuple(update[i] for i in number)), ONE
