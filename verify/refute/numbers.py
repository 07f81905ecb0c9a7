"""Complex numbers with rational parts, exact."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import flint


@dataclass(frozen=True, slots=True)
class Gaussian:
    """re + im i.

    >>> Gaussian(flint.fmpq(0), flint.fmpq(1)) * Gaussian(flint.fmpq(0), flint.fmpq(1)) == -1
    True
    """

    re: flint.fmpq
    im: flint.fmpq

    def __add__(self, other: Any) -> Gaussian:
        other = gaussian(other)
        return Gaussian(self.re + other.re, self.im + other.im)

    __radd__ = __add__

    def __neg__(self) -> Gaussian:
        return Gaussian(-self.re, -self.im)

    def __sub__(self, other: Any) -> Gaussian:
        return self + -gaussian(other)

    def __rsub__(self, other: Any) -> Gaussian:
        return gaussian(other) - self

    def __mul__(self, other: Any) -> Gaussian:
        other = gaussian(other)
        return Gaussian(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Gaussian:
        other = gaussian(other)
        size = other.re * other.re + other.im * other.im
        return self * Gaussian(other.re / size, -other.im / size)

    def __rtruediv__(self, other: Any) -> Gaussian:
        return gaussian(other) / self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Gaussian | flint.fmpq | int):
            return NotImplemented
        other = gaussian(other)
        return bool(self.re == other.re and self.im == other.im)

    def __hash__(self) -> int:
        return hash((self.re, self.im))


def gaussian(value: Any) -> Gaussian:
    """Return a number as a complex one."""
    return value if isinstance(value, Gaussian) else Gaussian(flint.fmpq(value), flint.fmpq(0))


def conjugate(value: Any) -> Any:
    """Return the complex conjugate."""
    return Gaussian(value.re, -value.im) if isinstance(value, Gaussian) else value


def real_part(value: Any) -> flint.fmpq:
    """Return the real part."""
    return value.re if isinstance(value, Gaussian) else value


def imaginary_part(value: Any) -> flint.fmpq:
    """Return the imaginary part."""
    return value.im if isinstance(value, Gaussian) else flint.fmpq(0)


class NoValue(ArithmeticError):
    """What is asked for does not exist, or is not a number of the kinds that are known here."""


@dataclass(frozen=True, slots=True)
class QuadraticSurd:
    """p + q sqrt(r), where r > 0 is no square of a rational number and q is not 0.

    Two of them are added or multiplied where r is the same; anything else has no value here.

    >>> root = square_root(flint.fmpq(2))
    >>> root * root == 2, (root - 1).sign, (root - 2).sign
    (True, 1, -1)
    """

    p: flint.fmpq
    q: flint.fmpq
    r: flint.fmpq

    def _parts(self, other: Any) -> tuple[flint.fmpq, flint.fmpq]:
        if isinstance(other, QuadraticSurd):
            if other.r != self.r:
                raise NoValue("roots of different numbers")
            return other.p, other.q
        return flint.fmpq(other), flint.fmpq(0)

    def __add__(self, other: Any) -> Any:
        p, q = self._parts(other)
        return _number(self.p + p, self.q + q, self.r)

    __radd__ = __add__

    def __neg__(self) -> QuadraticSurd:
        return QuadraticSurd(-self.p, -self.q, self.r)

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
        size = self.p * self.p - self.q * self.q * self.r
        return _number(self.p / size, -self.q / size, self.r) * other

    @property
    def sign(self) -> int:
        """Return 1 or -1: the sign of the greater of |p| and |q| sqrt(r); it is irrational, so never 0."""
        leading = self.p if self.p * self.p > self.q * self.q * self.r else self.q
        return 1 if leading > 0 else -1

    def __float__(self) -> float:
        p, q, r = (int(x.p) / int(x.q) for x in (self.p, self.q, self.r))
        return float(p + q * r**0.5)


def _number(p: flint.fmpq, q: flint.fmpq, r: flint.fmpq) -> Any:
    return p if q == 0 else QuadraticSurd(p, q, r)


def square_root(value: flint.fmpq) -> Any:
    """Return the square root of a number that is not negative, rational where it can be."""
    top, bottom = (isqrt(int(part)) for part in (value.p, value.q))
    if flint.fmpq(top, bottom) ** 2 == value:
        return flint.fmpq(top, bottom)
    return QuadraticSurd(flint.fmpq(0), flint.fmpq(1), value)
