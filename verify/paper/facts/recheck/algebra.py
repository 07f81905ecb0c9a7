"""Ranks, solutions and signs of eigenvalues of matrices given as rows of fractions, or of towers of square roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from operator import floordiv, mul, truediv
from typing import Any

from verify.paper.facts.recheck.roots import sign

Vector = list[Any]
Square = list[Vector]


def identity(n: int) -> Square:
    """Return the identity."""
    return [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]


def combined(*parts: tuple[Any, Square]) -> Square:
    """Return the sum of (factor, matrix) pairs."""
    rows, columns = range(len(parts[0][1])), range(len(parts[0][1][0]))
    return [[sum((c * M[i][j] for c, M in parts), Fraction(0)) for j in columns] for i in rows]


def transposed(M: Square) -> Square:
    """Return the transpose."""
    return [list(column) for column in zip(*M, strict=True)]


def product(M: Square, N: Square) -> Square:
    """Return the product."""
    columns = transposed(N)
    return [[dot(row, column) for column in columns] for row in M]


def symmetric(M: Square) -> Square:
    """Return (M + M^T) / 2."""
    return combined((Fraction(1, 2), M), (Fraction(1, 2), transposed(M)))


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """Return the inner product."""
    return sum((p * q for p, q in zip(a, b, strict=True) if p != 0 and q != 0), Fraction(0))


def reduced(rows: Square) -> tuple[Square, list[int]]:
    """Return the reduced echelon form, and the columns of its pivots."""
    left, pivots = [list(row) for row in rows], list[int]()
    for column in range(len(left[0])):
        top = len(pivots)
        pivot = next((i for i in range(top, len(left)) if left[i][column] != 0), None)
        if pivot is None:
            continue
        left[top], left[pivot] = left[pivot], left[top]
        left[top] = [v / left[top][column] for v in left[top]]
        for i, row in enumerate(left):
            if i != top and row[column] != 0:
                left[i] = [v - row[column] * u for v, u in zip(row, left[top], strict=True)]
        pivots.append(column)
        if len(pivots) == len(left):
            break
    return left, pivots


def rank(rows: Square) -> int:
    """Return the rank of a matrix, by elimination."""
    return len(reduced(rows)[1])


def solution(M: Square, columns: Square) -> Square | None:
    """Return X with M X = columns, free entries 0; None where there is none."""
    width = len(M[0])
    left, pivots = reduced([[*row, *right] for row, right in zip(M, columns, strict=True)])
    if pivots and pivots[-1] >= width:
        return None
    result = [[Fraction(0)] * len(columns[0]) for _ in range(width)]
    for row, pivot in zip(left, pivots, strict=False):
        result[pivot] = row[width:]
    return result


def characteristic(G: Square) -> list[Any]:
    """Return the coefficients of det(t I - G), highest power first (Faddeev and LeVerrier)."""
    n = len(G)
    rational = all(isinstance(v, int | Fraction) for row in G for v in row)
    scale = lcm(*(v.denominator for row in G for v in row)) if rational else 1
    rows = [[int(v * scale) for v in row] for row in G] if rational else G
    over = floordiv if rational else truediv
    result: list[Any] = [1]
    kept: Square = [[int(i == j) for j in range(n)] for i in range(n)]
    for k in range(1, n + 1):
        columns = list(zip(*kept, strict=True))
        stepped = [[sum(map(mul, row, column)) for column in columns] for row in rows]
        result.append(over(-sum(stepped[i][i] for i in range(n)), k if rational else Fraction(k)))
        kept = [[v + (result[-1] if i == j else 0) for j, v in enumerate(row)] for i, row in enumerate(stepped)]
    return [Fraction(c, scale**k) if rational else c for k, c in enumerate(result)]


def minors(descending: Sequence[Any]) -> list[Any]:
    """Return the leading minors of Hurwitz's matrix, up to the first that is not positive (Bareiss).

    The polynomial is multiplied by a positive number where its coefficients are fractions.
    """
    n = len(descending) - 1
    rational = all(isinstance(v, int | Fraction) for v in descending)
    scale = lcm(*(Fraction(v).denominator for v in descending)) if rational else 1
    c = [int(v * scale) for v in descending] if rational else list(descending)
    over = floordiv if rational else truediv
    table = [[c[2 * j - i + 1] if 0 <= 2 * j - i + 1 <= n else 0 for j in range(n)] for i in range(n)]
    previous, result = 1, list[Any]()
    for k in range(n):  # after k rounds the pivot is the leading minor of size k + 1
        result.append(table[k][k])
        if sign(table[k][k]) <= 0:
            break
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                table[i][j] = over(table[i][j] * table[k][k] - table[i][k] * table[k][j], previous)
        previous = table[k][k]
    return result


def hurwitz(descending: Sequence[Any]) -> bool:
    """Return whether every root has negative real part; the first coefficient is positive."""
    result = minors(descending)
    return len(result) == len(descending) - 1 and all(sign(v) > 0 for v in result)


def definite(M: Square) -> bool:
    """Return whether z^T M z > 0 for every z other than 0: every root of its symmetric part is positive."""
    return hurwitz(characteristic(combined((-1, symmetric(M)))))


def semidefinite(M: Square) -> bool:
    """Return whether z^T M z >= 0 for every z: the coefficients of its real roots' polynomial alternate, or are 0."""
    return all(sign(c) * (-1) ** k >= 0 for k, c in enumerate(characteristic(symmetric(M))))


def determinant(rows: Square) -> Any:
    """Return the determinant, by elimination."""
    left, result = [list(row) for row in rows], Fraction(1)
    while left:
        pivot = next((i for i, row in enumerate(left) if row[0] != 0), None)
        if pivot is None:
            return Fraction(0)
        first = left.pop(pivot)
        result = result * first[0] * (-1) ** pivot
        shares = [row[0] / first[0] for row in left]
        left = [
            [v - c * u for v, u in zip(row[1:], first[1:], strict=True)] for c, row in zip(shares, left, strict=True)
        ]
    return result
