"""Elimination and characteristic polynomials over any exact numbers: for matrices with square roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

import flint

from tdrc_theory.exact.number import Number
from tdrc_theory.exact.surd import Surd, combined

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
    """Return the matrix product: of rational matrices, one for each square root, since sqrt(n) sqrt(m) is rational
    times one root."""
    total: dict[int, flint.fmpq_mat] = {}
    others = _by_root(right)
    for n, first in _by_root(left).items():
        for m, second in others.items():
            common = gcd(n, m)
            part = first * second * common
            root = n * m // common**2
            total[root] = total[root] + part if root in total else part
    tables, width = [(root, matrix.tolist()) for root, matrix in total.items()], len(right[0]) if right else 0
    return [[combined((root, table[i][j]) for root, table in tables) for j in range(width)] for i in range(len(left))]


def _by_root(rows: Rows) -> dict[int, flint.fmpq_mat]:
    """Return {n: M_n} with the matrix being the sum of sqrt(n) M_n."""
    parts: dict[int, flint.fmpq_mat] = {}
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            for n, c in value.terms.items() if isinstance(value, Surd) else ((1, value),):
                if n not in parts:
                    parts[n] = flint.fmpq_mat(len(rows), len(row))
                parts[n][i, j] = flint.fmpq(c.numerator, c.denominator)
    return parts


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
