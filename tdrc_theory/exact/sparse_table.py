"""Tables of rationals that are mostly zeros: whole numbers over one denominator, {column: numerator} a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

import flint

Row = Mapping[int, flint.fmpz]

_MANY = 2**12
"""Entries from which on it pays to look for zeros."""
_SPARSE = 8
"""A table is sparse where at most 1 in so many of its entries is not 0."""


class SparseTable(NamedTuple):
    """Rows of numerators, and their denominator."""

    rows: Sequence[Row]
    denominator: flint.fmpz

    @classmethod
    def of(cls, rows: Sequence[Mapping[int, flint.fmpq]]) -> SparseTable:
        """Return the table with these rows."""
        below = flint.fmpz(1)
        for row in rows:
            for value in row.values():
                if below % value.q:
                    below = below.lcm(value.q)
        return cls([{j: value.p * (below // value.q) for j, value in row.items()} for row in rows], below)

    def __matmul__(self, other: SparseTable) -> SparseTable:
        """Return the matrix product."""
        products: list[Row] = []
        for row in self.rows:
            total: dict[int, flint.fmpz] = {}
            for i, value in row.items():
                _add(total, value, other.rows[i])
            products.append(total)
        return SparseTable(products, self.denominator * other.denominator)

    def transposed(self, width: int) -> SparseTable:
        """Return the transpose, which has `width` rows."""
        turned: list[dict[int, flint.fmpz]] = [{} for _ in range(width)]
        for i, row in enumerate(self.rows):
            for j, value in row.items():
                turned[j][i] = value
        return SparseTable(turned, self.denominator)

    def scaled_rows(self, factors: Sequence[flint.fmpz], denominator: flint.fmpz) -> SparseTable:
        """Return it with each row multiplied by its factor, over a common denominator."""
        pairs = zip(self.rows, factors, strict=True)
        rows: list[Row] = [{j: value * factor for j, value in row.items()} for row, factor in pairs]
        return SparseTable(rows, self.denominator * denominator)

    def dense(self, width: int) -> flint.fmpq_mat:
        """Return it as a matrix."""
        total = flint.fmpq_mat(len(self.rows), width)
        for i, row in enumerate(self.rows):
            for j, value in row.items():
                total[i, j] = flint.fmpq(value, self.denominator)
        return total


def sparse_table(table: flint.fmpq_mat | None) -> SparseTable | None:
    """Return a table that is large and sparse as one; None for any other, or where there is none."""
    if table is None or table.nrows() * table.ncols() < _MANY:
        return None
    rows = [{j: value for j, value in enumerate(row) if value} for row in table.tolist()]
    return SparseTable.of(rows) if is_sparse(sum(map(len, rows)), table.nrows(), table.ncols()) else None


def is_sparse(entries: int, rows: int, columns: int) -> bool:
    """Return whether a table with so many entries that are not 0 is large, and is mostly zeros."""
    return rows * columns >= _MANY and entries * _SPARSE <= rows * columns


def entrywise(tables: Iterable[SparseTable]) -> SparseTable:
    """Return the product of entries of at least one table."""
    return reduce(_multiplied, tables)


def _multiplied(left: SparseTable, right: SparseTable) -> SparseTable:
    pairs = zip(left.rows, right.rows, strict=True)
    rows: list[Row] = [{j: value * b[j] for j, value in a.items() if j in b} for a, b in pairs]
    return SparseTable(rows, left.denominator * right.denominator)


def _add(total: dict[int, flint.fmpz], factor: flint.fmpz, row: Row) -> None:
    for j, value in row.items():
        total[j] = total[j] + factor * value if j in total else factor * value
