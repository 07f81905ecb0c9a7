"""Exact numbers at which formulas are evaluated, and tables of them: rational, complex, or with one square root."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt
from operator import add, sub
from typing import Any

import flint

from tdrc_theory.exact import Matrix


class NoValue(ArithmeticError):
    """What is asked for does not exist, or is not a number of the kinds that are known here."""


@dataclass(frozen=True, slots=True, eq=False)
class Quadratic:
    """p + q sqrt(r): a complex number for r = -1, and for r > 0, no square of a rational number, q not 0, a real one.

    Two of them are added or multiplied where r is the same; anything else has no value here.

    >>> I * I == -1, I - I == 0
    (True, True)
    >>> root = square_root(flint.fmpq(2))
    >>> root * root == 2, (root - 1).sign, (root - 2).sign
    (True, 1, -1)
    """

    p: flint.fmpq
    q: flint.fmpq
    r: flint.fmpq | int = -1

    def _parts(self, other: Any) -> tuple[flint.fmpq, flint.fmpq]:
        if isinstance(other, Quadratic):
            if other.r != self.r:
                raise NoValue("roots of different numbers")
            return other.p, other.q
        return flint.fmpq(other), flint.fmpq(0)

    def __add__(self, other: Any) -> Any:
        p, q = self._parts(other)
        return _number(self.p + p, self.q + q, self.r)

    __radd__ = __add__

    def __neg__(self) -> Quadratic:
        return Quadratic(-self.p, -self.q, self.r)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        p, q = self._parts(other)
        return _number(self.p * p + self.q * q * self.r, self.p * q + self.q * p, self.r)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        p, q = self._parts(other)
        size = p * p - q * q * self.r
        return self * _number(p / size, -q / size, self.r)

    def __rtruediv__(self, other: Any) -> Any:
        return Quadratic(flint.fmpq(other), flint.fmpq(0), self.r) / self

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Quadratic) and other.r != self.r:
            return False
        return isinstance(other, Quadratic | flint.fmpq | int) and (self.p, self.q) == self._parts(other)

    def __hash__(self) -> int:
        return hash((self.p, self.q))

    @property
    def sign(self) -> int:
        """Of a real one 1 or -1: the sign of the greater of |p| and |q| sqrt(r); it is irrational, so never 0."""
        leading = self.p if self.p * self.p > self.q * self.q * self.r else self.q
        return 1 if leading > 0 else -1

    def __float__(self) -> float:
        p, q, r = (int(x.p) / int(x.q) for x in map(flint.fmpq, (self.p, self.q, self.r)))
        return float(p + q * r**0.5)


I = Quadratic(flint.fmpq(0), flint.fmpq(1))  # noqa: E741 - what it is called


def _number(p: flint.fmpq, q: flint.fmpq, r: flint.fmpq | int) -> Any:
    return p if q == 0 and r > 0 else Quadratic(p, q, r)


def is_complex(value: Any) -> bool:
    """Return whether a number is written as a complex one, whatever its imaginary part."""
    return isinstance(value, Quadratic) and bool(value.r < 0)


def is_irrational(value: Any) -> bool:
    """Return whether a number has a square root of a positive one in it."""
    return isinstance(value, Quadratic) and bool(value.r > 0)


def conjugate(value: Any) -> Any:
    """Return the complex conjugate."""
    return Quadratic(value.p, -value.q) if is_complex(value) else value


def real_part(value: Any) -> Any:
    """Return the real part."""
    return value.p if is_complex(value) else value


def imaginary_part(value: Any) -> flint.fmpq:
    """Return the imaginary part."""
    return value.q if is_complex(value) else flint.fmpq(0)


def square_root(value: flint.fmpq) -> Any:
    """Return the square root of a number that is not negative, rational where it can be."""
    top, bottom = (isqrt(int(part)) for part in (value.p, value.q))
    if flint.fmpq(top, bottom) ** 2 == value:
        return flint.fmpq(top, bottom)
    return Quadratic(flint.fmpq(0), flint.fmpq(1), value)


Rows = tuple[tuple[Any, ...], ...]


def _entrywise(operation: Callable[[Any, Any], Any], left: Rows, right: Rows) -> Rows:
    return tuple(tuple(operation(a, b) for a, b in zip(r, s, strict=True)) for r, s in zip(left, right, strict=True))


def add_rows(left: Rows, right: Rows) -> Rows:
    """Return the sum of two tables."""
    return _entrywise(add, left, right)


def difference(left: Any, right: Any) -> Any:
    """Return left - right, of numbers or entry by entry."""
    if isinstance(left, tuple):
        return _entrywise(sub, left, right)
    return left - right


def scale(factor: Any, rows: Rows) -> Rows:
    """Return a number times a table."""
    return tuple(tuple(factor * v for v in row) for row in rows)


def multiply(left: Rows, right: Rows) -> Rows:
    """Return the product of two tables."""
    columns = list(zip(*right, strict=True))
    return tuple(tuple(_dot(row, column) for column in columns) for row in left)


def inner(left: Rows, right: Rows) -> Any:
    """Return the product of a row and a column, a number."""
    return _dot(left[0], tuple(v for (v,) in right))


def _dot(row: tuple[Any, ...], column: tuple[Any, ...]) -> Any:
    total = row[0] * column[0]
    for a, b in zip(row[1:], column[1:], strict=True):
        total = total + a * b
    return total


def power(base: Any, exponent: Any) -> Any:
    """Return an integer power of a number.

    Raises:
        NoValue: the exponent is no integer, or it divides by 0.
    """
    if isinstance(exponent, Quadratic) or exponent.q != 1:
        raise NoValue("an exponent that is not an integer")
    result: Any = flint.fmpq(1)
    for _ in range(abs(int(exponent.p))):
        result = result * base
    if exponent < 0:
        if result == 0:
            raise NoValue("division by 0")
        return flint.fmpq(1) / result
    return result


def transpose(rows: Rows) -> Rows:
    """Return the transpose."""
    return tuple(zip(*rows, strict=True))


def determinant(rows: Rows) -> Any:
    """Return the determinant of a square table."""
    return _eliminated(rows, 0)[0]


def inverse(rows: Rows) -> Rows:
    """Return the inverse of a square table.

    Raises:
        NoValue: it is singular.
    """
    n = len(rows)
    joined = tuple((*row, *unit) for row, unit in zip(rows, identity(n), strict=True))
    size, table = _eliminated(joined, n)
    if size == 0:
        raise NoValue("the inverse of a singular matrix")
    return tuple(tuple(row[n:]) for row in table)


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
        for i in range(n) if extra else range(k + 1, n):
            if i != k and table[i][k] != 0:
                factor = table[i][k]
                table[i] = [a - factor * b for a, b in zip(table[i], table[k], strict=True)]
    return product, table


def real_matrix(rows: Rows) -> Matrix:
    """Return rows of real numbers as a matrix.

    Raises:
        NoValue: a number is not rational.
    """
    if any(is_irrational(v) or imaginary_part(v) != 0 for row in rows for v in row):
        raise NoValue("a complex or irrational matrix where a rational one is needed")
    return Matrix.of_flint(flint.fmpq_mat([[real_part(v) for v in row] for row in rows]))


def extreme(rows: Rows, largest: bool) -> Any:
    """Return the largest or smallest eigenvalue, which is undefined where one is not real.

    Raises:
        NoValue: one is not real, or one of a matrix that is larger than 2 x 2 is irrational.
    """
    if len(rows) != 2:
        roots = _rational_roots(rows)
        return max(roots) if largest else min(roots)
    if any(isinstance(v, Quadratic) for row in rows for v in row):
        raise NoValue("eigenvalues of a matrix that is not rational")
    middle = (rows[0][0] + rows[1][1]) / 2
    inside = (rows[0][0] - rows[1][1]) ** 2 / 4 + rows[0][1] * rows[1][0]
    if inside < 0:
        raise NoValue("complex eigenvalues")
    return middle + square_root(inside) if largest else middle - square_root(inside)


def _rational_roots(rows: Rows) -> list[flint.fmpq]:
    matrix = real_matrix(rows)
    if len(rows) == 1:
        return [real_part(rows[0][0])]
    polynomial = matrix.charpoly().rational
    assert polynomial is not None
    factors = polynomial.numer().factor()[1]
    if any(factor.degree() > 1 for factor, _ in factors):
        raise NoValue("an irrational or complex eigenvalue")
    return [flint.fmpq(-factor[0], factor[1]) for factor, _ in factors]
