"""Matrices modulo a prime, as NumPy arrays: guides of exact computations, many times faster than exact numbers.

A factor is split into two halves of 13 bits, so that the products of either with numbers of 26 bits add up exactly in
floats, for up to 2^14 of them.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

PRIME = 2**26 - 5
_HALF = 13


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return a @ b modulo the prime, of arrays (..., m, n) and (..., n, r) of numbers from 0 to PRIME - 1."""
    right = b.astype(np.float64)
    high, low = ((part.astype(np.float64) @ right).astype(np.int64) for part in (a >> _HALF, a & (2**_HALF - 1)))
    result: np.ndarray = ((high % PRIME << _HALF) + low) % PRIME
    return result


def residue(value: int | Fraction) -> int:
    """Return a rational modulo the prime.

    Raises:
        ValueError: its denominator has that factor.
    """
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


class Residues:
    """A matrix modulo the prime, as `Ring` takes it.

    Attributes:
        values: (rows, columns), from 0 to PRIME - 1.
    """

    __slots__ = ("values",)

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __mul__(self, other: Residues | int) -> Residues:
        """Return the product with a matrix, or with a number."""
        if isinstance(other, Residues):
            return Residues(product(self.values, other.values))
        return Residues(self.values * other % PRIME)

    def __add__(self, other: Residues) -> Residues:
        return Residues((self.values + other.values) % PRIME)

    def transpose(self) -> Residues:
        """Return the transpose."""
        return Residues(self.values.T)
