"""Numbers with square roots, as towers a + b sqrt(p): a and b have smaller primes under their roots, or none."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

_TERM = re.compile(r"([+-]?)(?:(\d+(?:/\d+)?)\*?)?(?:sqrt\((\d+)\))?")


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
        """Return the tower."""
        return f"({self.a} + {self.b} sqrt({self.p}))"

    def __add__(self, other: Any) -> Any:
        """Add part by part, below the larger prime."""
        p, (a, b), (c, d) = _over_one(self, other)
        return _root(a + c, b + d, p)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        """Multiply out."""
        p, (a, b), (c, d) = _over_one(self, other)
        return _root(a * c + b * d * p, a * d + b * c, p)

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        """Change both signs."""
        return Root(-self.a, -self.b, self.p)

    def __sub__(self, other: Any) -> Any:
        """Subtract."""
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        """Subtract."""
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        """Divide, by the conjugate of the divisor."""
        return self * inverse(other)

    def __rtruediv__(self, other: Any) -> Any:
        """Divide, by the conjugate of the divisor."""
        return inverse(self) * other

    def __pow__(self, n: int) -> Any:
        """Multiply n times."""
        return 1 if n == 0 else self * self ** (n - 1)

    def __eq__(self, other: object) -> bool:
        """Compare, exactly."""
        return sign(self - other) == 0

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> bool:
        """Compare, exactly."""
        return sign(self - other) < 0

    def __gt__(self, other: Any) -> bool:
        """Compare, exactly."""
        return sign(self - other) > 0

    def __le__(self, other: Any) -> bool:
        """Compare, exactly."""
        return sign(self - other) <= 0

    def __ge__(self, other: Any) -> bool:
        """Compare, exactly."""
        return sign(self - other) >= 0


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
