"""Polynomials in one variable with exact coefficients, and whether all roots are inside the unit circle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.exact.number import Number, Surd, from_fmpq, sign, times_text, to_arb, to_fmpq


class Polynomial:
    """An immutable polynomial over the rationals, or over a field of square roots.

    >>> p = Polynomial([0, 0, -2, 1])
    >>> p, p.split_zero(), p(Fraction(1, 2))
    (Polynomial('x^3 - 2*x^2'), (2, Polynomial('x - 2')), Fraction(-3, 8))

    Attributes:
        rational: the python-flint polynomial, or None where a coefficient is irrational.
    """

    __slots__ = ("_coefficients", "rational")

    def __init__(self, coefficients: Iterable[Any]) -> None:
        """Build from coefficients in ascending order; leading zeros are dropped."""
        kept = list(coefficients)
        while kept and kept[-1] == 0:
            kept.pop()
        irrational = any(isinstance(c, Surd) for c in kept)
        self.rational = None if irrational else flint.fmpq_poly([to_fmpq(c) for c in kept])
        self._coefficients: tuple[Number, ...] | None = (
            tuple(c if isinstance(c, Surd) else from_fmpq(to_fmpq(c)) for c in kept) if irrational else None
        )

    @classmethod
    def of_flint(cls, rational: flint.fmpq_poly) -> Polynomial:
        """Wrap a python-flint polynomial."""
        result = cls.__new__(cls)
        result.rational, result._coefficients = rational, None
        return result

    @property
    def coefficients(self) -> tuple[Number, ...]:
        """Return the coefficients in ascending order."""
        if self.rational is not None:
            return tuple(from_fmpq(c) for c in self.rational.coeffs())
        assert self._coefficients is not None
        return self._coefficients

    @property
    def degree(self) -> int:
        """Return the degree, -1 for the zero polynomial."""
        return self.rational.degree() if self.rational is not None else len(self.coefficients) - 1

    def __call__(self, point: Any) -> Any:
        """Evaluate by Horner's rule; the point may be exact or a ball."""
        balls = isinstance(point, flint.arb | flint.acb)
        result: Any = flint.arb(0) if balls else Fraction(0)
        for c in reversed(self.coefficients):
            result = result * point + (to_arb(c) if balls else c)
        return result

    def split_zero(self) -> tuple[int, Polynomial]:
        """Return (m, q) with self = x^m q and q(0) not 0."""
        multiplicity = next((i for i, s in enumerate(self.signs()) if s), 0)
        if self.rational is not None:
            return multiplicity, Polynomial.of_flint(self.rational.right_shift(multiplicity))
        return multiplicity, Polynomial(self.coefficients[multiplicity:])

    def signs(self) -> list[int]:
        """Return the signs of the coefficients, ascending, exactly."""
        if self.rational is not None:
            return [(c > 0) - (c < 0) for c in self.rational.numer().coeffs()]
        return [sign(c) for c in self.coefficients]

    def derivative(self) -> Polynomial:
        """Return the derivative."""
        return Polynomial([i * c for i, c in enumerate(self.coefficients)][1:])

    def square_free(self) -> Polynomial:
        """Return the polynomial with the same roots, each once."""
        if self.degree < 1:
            return self
        if self.rational is not None:
            return Polynomial.of_flint(self.rational / self.rational.gcd(self.rational.derivative()))
        quotient, _ = _divide(self.coefficients, _gcd(self.coefficients, self.derivative().coefficients))
        return Polynomial(quotient)

    def gcd(self, other: Polynomial) -> Polynomial:
        """Return a greatest common divisor."""
        if self.rational is not None and other.rational is not None:
            return Polynomial.of_flint(self.rational.gcd(other.rational))
        return Polynomial(_gcd(self.coefficients, other.coefficients))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.coefficients == other.coefficients

    def __hash__(self) -> int:
        return hash(self.coefficients)

    def __reduce__(self) -> tuple[Any, ...]:
        return Polynomial, (self.coefficients,)

    def text(self, variable: str = "x") -> str:
        """Return the polynomial as text, highest power first, denominators cleared where it is rational."""
        numbers: Sequence[Any] = self.coefficients
        if self.rational is not None:
            primitive = self.rational.numer()
            content = primitive.content()
            numbers = [c // content for c in primitive.coeffs()] if content else []
        terms = [_term(c, i, variable) for i, c in enumerate(numbers) if c != 0]
        return " + ".join(reversed(terms)).replace("+ -", "- ") or "0"

    def __repr__(self) -> str:
        return f"Polynomial({self.text()!r})"


def _term(c: Any, power: int, variable: str) -> str:
    number = f"({c})" if isinstance(c, Surd) and len(c.terms) > 1 else str(c)
    return times_text(number, {0: "", 1: variable}.get(power, f"{variable}^{power}"))


def _divide(numerator: Sequence[Any], denominator: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    remainder, quotient = list(numerator), []
    while len(remainder) >= len(denominator):
        factor = remainder[-1] / denominator[-1]
        quotient.append(factor)
        offset = len(remainder) - len(denominator)
        for i, c in enumerate(denominator):
            remainder[offset + i] = remainder[offset + i] - factor * c
        remainder.pop()
    while remainder and remainder[-1] == 0:
        remainder.pop()
    return quotient[::-1], remainder


def _gcd(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    a, b = list(first), list(second)
    while b:
        a, b = b, _divide(a, b)[1]
    return a


def is_inside_unit_disc(polynomial: Polynomial) -> bool:
    """Return whether every root t has |t| < 1.

    With p* = t^n p(1/t), all roots of p are inside iff |p(0)| is below the modulus of the leading coefficient a and
    those of (a p - p(0) p*) / t, of a lower degree, are inside.

    >>> is_inside_unit_disc(Polynomial([1, 0, 4])), is_inside_unit_disc(Polynomial([1, 0, 1]))
    (True, False)
    """
    rational = polynomial.rational
    assert rational is not None, "rational coefficients"
    rest = rational.numer()
    while rest.degree() > 0:
        last, first = rest[0], rest[rest.degree()]
        if abs(last) >= abs(first):
            return False
        mirrored = flint.fmpz_poly(rest.coeffs()[::-1])
        rest = (first * rest - last * mirrored).right_shift(1)
        rest = rest // rest.content()
    return rest.degree() == 0
