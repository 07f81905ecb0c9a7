"""Ranks, solutions and signs of eigenvalues of matrices given as rows of fractions, or of numbers with square roots.

These are towers a + b sqrt(p): a and b have smaller primes under their roots, or none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import total_ordering
from math import lcm, prod
from operator import floordiv, mul, truediv
from typing import Any

_TERM = re.compile(r"([+-]?)(?:(\d+(?:/\d+)?)\*?)?(?:sqrt\((\d+)\))?")


@total_ordering
class Root:
    """The number a + b sqrt(p), b not 0, p a prime larger than every one in a and b.

    The square root of p is in no field that has the roots of smaller primes only, so it is never 0; and its sign
    is that of a and b, or, where these differ, that of a^2 - b^2 p times that of a. No digits are computed.

    >>> Root(Fraction(3), Fraction(-2), 2) > 0, number("sqrt(2)") * number("sqrt(2)")
    (True, Fraction(2, 1))
    """

    __slots__ = ("a", "b", "p")

    def __init__(self, a: Any, b: Any, p: int) -> None:
        self.a, self.b, self.p = a, b, p

    def __repr__(self) -> str:
        return f"({self.a} + {self.b} sqrt({self.p}))"

    def __add__(self, other: Any) -> Any:
        p, (a, b), (c, d) = _over_one(self, other)
        return _root(a + c, b + d, p)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        p, (a, b), (c, d) = _over_one(self, other)
        return _root(a * c + b * d * p, a * d + b * c, p)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return Root(-self.a, -self.b, self.p)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        return self * inverse(other)

    def __rtruediv__(self, other: Any) -> Any:
        return inverse(self) * other

    def __pow__(self, n: int) -> Any:
        return prod([self] * n)

    def __eq__(self, other: object) -> bool:
        return sign(self - other) == 0

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> bool:
        return sign(self - other) < 0


def _over_one(one: Any, other: Any) -> tuple[int, tuple[Any, Any], tuple[Any, Any]]:
    p = max(getattr(one, "p", 0), getattr(other, "p", 0))
    first, second = (((v.a, v.b) if getattr(v, "p", 0) == p else (v, Fraction(0))) for v in (one, other))
    return p, first, second


def _root(a: Any, b: Any, p: int) -> Any:
    return Root(a, b, p) if b != 0 else a


def inverse(value: Any) -> Any:
    """Return 1 over a number other than 0."""
    if not isinstance(value, Root):
        return 1 / Fraction(value)
    norm = inverse(value.a * value.a - value.b * value.b * value.p)
    return Root(value.a * norm, -value.b * norm, value.p)


def sign(value: Any) -> int:
    """Return -1, 0 or 1."""
    if not isinstance(value, Root):
        return int(value > 0) - int(value < 0)
    first, second = sign(value.a), sign(value.b)
    return second if first in (0, second) else first * sign(value.a * value.a - value.b * value.b * value.p)


def number(text: str) -> Any:
    """Return the number that a text such as `1/2`, or `1 - 1/3*sqrt(6)`, writes.

    Raises:
        ValueError: it is none.
    """
    shown, total, at = text.replace(" ", ""), Fraction(0), 0
    while at < len(shown):
        result = _TERM.match(shown, at)
        if result is None or result.end() == at or not (result[2] or result[3]):
            raise ValueError(f"{text} is no number")
        term = Fraction(result[2] or 1) * (-1 if result[1] == "-" else 1)
        total, at = total + term * _square_root(int(result[3] or 1)), result.end()
    return total


def _square_root(n: int) -> Any:
    """Return the root of a product of different primes."""
    product: Any = Fraction(1)
    p = 2
    while n > 1:
        if n % p == 0:
            n //= p
            product = product * Root(Fraction(0), Fraction(1), p)
        else:
            p += 1
    return product


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


def hurwitz(descending: Sequence[Any]) -> bool:
    """Return whether every root has negative real part; the first coefficient is positive.

    They have where the leading minors of Hurwitz's matrix are positive, which elimination has as pivots (Bareiss). The
    polynomial is multiplied by a positive number where its coefficients are fractions.
    """
    n = len(descending) - 1
    rational = all(isinstance(v, int | Fraction) for v in descending)
    scale = lcm(*(Fraction(v).denominator for v in descending)) if rational else 1
    over = floordiv if rational else truediv
    table = hurwitz_matrix([int(v * scale) for v in descending] if rational else descending, n)
    previous = 1
    for k in range(n):  # after k rounds the pivot is the leading minor of size k + 1
        if sign(table[k][k]) <= 0:
            return False
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                table[i][j] = over(table[i][j] * table[k][k] - table[i][k] * table[k][j], previous)
        previous = table[k][k]
    return True


def hurwitz_matrix(descending: Sequence[Any], n: int) -> Square:
    """Return the first n rows and columns of Hurwitz's matrix of a polynomial."""
    c = dict(enumerate(descending))
    return [[c.get(2 * j - i + 1, 0) for j in range(n)] for i in range(n)]


def definite(M: Square) -> bool:
    """Return whether z^T M z > 0 for every z other than 0: every root of its symmetric part is positive."""
    return hurwitz(characteristic(combined((-1, symmetric(M)))))


def semidefinite(M: Square) -> bool:
    """Return whether z^T M z >= 0 for every z: the coefficients of its real roots' polynomial alternate, or are 0."""
    return all(sign(c) * (-1) ** k >= 0 for k, c in enumerate(characteristic(symmetric(M))))


def determinant(rows: Square) -> Any:
    """Return the determinant: up to its sign, what the characteristic polynomial is at 0."""
    return characteristic(rows)[-1] * (-1) ** len(rows)
