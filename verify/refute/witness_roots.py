"""Signs of gaps in which an extreme eigenvalue occurs, from signs of coefficients alone: part of `witness_check`.

All roots of the characteristic polynomial being real, Descartes' rule is exact: as many are positive as the
coefficients change sign. The eigenvalue itself need not be rational. Where a root is not real the extreme eigenvalue
is undefined.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any


class CannotTell(Exception):
    """The formula has an operation that the checker lacks, or no value at the witness."""


def side_of(coefficients: list[Fraction], largest: bool, point: Fraction) -> int:
    """Return the sign of mu - point for the largest or smallest root mu of a polynomial.

    Args:
        coefficients: in descending powers, the first one 1; degree 1 or 2.
        largest: which root mu is. point: what it is compared with.

    Raises:
        CannotTell: a root is not real, or the degree is higher.

    >>> side_of([Fraction(1), Fraction(0), Fraction(-2)], True, Fraction(7, 5))
    1
    """
    n = len(coefficients) - 1
    if n > 2:
        raise CannotTell("eigenvalues of more than 2 x 2")
    if n == 2 and coefficients[1] ** 2 < 4 * coefficients[2]:
        raise CannotTell("complex eigenvalues")
    shifted = [
        sum((coefficients[i] * comb(n - i, k) * point ** (n - i - k) for i in range(n - k + 1)), Fraction(0))
        for k in range(n, -1, -1)
    ]
    if not largest:  # the smallest root is the largest of the mirrored polynomial, with the other sign
        shifted = [c * (-1) ** i for i, c in enumerate(shifted)]
    signs = [c > 0 for c in shifted if c != 0]
    changes = any(a != b for a, b in pairwise(signs))
    sign = 1 if changes else 0 if shifted[-1] == 0 else -1
    return sign if largest else -sign


def extremes(formula: Any) -> list[list[Any]]:
    """Return the extreme eigenvalues in a formula that is nested lists."""
    if not isinstance(formula, list):
        return []
    return [formula] if formula[0] in ("eigmax", "eigmin") else [node for part in formula for node in extremes(part)]


def with_number(formula: Any, node: list[Any], value: int) -> Any:
    """Return a formula with a number for one of its nodes."""
    if formula is node:
        return ["number", str(value)]
    return [with_number(part, node, value) for part in formula] if isinstance(formula, list) else formula
