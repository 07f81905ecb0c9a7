"""An operator on moments, exact, on the smallest invariant space that holds an inner point of the cone.

T* preserves the cone of positive semidefinite blocks, and Z_0 is inside it. So every block is below a multiple of Z_0,
and the norm of T*^k is that of T*^k(Z_0), up to a constant factor: the spectral radius of T* is that of its restriction
to any invariant space with Z_0 in it, where the cone has an interior too. The smallest space that no T_i* leaves serves
every alpha. It is small where the problem has symmetries: 32 dimensions instead of 840 for TDRC on Baird's problem.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from verify.predict.limits.pencil import Blocks, Parts, Pencil, rows_of
from verify.predict.ring import RATIONALS, modulo

_PRIME = 2**31 - 1
"""Words that are independent modulo it are independent; that they span an invariant space is checked exactly."""

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
        still, once, twice = self.X
        return identity(self.dimension) - still - once * alpha - twice * (alpha * alpha)

    def blocks(self, coordinates: flint.fmpq_mat) -> Blocks:
        """Return the blocks with these coordinates (d, 1)."""
        return _unpacked((coordinates.transpose() * self.basis).entries(), self.modes, self.n)


def restricted(pencil: Pencil, largest: int) -> Restricted | None:
    """Return a rational operator on the smallest invariant space, None where that has more dimensions than `largest`.

    None too where the prime that guides the search has misled it.
    """
    result = _words(pencil, largest)
    if result is None:
        return None
    words, pivots = result
    exact, start = pencil.parts(RATIONALS), _start(pencil, RATIONALS)
    basis = _basis(pencil, exact, start, words, pivots)
    images: list[list[flint.fmpq]] = [[], [], []]
    for i in range(len(pivots)):
        row = [basis[i, j] for j in range(basis.ncols())]
        for image, blocks in zip(images, exact(_unpacked(row, pencil.modes, pencil.n)), strict=True):
            image.extend(_packed(blocks))
    X = []
    for image in images:
        whole = flint.fmpq_mat(len(pivots), basis.ncols(), image)
        coordinates = _columns(whole, pivots)
        if coordinates * basis != whole:
            return None
        X.append(coordinates.transpose())
    inside = flint.fmpq_mat([[_packed(start)[j]] for j in pivots])
    if inside.transpose() * basis != flint.fmpq_mat([_packed(start)]):
        return None
    return Restricted(pencil.modes, pencil.n, basis, (X[0], X[1], X[2]), inside)


def _words(pencil: Pencil, largest: int) -> tuple[list[Word], list[int]] | None:
    """Return words in T_0*, T_1*, T_2* that take Z_0 to a basis, the first standing for Z_0 itself, and its pivots.

    They are found modulo a prime, by width first; None where there are too many, or a denominator has that factor.
    """
    ring = modulo(_PRIME)
    try:
        parts, start = pencil.parts(ring), _start(pencil, ring)
    except (ZeroDivisionError, ValueError):
        return None
    words: list[Word] = [(-1, -1)]
    blocks = [start]
    echelon = _Echelon(rows_of(pencil), largest + 2)
    echelon.add(_integers(start))
    at = 0
    while at < len(blocks) and len(echelon.pivots) < rows_of(pencil):
        for j, image in enumerate(parts(blocks[at])):
            if echelon.add(_integers(image)):
                words.append((at, j))
                blocks.append(image)
                if len(words) > largest:
                    return None
        at += 1
    return (words, echelon.pivots) if len(words) <= largest else None


class _Echelon:
    """Rows modulo the prime in reduced echelon form, to which others are added."""

    def __init__(self, size: int, most: int) -> None:
        self.rows = np.zeros((min(size, most), size), dtype=np.int64)
        self.pivots: list[int] = []

    def add(self, row: np.ndarray) -> bool:
        """Return whether a row is independent of those before, and keep it where it is."""
        count = len(self.pivots)
        for factor, other in zip(row[self.pivots], self.rows[:count], strict=True):
            if factor:
                row = (row - factor * other) % _PRIME
        places = np.flatnonzero(row)
        if not len(places):
            return False
        pivot = int(places[0])
        row = row * pow(int(row[pivot]), -1, _PRIME) % _PRIME
        kept = self.rows[:count]
        kept -= kept[:, pivot : pivot + 1] * row % _PRIME
        kept %= _PRIME
        self.rows[count] = row
        self.pivots.append(pivot)
        return True


def _basis(
    pencil: Pencil, parts: Callable[[Blocks], Parts], start: Blocks, words: list[Word], pivots: list[int]
) -> flint.fmpq_mat:
    """Return the basis of the words' span that is the identity at the pivots."""
    if len(words) == rows_of(pencil):
        order = {pivot: i for i, pivot in enumerate(pivots)}
        return flint.fmpq_mat([[int(order[j] == i) for j in range(len(pivots))] for i in range(len(pivots))])
    result, images = [start], {}
    for i, j in words[1:]:
        if i not in images:
            images[i] = parts(result[i])
        result.append(images[i][j])
    spanning = flint.fmpq_mat([_packed(blocks) for blocks in result])
    return _columns(spanning, pivots).solve(spanning)


def identity(size: int) -> flint.fmpq_mat:
    """Return the identity."""
    return flint.fmpq_mat([[int(i == j) for j in range(size)] for i in range(size)])


def _columns(matrix: flint.fmpq_mat, places: list[int]) -> flint.fmpq_mat:
    return flint.fmpq_mat([[matrix[i, j] for j in places] for i in range(matrix.nrows())])


def _start(pencil: Pencil, ring: Any) -> Blocks:
    return [ring.matrix(pencil.inside.rows)] * pencil.modes


def _packed(blocks: Blocks) -> list[Any]:
    return [x for block in blocks for i, row in enumerate(block.tolist()) for x in row[i:]]


def _integers(blocks: Blocks) -> np.ndarray:
    return np.array([int(x) for x in _packed(blocks)], dtype=np.int64)


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
