"""Determinants and inverses of small tables of exact numbers, rational or complex, by elimination."""

from __future__ import annotations

from typing import Any

import flint

Rows = tuple[tuple[Any, ...], ...]


def determinant(rows: Rows) -> Any:
    """Return the determinant of a square table."""
    return _eliminated(rows, 0)[0]


def inverse(rows: Rows) -> Rows | None:
    """Return the inverse of a square table, None where it is singular."""
    n = len(rows)
    joined = tuple((*row, *unit) for row, unit in zip(rows, identity(n), strict=True))
    size, table = _eliminated(joined, n)
    return None if size == 0 else tuple(tuple(row[n:]) for row in table)


def identity(n: int) -> Rows:
    """Return the identity of n rows."""
    return tuple(tuple(flint.fmpq(int(i == j)) for j in range(n)) for i in range(n))


def _eliminated(rows: Rows, extra: int) -> tuple[Any, list[list[Any]]]:
    """Return the determinant and the reduced rows, `extra` columns being carried along; the rows are void at 0."""
    table, n = [list(row) for row in rows], len(rows)
    product: Any = flint.fmpq(1)
    for k in range(n):
        pivot = next((i for i in range(k, n) if table[i][k] != 0), None)
        if pivot is None:
            return flint.fmpq(0), []
        if pivot != k:
            table[k], table[pivot], product = table[pivot], table[k], -product
        product = product * table[k][k]
        head = table[k][k]
        table[k] = [v / head for v in table[k]]
        for i in range(n if extra else 0):
            if i != k and table[i][k] != 0:
                factor = table[i][k]
                table[i] = [a - factor * b for a, b in zip(table[i], table[k], strict=True)]
        for i in range(k + 1, 0 if extra else n):
            factor = table[i][k]
            table[i] = [a - factor * b for a, b in zip(table[i], table[k], strict=True)]
    return product, table
