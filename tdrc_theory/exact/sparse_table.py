"""Tables of rationals that are mostly zeros: whole numbers over one denominator, {column: numerator} a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import flint

from tdrc_theory.exact.number import Number, to_fmpq

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


def sparse_table(table: flint.fmpq_mat | None) -> SparseTable | None:
    """Return a table that is large and sparse as one; None for any other, or where there is none."""
    if table is None or table.nrows() * table.ncols() < _MANY:
        return None
    rows = [{j: value for j, value in enumerate(row) if value} for row in table.tolist()]
    return SparseTable.of(rows, table.ncols()) if is_sparse(sum(map(len, rows)), table.nrows(), table.ncols()) else None


def sparse_rows(rows: Sequence[Sequence[Number]]) -> SparseTable | None:
    """Return rows of exact numbers that are a large, sparse and rational table as one; None for any others."""
    if not rows or len(rows) * len(rows[0]) < _MANY:
        return None
    zero = next((value for value in rows[0] if not value), None)  # most zeros of a large table are one object
    entries = [{j: value for j, value in enumerate(row) if value is not zero and value} for row in rows]
    if not is_sparse(sum(map(len, entries)), len(rows), len(rows[0])):
        return None
    rational = [{j: to_fmpq(value) for j, value in row.items() if isinstance(value, Fraction)} for row in entries]
    return SparseTable.of(rational, len(rows[0])) if sum(map(len, rational)) == sum(map(len, entries)) else None


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
