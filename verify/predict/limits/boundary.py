"""Where a spectral radius crosses 1, for all step sizes at once: the positive roots of det(I - T_alpha), exactly.

T* preserves the cone of positive semidefinite blocks, and Z_0 is inside it. So every block is below a multiple of Z_0,
and the norm of T*^k is that of T*^k(Z_0), up to a constant factor: the spectral radius of T* is that of its restriction
to any invariant space with Z_0 in it, where the cone has an interior too. The smallest space that no T_i* leaves serves
every alpha. It is small where the problem has symmetries: 32 dimensions instead of 840 for TDRC on Baird's problem.

The spectral radius of an operator that preserves such a cone is one of its eigenvalues. So it is 1 only where
det(I - T_alpha) = 0, a polynomial in alpha, and between neighbouring roots one step size decides for all. There Z, with
Z - T*(Z) = Z_0 positive definite, is positive definite if and only if the radius is below 1.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import flint
import numpy as np

from tdrc_theory.errors import Unseparated
from tdrc_theory.exact import Matrix, Polynomial, simplest_between
from tdrc_theory.exact.number import from_fmpq, precision, to_fmpq
from verify.exact.definiteness import inertia
from verify.exact.roots import integer_points, interpolate, real_roots
from verify.predict.limits.certificate import Blocks, Pencil, is_positive, rows_of
from verify.predict.ring import PRIME, Ring, rationals, residues

_SCALE = 2**28
"""What the entries of a unit vector are multiplied by, and rounded."""
_TOGETHER = 8
"""Blocks whose images are looked at together."""

Word = tuple[int, int]
"""(i, j): T_j* of the i-th word."""
Images = tuple[flint.fmpq_mat, list[flint.fmpq_mat]]
"""A basis, as rows (d, rows), and what T_0*, T_1* and T_2* make of it."""
LARGEST = 140
"""Dimensions of the invariant space up to which the polynomial is found, in seconds."""


@dataclass(frozen=True)
class Restricted:
    """T* = X_0 + alpha X_1 + alpha^2 X_2 on coordinates of an invariant space.

    Attributes:
        modes, n: of the blocks.
        basis: (d, rows), blocks as vectors of their upper halves.
        X: three matrices (d, d).
        inside: (d, 1), the coordinates of Z_0, which is positive definite in every mode.
    """

    modes: int
    n: int
    basis: flint.fmpq_mat
    X: tuple[flint.fmpq_mat, flint.fmpq_mat, flint.fmpq_mat]
    inside: flint.fmpq_mat

    @property
    def dimension(self) -> int:
        """Return d."""
        return self.basis.nrows()

    def one_minus(self, alpha: flint.fmpq) -> flint.fmpq_mat:
        """Return I - T* at a step size (d, d)."""
        still, once, twice = self.X
        return identity(self.dimension) - still - once * alpha - twice * (alpha * alpha)

    def blocks(self, coordinates: flint.fmpq_mat) -> Blocks:
        """Return the blocks with these coordinates (d, 1)."""
        return _unpacked((coordinates.transpose() * self.basis).entries(), self.modes, self.n)

    def has_negative(self, coordinates: flint.fmpq_mat) -> bool:
        """Return whether z^T Z z < 0, exactly, of a block Z of those with these coordinates (d, 1), and a z."""
        listed = coordinates.entries()
        largest = max(map(abs, listed))
        if self._floats is None:
            return False
        upper, size = np.triu_indices(self.n), self.n * (self.n + 1) // 2
        blocks = np.zeros((self.modes, self.n, self.n))
        weights = np.array([float(x / largest) for x in listed]) if largest else np.zeros(len(listed))
        blocks[:, upper[0], upper[1]] = (weights @ self._floats).reshape(self.modes, size)
        if not np.isfinite(blocks).all():
            return False
        values, vectors = np.linalg.eigh(blocks, UPLO="U")
        mode = int(values[:, 0].argmin())
        z = np.rint(vectors[mode, :, 0] * _SCALE).astype(np.int64)
        form = np.zeros((self.modes, size), dtype=np.int64)
        form[mode] = (np.outer(z, z) * np.where(np.eye(self.n, dtype=bool), 1, 2))[upper]
        seen = self.basis * flint.fmpq_mat(self.basis.ncols(), 1, form.ravel().tolist())
        return bool((coordinates.transpose() * seen)[0, 0] < 0)

    @cached_property
    def _floats(self) -> np.ndarray | None:
        """About the basis; None where it is past floats."""
        try:
            return np.array(list(map(float, self.basis.entries()))).reshape(self.basis.nrows(), self.basis.ncols())
        except OverflowError:
            return None


def restricted(pencil: Pencil, largest: int) -> Restricted | None:
    """Return a rational operator on the smallest invariant space, None where that has more dimensions than `largest`.

    None too where the prime that guides the search has misled it.
    """
    result = _words(pencil, largest)
    if result is None:
        return None
    words, pivots = result
    start = _start(pencil, rationals)
    whole = len(words) == rows_of(pencil)
    spanning, images = _unit_images(pencil) if whole else _word_images(pencil, start, words)
    at_pivots = _columns(spanning, pivots)
    basis = at_pivots.solve(spanning)
    X = []
    for image in images:
        coordinates = _columns(image, pivots)
        if coordinates * basis != image:
            return None
        X.append(at_pivots.solve(coordinates).transpose())
    inside = flint.fmpq_mat([[_packed(start)[j]] for j in pivots])
    if inside.transpose() * basis != flint.fmpq_mat([_packed(start)]):
        return None
    return Restricted(pencil.modes, pencil.n, basis, (X[0], X[1], X[2]), inside)


def _words(pencil: Pencil, largest: int) -> tuple[list[Word], list[int]] | None:
    """Return words in T_0*, T_1*, T_2* that take Z_0 to a basis, the first standing for Z_0 itself, and its pivots.

    They are looked for modulo a prime, by width first; None where there are too many, or a denominator has that factor.
    """
    try:
        parts, start = pencil.parts(residues), _start(pencil, residues)
    except ValueError:
        return None
    sample, rows = _sample(pencil, largest), rows_of(pencil)
    words: list[Word] = [(-1, -1)]
    blocks, kept, at = [start], [sample(start)], 0
    while at < len(blocks) and len(words) < min(rows, largest + 1):
        some = list(enumerate(blocks))[at : at + _TOGETHER]
        images = [((i, j), image) for i, each in some for j, image in enumerate(parts(each))]
        at += len(some)
        listed = [*kept, *(sample(image) for _, image in images)]
        independent = _pivots(*_residues(listed).transpose().rref())
        new = [images[place - len(kept)] for place in independent[len(kept) :]]
        kept = [listed[place] for place in independent]
        blocks += [image for _, image in new]
        words += [word for word, _ in new]
    if len(words) > largest:
        return None
    return words, _pivots(*_residues([_packed(each) for each in blocks]).rref())


def _residues(rows: list[list[Any]]) -> flint.nmod_mat:
    return flint.nmod_mat(len(rows), len(rows[0]), [x for row in rows for x in row], PRIME)


def _sample(pencil: Pencil, most: int) -> Callable[[Blocks], list[flint.nmod]]:
    """Return more than `most` random functionals of blocks modulo the prime, the same ones in every run.

    They are the entries of the sum of L Z R over the modes. Blocks of which these are independent are so.
    """
    draw, side, n = random.Random(pencil.n), math.isqrt(2 * most) + 1, pencil.n

    def drawn(rows: int, columns: int) -> flint.nmod_mat:
        return flint.nmod_mat(rows, columns, [draw.randrange(PRIME) for _ in range(rows * columns)], PRIME)

    sides = [(drawn(side, n), drawn(n, side)) for _ in range(pencil.modes)]

    def sample(blocks: Blocks) -> list[flint.nmod]:
        total = flint.nmod_mat(side, side, PRIME)
        for (left, right), block in zip(sides, blocks, strict=True):
            total += left * block * right
        return total.entries()

    return sample


def _pivots(echelon: Any, rank: int) -> list[int]:
    """Return the pivots of a matrix in reduced echelon form, ascending."""
    places: list[int] = []
    for i in range(rank):
        place = places[-1] + 1 if places else 0
        while not echelon[i, place]:
            place += 1
        places.append(place)
    return places


def _word_images(pencil: Pencil, start: Blocks, words: list[Word]) -> Images:
    parts, blocks = pencil.parts(rationals), [start]
    spanning, images = [_packed(start)], list[list[list[flint.fmpq]]]()
    for i in range(len(words)):
        moved = parts(blocks[i])
        images.append([_packed(each) for each in moved])
        for parent, j in words[len(blocks) :]:
            if parent != i:
                break
            blocks.append(moved[j])
            spanning.append(images[i][j])
    return flint.fmpq_mat(spanning), [flint.fmpq_mat(list(each)) for each in zip(*images, strict=True)]


def _unit_images(pencil: Pencil) -> Images:
    parts, unit = pencil.parts(rationals), identity(rows_of(pencil))
    images = [[_packed(each) for each in parts(_unpacked(row, pencil.modes, pencil.n))] for row in unit.tolist()]
    return unit, [flint.fmpq_mat(list(each)) for each in zip(*images, strict=True)]


def identity(size: int) -> flint.fmpq_mat:
    """Return the identity."""
    return flint.fmpq_mat([[int(i == j) for j in range(size)] for i in range(size)])


def _columns(matrix: flint.fmpq_mat, places: list[int]) -> flint.fmpq_mat:
    return flint.fmpq_mat([[matrix[i, j] for j in places] for i in range(matrix.nrows())])


def _start(pencil: Pencil, ring: Ring) -> Blocks:
    return [ring(pencil.inside.rows)] * pencil.modes


def _packed(blocks: Blocks) -> list[Any]:
    return [x for block in blocks for i, row in enumerate(block.tolist()) for x in row[i:]]


def _unpacked(vector: list[flint.fmpq], modes: int, n: int) -> Blocks:
    size = n * (n + 1) // 2
    result = []
    for mode in range(modes):
        values = iter(vector[mode * size : (mode + 1) * size])
        table = [[flint.fmpq(0)] * n for _ in range(n)]
        for i in range(n):
            for j in range(i, n):
                table[i][j] = table[j][i] = next(values)
        result.append(flint.fmpq_mat(table))
    return result


@dataclass(frozen=True)
class Boundary:
    """The roots at which stability may change, and how it is between them.

    Attributes:
        polynomial: without repeated factors; the zero polynomial where 1 is an eigenvalue at every step size.
        roots: balls around its positive roots, ascending and disjoint.
        stable: one more than roots: whether the radius is below 1 before the first, between them, after the last.
    """

    polynomial: Polynomial
    roots: tuple[flint.arb, ...]
    stable: tuple[bool, ...]


def boundary(pencil: Pencil) -> Boundary | None:
    """Return the boundary of an operator, None where it is irrational or too large."""
    space = restricted(pencil, LARGEST) if pencil.rational else None
    if space is None:
        return None
    _, polynomial = determinant(space).split_zero()
    if polynomial.degree < 0:
        return Boundary(polynomial, (), (False,))
    polynomial = polynomial.square_free()
    try:
        real = real_roots(polynomial)
    except Unseparated:
        return None
    roots = [root for root in real if not root < 0]
    if not all(root > 0 for root in roots):
        return None
    return Boundary(polynomial, tuple(roots), tuple(_stable(space, alpha) for alpha in _between(roots)))


def determinant(space: Restricted) -> Polynomial:
    """Return det(I - T_alpha) on the invariant space.

    Its degree is at most that of a product of columns, of which rank(X_2) are quadratic and the others linear.
    """
    points = integer_points(space.dimension + space.X[2].rank() + 1)
    return interpolate(points, [from_fmpq(space.one_minus(flint.fmpq(t)).det()) for t in points])


@precision()
def _between(roots: list[flint.arb]) -> list[Fraction]:
    """Return a short fraction above 0 and below the first root, between neighbours, and above the last."""
    ends = [(from_fmpq(root.lower().fmpq()), from_fmpq(root.upper().fmpq())) for root in roots]
    if not ends:
        return [Fraction(1)]
    first, last = ends[0][0], ends[-1][1]
    inner = [simplest_between((3 * low + high) / 4, (low + 3 * high) / 4) for (_, low), (high, _) in pairwise(ends)]
    return [simplest_between(first / 4, first / 2), *inner, simplest_between(last * 2, last * 4)]


def _stable(space: Restricted, alpha: Fraction) -> bool:
    """Return whether the radius is below 1 at a step size that is no root."""
    coordinates = space.one_minus(to_fmpq(alpha)).solve(space.inside)
    if space.has_negative(coordinates):
        return False
    blocks = space.blocks(coordinates)
    if all(is_positive(block) for block in blocks):
        return True
    return all(inertia(Matrix.of_flint(block)).positive == space.n for block in blocks)
