"""Matrices with exact entries: python-flint where they are rational, plain elimination where they have square roots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import flint

from tdrc_theory.exact.convert import from_fmpq, number_text, to_fmpq
from tdrc_theory.exact.elimination import characteristic_coefficients, product, reduced
from tdrc_theory.exact.number import Number
from tdrc_theory.exact.polynomial import Polynomial
from tdrc_theory.exact.surd import Surd

if TYPE_CHECKING:
    import numpy as np

Rows = tuple[tuple[Number, ...], ...]


class Matrix:
    """An immutable exact matrix.

    >>> A = Matrix([[1, 2], [2, 4]])
    >>> A.rank(), A.null_space().rows, A.charpoly().text("t")
    (1, ((Fraction(-2, 1),), (Fraction(1, 1),)), 't^2 - 5*t')
    """

    __slots__ = ("_flint", "_rows", "shape")

    _flint: flint.fmpq_mat | None
    _rows: Rows | None
    shape: tuple[int, int]

    def __init__(self, rows: Iterable[Sequence[Any]]) -> None:
        """Build from rows of integers, Fractions or Surds."""
        listed = [list(row) for row in rows]
        width = len(listed[0]) if listed else 0
        if any(len(row) != width for row in listed):
            raise ValueError(f"a matrix needs rows of one length; got {[len(row) for row in listed]}")
        # By identity: most entries of a large table are one object, 0 or 1.
        distinct = {id(value): value for row in listed for value in row}
        if any(isinstance(value, Surd) for value in distinct.values()):
            self._set(None, tuple(tuple(_number(v) for v in row) for row in listed), (len(listed), width))
        else:
            known = {number: to_fmpq(value) for number, value in distinct.items()}
            flat = [known[id(value)] for row in listed for value in row]
            self._set(flint.fmpq_mat(len(listed), width, flat), None, (len(listed), width))

    def _set(self, rational: flint.fmpq_mat | None, rows: Rows | None, shape: tuple[int, int]) -> None:
        object.__setattr__(self, "_flint", rational)
        object.__setattr__(self, "_rows", rows)
        object.__setattr__(self, "shape", shape)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Matrix does not change: {name}")

    @classmethod
    def of_flint(cls, rational: flint.fmpq_mat) -> Matrix:
        """Wrap a python-flint matrix, which must not be changed afterwards."""
        result = cls.__new__(cls)
        result._set(rational, None, (rational.nrows(), rational.ncols()))
        return result

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
        bands = [[block._raw() for block in band] for band in blocks]
        rows = [[value for row in parts for value in row] for band in bands for parts in zip(*band, strict=True)]
        return cls._assembled(rows, all(block._flint is not None for band in blocks for block in band))

    @classmethod
    def _assembled(cls, rows: list[list[Any]], rational: bool) -> Matrix:
        """Build from rows, without looking at every entry again where all are known to be python-flint's."""
        if not rational or not rows:
            return cls(rows)
        return cls.of_flint(flint.fmpq_mat(len(rows), len(rows[0]), [value for row in rows for value in row]))

    def _raw(self) -> Sequence[Sequence[Any]]:
        """Return the rows, rational entries as python-flint's."""
        if self._flint is not None:
            return self._flint.tolist()
        assert self._rows is not None
        return self._rows

    @property
    def rows(self) -> Rows:
        """Return the entries, row by row."""
        if self._rows is not None:
            return self._rows
        return tuple(tuple(from_fmpq(value) for value in row) for row in self._raw())

    @property
    def rational(self) -> flint.fmpq_mat | None:
        """Return the python-flint matrix (not to be changed), or None where an entry is irrational."""
        return self._flint

    @property
    def T(self) -> Matrix:
        """Return the transpose."""
        if self._flint is not None:
            return Matrix.of_flint(self._flint.transpose())
        return Matrix(zip(*self.rows, strict=True))

    def __getitem__(self, index: tuple[int, int]) -> Number:
        i, j = index
        return from_fmpq(self._flint[i, j]) if self._flint is not None else self.rows[i][j]

    def select(self, rows: Iterable[int], columns: Iterable[int]) -> Matrix:
        """Return the submatrix with these rows and columns."""
        rows, columns = list(rows), list(columns)
        count = len(rows) * len(columns)
        if self._flint is not None and 0 < 2 * count < self.shape[0] * self.shape[1]:  # all entries take longer
            entries = self._flint
            part = [entries[i, j] for i in rows for j in columns]
            return Matrix.of_flint(flint.fmpq_mat(len(rows), len(columns), part))
        raw = self._raw()
        return Matrix._assembled([[raw[i][j] for j in columns] for i in rows], self._flint is not None)

    def _entrywise(self, other: Matrix, operation: Any) -> Matrix:
        if self._flint is not None and other._flint is not None:
            return Matrix.of_flint(operation(self._flint, other._flint))
        pairs = zip(self.rows, other.rows, strict=True)
        return Matrix([[operation(a, b) for a, b in zip(p, q, strict=True)] for p, q in pairs])

    def __add__(self, other: Matrix) -> Matrix:
        return self._entrywise(other, lambda a, b: a + b)

    def __sub__(self, other: Matrix) -> Matrix:
        return self._entrywise(other, lambda a, b: a - b)

    def __neg__(self) -> Matrix:
        return Matrix.of_flint(-self._flint) if self._flint is not None else self * -1

    def __mul__(self, factor: Any) -> Matrix:
        """Multiply by a number; by 1 or -1, as most are, without products of numbers."""
        if self._flint is not None and not isinstance(factor, Surd):
            rational = to_fmpq(factor)
            return self if rational == 1 else -self if rational == -1 else Matrix.of_flint(self._flint * rational)
        number = _number(factor)
        return Matrix([[value * number for value in row] for row in self.rows])

    __rmul__ = __mul__

    def scaled_rows(self, factors: Sequence[flint.fmpq]) -> Matrix:
        """Return it with each row multiplied by a number."""
        rational = self._flint is not None
        pairs = zip(self._raw(), factors if rational else map(from_fmpq, factors), strict=True)
        return Matrix._assembled([[value * factor for value in row] for row, factor in pairs], rational)

    def __matmul__(self, other: Matrix) -> Matrix:
        if self._flint is not None and other._flint is not None:
            return Matrix.of_flint(self._flint * other._flint)
        return Matrix(product(self.rows, other.rows))

    def hadamard(self, other: Matrix) -> Matrix:
        """Return the entrywise product."""
        rational = self._flint is not None and other._flint is not None
        pairs = zip(*((m._raw() if rational else m.rows) for m in (self, other)), strict=True)
        return Matrix._assembled([[a * b for a, b in zip(p, q, strict=True)] for p, q in pairs], rational)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and self.shape == other.shape and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    def is_zero(self) -> bool:
        """Return whether every entry is 0."""
        if self._flint is not None:
            return bool(self._flint == flint.fmpq_mat(*self.shape))
        return all(value == 0 for row in self._raw() for value in row)

    def rref(self) -> tuple[Matrix, tuple[int, ...]]:
        """Return the reduced row echelon form and its pivot columns."""
        if self._flint is None:
            table, pivots = reduced(self.rows)
            return Matrix(table), pivots
        echelon, rank = self._flint.rref()
        entries = echelon.tolist()
        pivots = tuple(next(j for j, v in enumerate(entries[i]) if v != 0) for i in range(rank))
        return Matrix.of_flint(echelon), pivots

    def rank(self) -> int:
        """Return the rank."""
        return self._flint.rank() if self._flint is not None else len(self.rref()[1])

    def det(self) -> Number:
        """Return the determinant."""
        if self._flint is not None:
            return from_fmpq(self._flint.det())
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
        """Return det(t I - self)."""
        if self._flint is not None:
            return Polynomial.of_flint(self._flint.charpoly())
        return Polynomial(characteristic_coefficients(self.rows))

    def to_float(self) -> np.ndarray:
        """Return a read-only float64 array, each entry rounded: for pictures and candidates, never for a verdict."""
        array = self.rounded()[0]
        array.setflags(write=False)
        return array

    def rounded(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the entries as float64, and which of them are not 0 before they are rounded."""
        import numpy as np

        entries = [v for row in self.rows for v in row] if self._flint is None else self._flint.entries()
        nonzero = np.fromiter(map(bool, entries), bool, len(entries))
        array = np.zeros(len(entries))
        array[nonzero] = [_to_float(v) for v in entries if v]
        return array.reshape(self.shape), nonzero.reshape(self.shape)

    def texts(self) -> list[list[str]]:
        """Return the entries as text, as problem files write numbers."""
        return [[str(v) if self._flint is not None else number_text(v) for v in row] for row in self._raw()]

    def column_texts(self) -> list[str]:
        """Return the first column's entries as text: all of them, for a column vector."""
        return [row[0] for row in self.select(range(self.shape[0]), [0]).texts()]

    def __reduce__(self) -> tuple[Any, ...]:
        return Matrix, (self.rows,)

    def __repr__(self) -> str:
        return f"Matrix({self.texts()})"


def _number(value: Any) -> Number:
    # By way of to_fmpq, which refuses floats: Fraction(0.1) would take one for exact.
    return value if isinstance(value, Fraction | Surd) else from_fmpq(to_fmpq(value))


def _to_float(value: Any) -> float:
    try:
        return int(value.p) / int(value.q) if isinstance(value, flint.fmpq) else float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
