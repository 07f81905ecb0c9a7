"""Complex numbers with rational parts, exact."""

from __future__ import annotations

from dataclasses import dataclass
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
