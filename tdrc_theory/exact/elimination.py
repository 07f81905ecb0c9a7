"""Elimination and characteristic polynomials over any exact numbers: for matrices with square roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tdrc_theory.exact.number import Number

Rows = Sequence[Sequence[Number]]


def reduced(rows: Rows) -> tuple[list[list[Number]], tuple[int, ...]]:
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


def product(left: Rows, right: Rows) -> list[list[Number]]:
    """Return the matrix product."""
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, c, strict=True)), Fraction(0)) for c in columns] for row in left]


def characteristic_coefficients(rows: Rows) -> list[Number]:
    """Return the coefficients of det(t I - M), ascending, by Faddeev and LeVerrier's recursion."""
    n = len(rows)
    descending: list[Number] = [Fraction(1)]
    power: list[list[Number]] = [[Fraction(0)] * n for _ in range(n)]
    for step in range(1, n + 1):
        shifted = [[v + descending[-1] if i == j else v for j, v in enumerate(row)] for i, row in enumerate(power)]
        power = product(rows, shifted)
        descending.append(-sum((power[i][i] for i in range(n)), Fraction(0)) / step)
    return descending[::-1]
