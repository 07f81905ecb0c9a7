"""Matrices with exact entries: a sum of sqrt(n) M_n, each M_n of python-flint's; one that is rational is M_1 alone.

Tables of rationals that are large and mostly zeros are whole numbers over one denominator, {column: numerator} a row.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import flint

from tdrc_theory.exact.number import Number, Surd, combined, from_fmpq, number_text, root_of_product, to_fmpq
from tdrc_theory.exact.polynomial import Polynomial

if TYPE_CHECKING:
    import numpy as np

Rows = tuple[tuple[Number, ...], ...]
Factor = TypeVar("Factor")


class Matrix:
    """An immutable exact matrix.

    >>> A = Matrix([[1, 2], [2, 4]])
    >>> A.rank(), A.null_space().rows, A.charpoly().text("t")
    (1, ((Fraction(-2, 1),), (Fraction(1, 1),)), 't^2 - 5*t')
    """

    __slots__ = ("_parts", "shape")

    _parts: Mapping[int, flint.fmpq_mat]
    shape: tuple[int, int]

    def __init__(self, rows: Iterable[Sequence[Any]]) -> None:
        """Build from rows of integers, Fractions or Surds."""
        listed = [list(row) for row in rows]
        width = len(listed[0]) if listed else 0
        if any(len(row) != width for row in listed):
            raise ValueError(f"a matrix needs rows of one length; got {[len(row) for row in listed]}")
        # By identity: most entries of a large table are one object, 0 or 1.
        distinct = {id(value): value for row in listed for value in row}
        parts = {}
        for n in {1, *(n for value in distinct.values() if isinstance(value, Surd) for n in value.terms)}:
            share = {number: _share(value, n) for number, value in distinct.items()}
            parts[n] = flint.fmpq_mat(len(listed), width, [share[id(value)] for row in listed for value in row])
        self._set(parts)

    def _set(self, parts: Mapping[int, flint.fmpq_mat]) -> None:
        object.__setattr__(self, "_parts", parts)
        object.__setattr__(self, "shape", (parts[1].nrows(), parts[1].ncols()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Matrix does not change: {name}")

    @classmethod
    def _of(cls, parts: Mapping[int, flint.fmpq_mat]) -> Matrix:
        """Return the sum of sqrt(n) M_n, the rational M_1 among them; what is 0 of the others is left out."""
        result = cls.__new__(cls)
        if len(parts) > 1:
            parts = {n: part for n, part in parts.items() if n == 1 or any(part.entries())}
        result._set(parts)
        return result

    @classmethod
    def of_flint(cls, rational: flint.fmpq_mat) -> Matrix:
        """Wrap a python-flint matrix, which must not be changed afterwards."""
        return cls._of({1: rational})

    @classmethod
    def identity(cls, n: int) -> Matrix:
        """Return the n x n identity."""
        return cls.diagonal([1] * n)

    @classmethod
    def zeros(cls, rows: int, columns: int) -> Matrix:
        """Return the zero matrix."""
        return cls.of_flint(flint.fmpq_mat(rows, columns))

    @classmethod
    def diagonal(cls, values: Sequence[Any]) -> Matrix:
        """Return the diagonal matrix with these entries."""
        n = len(values)
        if any(isinstance(value, Surd) for value in values):
            return cls([[values[i] if i == j else 0 for j in range(n)] for i in range(n)])
        result = flint.fmpq_mat(n, n)
        for i, value in enumerate(values):
            result[i, i] = to_fmpq(value)
        return cls.of_flint(result)

    @classmethod
    def column(cls, values: Sequence[Any]) -> Matrix:
        """Return a column vector."""
        return cls([[value] for value in values])

    @classmethod
    def block(cls, blocks: Sequence[Sequence[Matrix]]) -> Matrix:
        """Assemble a block matrix."""
        shape = sum(band[0].shape[0] for band in blocks), sum(block.shape[1] for block in blocks[0])
        parts = {}
        for n in {n for band in blocks for block in band for n in block._parts}:
            entries: list[flint.fmpq] = []
            for band in blocks:
                for line in zip(*(block._part(n).tolist() for block in band), strict=True):
                    entries += itertools.chain.from_iterable(line)
            parts[n] = flint.fmpq_mat(*shape, entries)
        return cls._of(parts)

    def _part(self, n: int) -> flint.fmpq_mat:
        """Return M_n."""
        return self._parts[n] if n in self._parts else flint.fmpq_mat(*self.shape)

    def _each(self, change: Callable[[flint.fmpq_mat], flint.fmpq_mat]) -> Matrix:
        """Return it with every part changed in a way that keeps what is 0."""
        return Matrix._of({n: change(part) for n, part in self._parts.items()})

    def _product(self, others: Mapping[int, Factor], times: Callable[[flint.fmpq_mat, Factor], Any]) -> Matrix:
        """Return its product with a sum of sqrt(n) times other factors, part by part."""
        total: dict[int, Any] = {}
        for n, part in self._parts.items():
            for m, factor in others.items():
                common, root = root_of_product(n, m)
                more = times(part, factor)
                if common != 1:
                    more *= common
                total[root] = total[root] + more if root in total else more
        return Matrix._of(total)

    def _raw(self) -> Sequence[Sequence[Any]]:
        """Return the rows, rational entries as python-flint's."""
        return self.rows if self.rational is None else self.rational.tolist()

    @property
    def rows(self) -> Rows:
        """Return the entries, row by row."""
        if self.rational is not None:
            return tuple(tuple(from_fmpq(value) for value in row) for row in self.rational.tolist())
        n, m = self.shape
        return tuple(tuple(self[i, j] for j in range(m)) for i in range(n))

    @property
    def rational(self) -> flint.fmpq_mat | None:
        """Return the python-flint matrix (not to be changed), or None where an entry is irrational."""
        return self._parts[1] if len(self._parts) == 1 else None

    @property
    def T(self) -> Matrix:
        """Return the transpose."""
        return self._each(lambda part: part.transpose())

    def __getitem__(self, index: tuple[int, int]) -> Number:
        i, j = index
        if self.rational is not None:
            return from_fmpq(self.rational[i, j])
        return combined((n, part[i, j]) for n, part in self._parts.items())

    def select(self, rows: Iterable[int], columns: Iterable[int]) -> Matrix:
        """Return the submatrix with these rows and columns."""
        rows, columns = list(rows), list(columns)

        def selected(part: flint.fmpq_mat) -> flint.fmpq_mat:
            if 2 * len(rows) * len(columns) < self.shape[0] * self.shape[1]:  # all entries take longer
                return flint.fmpq_mat(len(rows), len(columns), [part[i, j] for i in rows for j in columns])
            table = part.tolist()
            return _table([[table[i][j] for j in columns] for i in rows], len(columns))

        return self._each(selected)

    def __add__(self, other: Matrix) -> Matrix:
        parts = dict(self._parts)
        for n, part in other._parts.items():
            parts[n] = parts[n] + part if n in parts else part
        return Matrix._of(parts)

    def __sub__(self, other: Matrix) -> Matrix:
        return self + -other

    def __neg__(self) -> Matrix:
        return self._each(lambda part: -part)

    def __mul__(self, factor: Any) -> Matrix:
        """Multiply by a number; by 1 or -1, as most are, without products of numbers."""
        if isinstance(factor, Surd):
            return self._product({n: _share(factor, n) for n in {1, *factor.terms}}, lambda part, c: part * c)
        c = to_fmpq(factor)
        return self if c == 1 else -self if c == -1 else self._each(lambda part: part * c)

    __rmul__ = __mul__

    def scaled_rows(self, factors: Sequence[flint.fmpq]) -> Matrix:
        """Return it with each row multiplied by a number."""

        def scaled(part: flint.fmpq_mat) -> flint.fmpq_mat:
            pairs = zip(part.tolist(), factors, strict=True)
            return _table([[value * factor for value in row] for row, factor in pairs], self.shape[1])

        return self._each(scaled)

    def __matmul__(self, other: Matrix) -> Matrix:
        return self._product(other._parts, lambda left, right: left * right)

    def hadamard(self, other: Matrix) -> Matrix:
        """Return the entrywise product."""

        def times(left: flint.fmpq_mat, right: flint.fmpq_mat) -> flint.fmpq_mat:
            pairs = zip(left.tolist(), right.tolist(), strict=True)
            return _table([[a * b for a, b in zip(p, q, strict=True)] for p, q in pairs], self.shape[1])

        return self._product(other._parts, times)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and self.shape == other.shape and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self.rows)

    def is_zero(self) -> bool:
        """Return whether every entry is 0."""
        return self == Matrix.zeros(*self.shape)

    def rref(self) -> tuple[Matrix, tuple[int, ...]]:
        """Return the reduced row echelon form and its pivot columns."""
        if self.rational is None:
            table, pivots = _reduced(self.rows)
            return Matrix(table), pivots
        echelon, rank = self.rational.rref()
        entries = echelon.tolist()
        pivots = tuple(next(j for j, v in enumerate(entries[i]) if v != 0) for i in range(rank))
        return Matrix.of_flint(echelon), pivots

    def rank(self) -> int:
        """Return the rank."""
        return len(self.rref()[1]) if self.rational is None else self.rational.rank()

    def det(self) -> Number:
        """Return the determinant."""
        if self.rational is not None:
            return from_fmpq(self.rational.det())
        constant = self.charpoly()(Fraction(0))
        return -constant if self.shape[0] % 2 else constant

    def null_space(self) -> Matrix:
        """Return a matrix whose columns are a basis of the kernel; it has no columns where that is 0."""
        echelon, pivots = self.rref()
        table, n = echelon._raw(), self.shape[1]
        free = [j for j in range(n) if j not in pivots]
        basis = [[0] * n for _ in free]
        for vector, j in zip(basis, free, strict=True):
            vector[j] = 1
            for i, pivot in enumerate(pivots):
                vector[pivot] = -table[i][j]
        return Matrix(basis).T if basis else Matrix.zeros(n, 0)

    def column_basis(self) -> Matrix:
        """Return the pivot columns: a basis of the range."""
        return self.select(range(self.shape[0]), self.rref()[1])

    def solve(self, right: Matrix) -> Matrix | None:
        """Return one solution X of self X = right, or None where there is none."""
        n = self.shape[1]
        echelon, pivots = Matrix.block([[self, right]]).rref()
        if any(pivot >= n for pivot in pivots):
            return None
        table = echelon._raw()
        solution: list[Any] = [[0] * right.shape[1] for _ in range(n)]
        for i, pivot in enumerate(pivots):
            solution[pivot] = table[i][n:]
        return Matrix(solution)

    def charpoly(self) -> Polynomial:
        """Return det(t I - self); of an irrational matrix by Faddeev and LeVerrier's recursion."""
        if self.rational is not None:
            return Polynomial.of_flint(self.rational.charpoly())
        n = self.shape[0]
        descending: list[Number] = [Fraction(1)]
        power, identity = Matrix.zeros(n, n), Matrix.identity(n)
        for step in range(1, n + 1):
            power = self @ (power + identity * descending[-1])
            descending.append(-sum((power[i, i] for i in range(n)), Fraction(0)) / step)
        return Polynomial(descending[::-1])

    def to_float(self) -> np.ndarray:
        """Return a read-only float64 array, each entry rounded: for pictures and candidates, never for a verdict."""
        array = self.rounded()[0]
        array.setflags(write=False)
        return array

    def rounded(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the entries as float64, and which of them are not 0 before they are rounded."""
        import numpy as np

        entries = [v for row in self._raw() for v in row]
        nonzero = np.fromiter(map(bool, entries), bool, len(entries))
        array = np.zeros(len(entries))
        array[nonzero] = [_to_float(v) for v in entries if v]
        return array.reshape(self.shape), nonzero.reshape(self.shape)

    def texts(self) -> list[list[str]]:
        """Return the entries as text, as problem files write numbers."""
        return [[number_text(v) if isinstance(v, Surd | Fraction) else str(v) for v in row] for row in self._raw()]

    def column_texts(self) -> list[str]:
        """Return the first column's entries as text: all of them, for a column vector."""
        return [row[0] for row in self.select(range(self.shape[0]), [0]).texts()]

    def __reduce__(self) -> tuple[Any, ...]:
        return Matrix, (self.rows,)

    def __repr__(self) -> str:
        return f"Matrix({self.texts()})"


def _share(value: Any, n: int) -> flint.fmpq:
    """Return c_n of a number that is a sum of c_n sqrt(n)."""
    if isinstance(value, Surd):
        return to_fmpq(value.terms.get(n, 0))
    return to_fmpq(value) if n == 1 else flint.fmpq(0)


def _table(rows: Sequence[Sequence[flint.fmpq]], width: int) -> flint.fmpq_mat:
    return flint.fmpq_mat(len(rows), width, [value for row in rows for value in row])


def _reduced(rows: Rows) -> tuple[list[list[Number]], tuple[int, ...]]:
    """Return the reduced row echelon form and its pivot columns."""
    table = [list(row) for row in rows]
    pivots: list[int] = []
    for j in range(len(table[0]) if table else 0):
        top = len(pivots)
        pivot = next((i for i in range(top, len(table)) if table[i][j] != 0), None)
        if pivot is None:
            continue
        table[top], table[pivot] = table[pivot], table[top]
        scale = table[top][j]
        table[top] = [value / scale for value in table[top]]
        for i, row in enumerate(table):
            if i != top and row[j] != 0:
                factor = row[j]
                table[i] = [a - factor * b for a, b in zip(row, table[top], strict=True)]
        pivots.append(j)
    return table, tuple(pivots)


def _to_float(value: Any) -> float:
    try:
        return int(value.p) / int(value.q) if isinstance(value, flint.fmpq) else float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


Row = Mapping[int, flint.fmpz]

_MANY = 2**12
"""Entries from which on it pays to look for zeros."""
_SPARSE = 8
"""A table is sparse where at most 1 in so many of its entries is not 0."""


class SparseTable(NamedTuple):
    """Rows of numerators, their denominator, and the number of columns; the operations are those of `Matrix`."""

    rows: Sequence[Row]
    denominator: flint.fmpz
    width: int

    @classmethod
    def of(cls, rows: Sequence[Mapping[int, flint.fmpq]], width: int) -> SparseTable:
        """Return the table with these rows."""
        below = common_denominator(value for row in rows for value in row.values())
        return cls([{j: value.p * (below // value.q) for j, value in row.items()} for row in rows], below, width)

    def __matmul__(self, other: SparseTable) -> SparseTable:
        """Return the matrix product."""
        products: list[Row] = []
        for row in self.rows:
            total: dict[int, flint.fmpz] = {}
            for i, value in row.items():
                for j, factor in other.rows[i].items():
                    total[j] = total[j] + value * factor if j in total else value * factor
            products.append(total)
        return SparseTable(products, self.denominator * other.denominator, other.width)

    @property
    def T(self) -> SparseTable:
        """Return the transpose."""
        turned: list[dict[int, flint.fmpz]] = [{} for _ in range(self.width)]
        for i, row in enumerate(self.rows):
            for j, value in row.items():
                turned[j][i] = value
        return SparseTable(turned, self.denominator, len(self.rows))

    def hadamard(self, other: SparseTable) -> SparseTable:
        """Return the entrywise product."""
        pairs = zip(self.rows, other.rows, strict=True)
        rows: list[Row] = [{j: value * b[j] for j, value in a.items() if j in b} for a, b in pairs]
        return SparseTable(rows, self.denominator * other.denominator, self.width)

    def scaled_rows(self, factors: Sequence[flint.fmpz], denominator: flint.fmpz) -> SparseTable:
        """Return it with each row multiplied by its factor, over a common denominator."""
        pairs = zip(self.rows, factors, strict=True)
        rows: list[Row] = [{j: value * factor for j, value in row.items()} for row, factor in pairs]
        return SparseTable(rows, self.denominator * denominator, self.width)

    def dense(self) -> flint.fmpq_mat:
        """Return it as a matrix."""
        total = flint.fmpq_mat(len(self.rows), self.width)
        for i, row in enumerate(self.rows):
            for j, value in row.items():
                total[i, j] = flint.fmpq(value, self.denominator)
        return total


def sparse_table(rows: Sequence[Sequence[Any]]) -> SparseTable | None:
    """Return rows of exact numbers that are a large, sparse and rational table as one; None for any others."""
    if not rows or len(rows) * len(rows[0]) < _MANY:
        return None
    zero = next((value for value in rows[0] if not value), None)  # most zeros of a large table are one object
    entries = [{j: value for j, value in enumerate(row) if value is not zero and value} for row in rows]
    if not is_sparse(sum(map(len, entries)), len(rows), len(rows[0])):
        return None
    if any(isinstance(value, Surd) for row in entries for value in row.values()):
        return None
    return SparseTable.of([{j: to_fmpq(value) for j, value in row.items()} for row in entries], len(rows[0]))


def is_sparse(entries: int, rows: int, columns: int) -> bool:
    """Return whether a table with so many entries that are not 0 is large, and is mostly zeros."""
    return rows * columns >= _MANY and entries * _SPARSE <= rows * columns


def whole(values: Sequence[flint.fmpq]) -> tuple[list[flint.fmpz], flint.fmpz]:
    """Return rationals as whole numbers over one denominator."""
    below = common_denominator(values)
    return [value.p * (below // value.q) for value in values], below


def common_denominator(values: Iterable[flint.fmpq]) -> flint.fmpz:
    """Return the least common denominator."""
    below = flint.fmpz(1)
    for value in values:
        if below % value.q:
            below = below.lcm(value.q)
    return below
