"""Numbers, rows and fractions as Coq writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

Integers = list[list[int]]


def cleared(*matrices: Sequence[Sequence[Fraction]]) -> tuple[int, list[Integers]]:
    """Return a common positive denominator of matrices, and each of them times it.

    >>> cleared([[Fraction(1, 2), Fraction(1, 3)]])
    (6, [[[3, 2]]])
    """
    denominator = lcm(*(value.denominator for matrix in matrices for row in matrix for value in row))
    return denominator, [[[int(v * denominator) for v in row] for row in matrix] for matrix in matrices]


def whole(value: int) -> str:
    """Return an integer as a term."""
    return f"({value})" if value < 0 else str(value)


def fraction(value: Fraction) -> str:
    """Return a fraction as a term."""
    return f"({whole(value.numerator)}, {value.denominator}%positive)"


def listed(terms: Iterable[str], separator: str = "; ") -> str:
    """Return a list of terms as a term."""
    text = separator.join(terms)
    return f"[:: {text}]" if text else "[::]"


def row(values: Iterable[int]) -> str:
    """Return a row of integers as a term."""
    return listed(map(whole, values))


def rows(matrix: Iterable[Iterable[int]]) -> str:
    """Return rows of integers as a term, a row a line."""
    return listed(map(row, matrix), ";\n  ")


def fractions(values: Iterable[Fraction]) -> str:
    """Return a list of fractions as a term."""
    return listed(map(fraction, values))


def boolean(value: bool) -> str:
    """Return a truth value as a term."""
    return "true" if value else "false"


def option(value: int | None) -> str:
    """Return a natural number that may be missing as a term."""
    return "None" if value is None else f"(Some {value}%nat)"
