"""Complex numbers as pairs of fractions, and tables of them, for the check of counterexamples.

Determinants are Leibniz sums, and inverses are adjugates.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from verify.refute.witness_roots import CannotTell

Num = tuple[Fraction, Fraction]
Table = list[list[Num]]

ZERO: Num = (Fraction(0), Fraction(0))
ONE: Num = (Fraction(1), Fraction(0))


def plus(a: Num, b: Num) -> Num:
    """Return a + b."""
    return (a[0] + b[0], a[1] + b[1])


def mul(a: Num, b: Num) -> Num:
    """Return a b."""
    return (a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0])


def over(a: Num, b: Num) -> Num:
    """Return a / b.

    Raises:
        CannotTell: b is 0.
    """
    size = b[0] ** 2 + b[1] ** 2
    if size == 0:
        raise CannotTell("division by 0")
    return mul(a, (b[0] / size, -b[1] / size))


def real(a: Num) -> Fraction:
    """Return a number that has no imaginary part.

    Raises:
        CannotTell: it has one.
    """
    if a[1] != 0:
        raise CannotTell("an inequality between complex numbers")
    return a[0]


def reals(table: Table) -> list[list[Fraction]]:
    """Return the real numbers of a table."""
    return [[real(v) for v in row] for row in table]


def summed(parts: list[Table]) -> Table:
    """Return the sum of tables."""
    total = parts[0]
    for part in parts[1:]:
        total = [[plus(a, b) for a, b in zip(r, s, strict=True)] for r, s in zip(total, part, strict=True)]
    return total


def times(a: Table, b: Table) -> Table:
    """Return the product of two tables, or of a number and a table."""
    if len(a[0]) != len(b):
        scalar, other = (a[0][0], b) if len(a) == len(a[0]) == 1 else (b[0][0], a)
        return [[mul(scalar, v) for v in row] for row in other]
    result = []
    for row in a:
        line = []
        for j in range(len(b[0])):
            entry = ZERO
            for k, v in enumerate(row):
                entry = plus(entry, mul(v, b[k][j]))
            line.append(entry)
        result.append(line)
    return result


def to_the(base: Num, exponent: Num) -> Num:
    """Return an integer power of a number.

    Raises:
        CannotTell: the exponent is no integer, or it divides by 0.
    """
    n = real(exponent)
    if n.denominator != 1:
        raise CannotTell("an exponent that is not an integer")
    result = ONE
    for _ in range(abs(int(n))):
        result = mul(result, base)
    return result if n >= 0 else over(ONE, result)


def leibniz(table: Table) -> Num:
    """Return a determinant."""
    total = ZERO
    for order in permutations(range(len(table))):
        swaps = sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order)))
        product: Num = (Fraction((-1) ** swaps), Fraction(0))
        for i, j in enumerate(order):
            product = mul(product, table[i][j])
        total = plus(total, product)
    return total


def adjugate_inverse(table: Table) -> Table:
    """Return the inverse of a matrix.

    Raises:
        CannotTell: it is singular.
    """
    n, whole = len(table), leibniz(table)
    if whole == ZERO:
        raise CannotTell("the inverse of a singular matrix")
    cofactors = []
    for i in range(n):
        line = []
        for j in range(n):
            minor = [[v for c, v in enumerate(row) if c != i] for r, row in enumerate(table) if r != j]
            sign = (Fraction((-1) ** (i + j)), Fraction(0))
            line.append(over(mul(sign, leibniz(minor) if minor else ONE), whole))
        cofactors.append(line)
    return cofactors
