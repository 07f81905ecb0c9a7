"""An operator on moments, exact, on the smallest invariant space that holds an inner point of the cone.

T* preserves the cone of positive semidefinite blocks, and Z_0 is inside it. So every block is below a multiple of Z_0,
and the norm of T*^k is that of T*^k(Z_0), up to a constant factor: the spectral radius of T* is that of its restriction
to any invariant space with Z_0 in it, where the cone has an interior too. The smallest space that no T_i* leaves serves
every alpha. It is small where the problem has symmetries: 32 dimensions instead of 840 for TDRC on Baird's problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint
import numpy as np

from verify.predict.limits.pencil import Blocks, Pencil, rows_of
from verify.predict.residues import PRIME, product
from verify.predict.ring import RATIONALS, RESIDUES

_SCALE = 2**28
"""What the entries of a unit vector are multiplied by, and rounded."""

Word = tuple[int, int]
"""(i, j): T_j* of the i-th word."""


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
        _, once, twice = self.X
        return self._rest - once * alpha - twice * (alpha * alpha)

    @cached_property
    def _rest(self) -> flint.fmpq_mat:
        return identity(self.dimension) - self.X[0]

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
    whole = len(words) == rows_of(pencil)
    start = _start(pencil, RATIONALS)
    spanning, images = _unit_images(pencil) if whole else _word_images(pencil, start, words)
    at_pivots = _columns(spanning, pivots)
    basis = spanning if whole else at_pivots.solve(spanning)
    X = []
    for image in images:
        coordinates = _columns(image, pivots)
        if not whole and coordinates * basis != image:
            return None
        X.append((coordinates if whole else at_pivots.solve(coordinates)).transpose())
    inside = flint.fmpq_mat([[_packed(start)[j]] for j in pivots])
    if inside.transpose() * basis != flint.fmpq_mat([_packed(start)]):
        return None
    return Restricted(pencil.modes, pencil.n, basis, (X[0], X[1], X[2]), inside)


def _words(pencil: Pencil, largest: int) -> tuple[list[Word], list[int]] | None:
    """Return words in T_0*, T_1*, T_2* that take Z_0 to a basis, the first standing for Z_0 itself, and its pivots.

    They are found modulo a prime, by width first; None where there are too many, or a denominator has that factor.
    """
    try:
        parts, start = pencil.parts(RESIDUES), _start(pencil, RESIDUES)
    except ValueError:
        return None
    words: list[Word] = [(-1, -1)]
    blocks, rows = [start], rows_of(pencil)
    sample = _Sample(pencil, min(rows, largest + 1))
    echelon = _Echelon()
    echelon.add(sample(start))
    at = 0
    while at < len(blocks) and len(words) < rows:
        for j, image in enumerate(parts(blocks[at])):
            if echelon.add(sample(image)):
                words.append((at, j))
                blocks.append(image)
                if len(words) > largest:
                    return None
        at += 1
    if len(words) > largest:
        return None
    if len(words) == rows:
        return words, list(range(rows))
    upper = np.triu_indices(pencil.n)
    pivots = _Echelon()
    for each in blocks:
        pivots.add(np.concatenate([block.values[upper] for block in each]))
    return words, pivots.places


class _Sample:
    """As many random functionals of blocks modulo the prime as tell words apart, the same in every run.

    Each is sum over the modes of u^T Z v, with u and v of its own. Blocks of which these are independent are so.
    """

    def __init__(self, pencil: Pencil, count: int) -> None:
        random = np.random.Generator(np.random.PCG64(pencil.n))
        self.left, self.right = random.integers(PRIME, size=(2, pencil.modes, count, pencil.n))

    def __call__(self, blocks: Blocks) -> np.ndarray:
        """Return the functionals of blocks (count,)."""
        moved = product(self.left, np.stack([block.values for block in blocks]))
        result: np.ndarray = (moved * self.right % PRIME).sum(axis=(0, 2)) % PRIME
        return result


class _Echelon:
    """Rows modulo the prime in reduced echelon form, to which others are added.

    Attributes:
        places: of the pivots.
    """

    def __init__(self) -> None:
        self.places: list[int] = []
        self._rows = np.zeros((0, 0), dtype=np.int64)

    def add(self, row: np.ndarray) -> bool:
        """Return whether a row is independent of those before, and keep it where it is."""
        if self.places:
            row = (row - product(row[None, self.places], self._rows)[0]) % PRIME
        nonzero = np.flatnonzero(row)
        if not len(nonzero):
            return False
        place = int(nonzero[0])
        row = row * pow(int(row[place]), -1, PRIME) % PRIME
        if self.places:
            others = self._rows - self._rows[:, place : place + 1] * row % PRIME
            self._rows = np.concatenate([others % PRIME, row[None]])
        else:
            self._rows = row[None]
        self.places.append(place)
        return True


Images = tuple[flint.fmpq_mat, list[flint.fmpq_mat]]
"""A basis, as rows (d, rows), and what T_0*, T_1* and T_2* make of it."""


def _word_images(pencil: Pencil, start: Blocks, words: list[Word]) -> Images:
    parts, blocks = pencil.parts(RATIONALS), [start]
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
    parts, rows = pencil.parts(RATIONALS), rows_of(pencil)
    unit = identity(rows)
    images = [[_packed(each) for each in parts(_unpacked(row, pencil.modes, pencil.n))] for row in unit.tolist()]
    return unit, [flint.fmpq_mat(list(each)) for each in zip(*images, strict=True)]


def identity(size: int) -> flint.fmpq_mat:
    """Return the identity."""
    return flint.fmpq_mat([[int(i == j) for j in range(size)] for i in range(size)])


def _columns(matrix: flint.fmpq_mat, places: list[int]) -> flint.fmpq_mat:
    return flint.fmpq_mat([[matrix[i, j] for j in places] for i in range(matrix.nrows())])


def _start(pencil: Pencil, ring: Any) -> Blocks:
    return [ring.matrix(pencil.inside.rows)] * pencil.modes


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
