"""Sums of rational multiples of square roots: the numbers that normalised feature vectors bring in."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.exact.precision import precision

Rational = int | Fraction

_FLOAT_BITS = 60
"""A double has 53. Terms that nearly cancel leave fewer at the usual precision, and even the wrong sign."""


@functools.total_ordering
class Surd:
    """An irrational element of a field Q(sqrt 2, sqrt 3, sqrt 5, ...): a sum of c_n sqrt(n), n square-free.

    Square roots of different square-free numbers are linearly independent over the rationals, so a value is zero
    exactly when every coefficient is. Arithmetic returns a Fraction as soon as a result is rational, so a Surd is
    never a rational in disguise.

    >>> a = sqrt(2) + 1
    >>> a * (sqrt(2) - 1), 1 / a, a > Fraction(12, 5)
    (Fraction(1, 1), Surd('-1 + sqrt(2)'), True)
    """

    __slots__ = ("_terms",)

    def __init__(self, terms: Mapping[int, Fraction]) -> None:
        self._terms = dict(sorted(terms.items()))

    @property
    def terms(self) -> dict[int, Fraction]:
        """Return {n: c_n}, every c_n nonzero, n square-free, 1 standing for the rational part."""
        return dict(self._terms)

    def __add__(self, other: Any) -> Any:
        theirs = _terms(other)
        if theirs is None:
            return NotImplemented
        total = dict(self._terms)
        for n, c in theirs.items():
            total[n] = total.get(n, Fraction(0)) + c
        return _make(total)

    __radd__ = __add__

    def __neg__(self) -> Surd:
        return Surd({n: -c for n, c in self._terms.items()})

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        theirs = _terms(other)
        if theirs is None:
            return NotImplemented
        total: dict[int, Fraction] = {}
        for n, c in self._terms.items():
            for m, d in theirs.items():
                common, root = root_of_product(n, m)
                total[root] = total.get(root, Fraction(0)) + c * d * common
        return _make(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Surd):
            return self * _inverse(other)
        return self * (1 / Fraction(other)) if isinstance(other, int | Fraction) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return _inverse(self) * other if isinstance(other, int | Fraction) else NotImplemented

    def __pow__(self, exponent: int) -> Any:
        if not isinstance(exponent, int) or exponent < 0:
            return NotImplemented
        result: Any = Fraction(1)
        for _ in range(exponent):
            result = self * result
        return result

    def enclosure(self) -> flint.arb:
        """Return a ball that contains the value, at python-flint's working precision."""
        total = flint.arb(0)
        for n, c in self._terms.items():
            total += flint.arb(flint.fmpq(c.numerator, c.denominator)) * flint.arb(n).sqrt()
        return total

    def __float__(self) -> float:
        ball = enclosed(self.enclosure, lambda ball: ball.rel_accuracy_bits() > _FLOAT_BITS)
        value = float(ball)
        if math.isinf(value):
            raise OverflowError("a number too large to convert to float")
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Surd) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(tuple(self._terms.items()))

    def __lt__(self, other: Any) -> bool:
        return sign(self - other) < 0

    def __str__(self) -> str:
        parts = [_term_text(n, c) for n, c in self._terms.items()]
        return " + ".join(parts).replace("+ -", "- ")

    def __repr__(self) -> str:
        return f"Surd({str(self)!r})"


def sqrt(value: Rational) -> Fraction | Surd:
    """Return the exact square root of a nonnegative rational.

    >>> str(sqrt(Fraction(1, 2))), sqrt(Fraction(9, 4))
    ('1/2*sqrt(2)', Fraction(3, 2))
    """
    value = Fraction(value)
    if value < 0:
        raise ValueError(f"sqrt of {value}: only nonnegative rationals have a real square root")
    outside, inside = 1, 1
    for prime, power in flint.fmpz(value.numerator * value.denominator).factor() if value else ():
        outside *= int(prime) ** (power // 2)
        inside *= int(prime) ** (power % 2)
    root = Fraction(outside, value.denominator) if value else Fraction(0)
    return root if inside == 1 else Surd({inside: root})


def root_of_product(n: int, m: int) -> tuple[int, int]:
    """Return (c, r) with sqrt(n) sqrt(m) = c sqrt(r), n, m and r square-free."""
    common = math.gcd(n, m)
    return common, n * m // common**2


def sign(value: Rational | Surd) -> int:
    """Return -1, 0 or 1, exactly: an irrational value is not zero, so some precision tells its sign."""
    if not isinstance(value, Surd):
        return (value > 0) - (value < 0)
    return 1 if enclosed(value.enclosure, lambda ball: bool(ball > 0 or ball < 0)) > 0 else -1


def enclosed(enclosure: Callable[[], flint.arb], enough: Callable[[flint.arb], bool]) -> flint.arb:
    """Return the first of the enclosures of growing precision that is narrow enough; one of them must be."""
    with precision():
        while True:
            ball = enclosure()
            if enough(ball):
                return ball
            flint.ctx.prec *= 2


def _terms(value: Any) -> dict[int, Fraction] | None:
    if isinstance(value, Surd):
        return value._terms
    return {1: Fraction(value)} if isinstance(value, int | Fraction) else None


def _make(terms: dict[int, Fraction]) -> Fraction | Surd:
    kept = {n: c for n, c in terms.items() if c}
    return kept.get(1, Fraction(0)) if set(kept) <= {1} else Surd(kept)


def combined(terms: Iterable[tuple[int, flint.fmpq]]) -> Fraction | Surd:
    """Return a sum of c sqrt(n) from (n, c) pairs, every n square-free and once."""
    return _make({n: Fraction(int(c.p), int(c.q)) for n, c in terms if c != 0})


def _inverse(value: Fraction | Surd) -> Fraction | Surd:
    if not isinstance(value, Surd):
        return 1 / value
    radicand = max(value._terms)
    prime = int(flint.fmpz(radicand).factor()[0][0])
    conjugate = Surd({n: -c if n % prime == 0 else c for n, c in value._terms.items()})
    return conjugate * _inverse(value * conjugate)


def _term_text(n: int, c: Fraction) -> str:
    if n == 1:
        return str(c)
    factor = "" if c == 1 else "-" if c == -1 else f"{c}*"
    return f"{factor}sqrt({n})"
