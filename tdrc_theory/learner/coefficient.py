"""Coefficients of an update: rational functions of what a step offers as numbers and of the learner's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import flint

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.exact.number import from_fmpq, to_fmpq
from tdrc_theory.learner.step_data import NUMBERS
from tdrc_theory.notation import NONNEGATIVE, scalar_symbol
from tdrc_theory.parameters import RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator

STEP_NUMBERS = tuple(sorted((*NUMBERS, *RANGES)))
"""Names that every ring has: the numbers of a step, and the parameters that learners share."""

_ring: ContextVar[flint.fmpq_mpoly_ctx] = ContextVar("ring")


@contextmanager
def ring(parameters: tuple[str, ...]) -> Iterator[None]:
    """Make coefficients in these parameters besides the numbers of a step while the block runs."""
    names = (*STEP_NUMBERS, *sorted(set(parameters) - set(STEP_NUMBERS)))
    token = _ring.set(flint.fmpq_mpoly_ctx.get(names, "lex"))
    try:
        yield
    finally:
        _ring.reset(token)


Monomials = tuple[tuple[flint.fmpq, tuple[tuple[str, int], ...]], ...]
"""A polynomial: (number, ((name, exponent), ...)) for each of its terms."""


class Coefficient:
    """A quotient of polynomials with rational coefficients, reduced, the denominator's leading coefficient 1."""

    __slots__ = ("_listed", "denominator", "numerator")

    def __init__(self, numerator: flint.fmpq_mpoly, denominator: flint.fmpq_mpoly | None = None) -> None:
        self._listed: tuple[Monomials, Monomials] | None = None
        one = numerator.context().constant(1)
        if denominator is None or denominator.is_one():
            self.numerator, self.denominator = numerator, one
            return
        common = numerator.gcd(denominator)
        numerator, denominator = numerator // common, denominator // common
        lead = denominator.leading_coefficient()
        self.numerator, self.denominator = numerator / lead, denominator / lead

    @classmethod
    def named(cls, name: str) -> Coefficient:
        """Return the coefficient that is one of the ring's names."""
        context = _ring.get()
        return cls(context.gens()[context.names().index(name)])

    @classmethod
    def of(cls, value: Any) -> Coefficient:
        """Return an exact number as a coefficient; a coefficient is one."""
        return value if isinstance(value, Coefficient) else cls(_ring.get().constant(to_fmpq(value)))

    @property
    def names(self) -> frozenset[str]:
        """The names that it depends on."""
        return frozenset(name for part in self._monomials for _, powers in part for name, _ in powers)

    def at(self, values: Mapping[str, Fraction]) -> Fraction:
        """Return its value where every name that it depends on has one.

        Raises:
            BadAlgorithm: it divides by 0 there.
        """
        return from_fmpq(self.at_point({name: to_fmpq(value) for name, value in values.items()}))

    def at_point(self, point: Mapping[str, flint.fmpq]) -> flint.fmpq:
        """Return its value where every name that it depends on has one; see `at`."""
        top, below = (_value(part, point) for part in self._monomials)
        if below == 0:
            raise BadAlgorithm("divides by 0")
        return top if self.denominator.is_one() else top / below

    @property
    def _monomials(self) -> tuple[Monomials, Monomials]:
        """Both parts as monomials, cheaper to evaluate than polynomials in every name of the ring."""
        if self._listed is None:
            self._listed = _monomials(self.numerator), _monomials(self.denominator)
        return self._listed

    def bound(self, values: Mapping[str, Fraction]) -> Coefficient:
        """Return it with numbers for some of its names."""
        used: dict[Any, Any] = {name: to_fmpq(v) for name, v in values.items() if name in self.names}
        if not used:
            return self
        below = self.denominator.subs(used)
        if not below:
            raise BadAlgorithm("divides by 0")
        return Coefficient(self.numerator.subs(used), below)

    def degree(self, name: str) -> tuple[int, int]:
        """Return the degrees of numerator and denominator in a name."""
        place = self.numerator.context().names().index(name)
        top, below = (max(int(part.degrees()[place]), 0) for part in (self.numerator, self.denominator))
        return top, below

    def split(self, name: str) -> tuple[Coefficient, Coefficient] | None:
        """Return (a, b) with self = a + b name, both without the name; None where it is not affine in it."""
        if name not in self.names:
            return self, Coefficient(self.numerator.context().constant(0))
        if self.degree(name) != (1, 0):
            return None
        return self.bound({name: Fraction(0)}), Coefficient(self.numerator.derivative(name), self.denominator)

    def divided_by(self, other: Coefficient) -> Coefficient | None:
        """Return the quotient where it needs no denominator that is not there already, else None."""
        if not other:
            return None
        quotient = self / other
        return quotient if self.denominator.gcd(quotient.denominator) == quotient.denominator else None

    def __add__(self, other: Coefficient) -> Coefficient:
        if self.denominator == other.denominator:
            return Coefficient(self.numerator + other.numerator, self.denominator)
        top = self.numerator * other.denominator + other.numerator * self.denominator
        return Coefficient(top, self.denominator * other.denominator)

    def __neg__(self) -> Coefficient:
        return Coefficient(-self.numerator, self.denominator)

    def __sub__(self, other: Coefficient) -> Coefficient:
        return self + (-other)

    def __mul__(self, other: Coefficient) -> Coefficient:
        return Coefficient(self.numerator * other.numerator, self.denominator * other.denominator)

    def __truediv__(self, other: Coefficient) -> Coefficient:
        if not other:
            raise BadAlgorithm("divides by 0")
        return Coefficient(self.numerator * other.denominator, self.denominator * other.numerator)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Coefficient):
            return NotImplemented
        if self.numerator.context() is not other.numerator.context():
            return self._terms == other._terms
        return bool(self.numerator == other.numerator and self.denominator == other.denominator)

    @property
    def _terms(self) -> tuple[frozenset[Any], ...]:
        """Both parts, whatever the ring."""
        return tuple(frozenset((int(c.p), int(c.q), powers) for c, powers in part) for part in self._monomials)

    def __hash__(self) -> int:
        return hash(self._terms)

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def sign(self) -> int | None:
        """Return its sign where that is the same for all values in range, else None."""
        if not self:
            return 0
        product = _monomials(self.numerator * self.denominator)
        if not self.names <= NONNEGATIVE or all(powers for _, powers in product):
            return None
        return 1 if all(c > 0 for c, _ in product) else -1 if all(c < 0 for c, _ in product) else None

    def to_sympy(self) -> Any:
        """Return it as an expanded sympy expression."""
        import sympy

        def polynomial(monomials: Monomials) -> Any:
            parts = ((sympy.Rational(int(c.p), int(c.q)), (scalar_symbol(n) ** e for n, e in p)) for c, p in monomials)
            return sympy.Add(*(sympy.Mul(number, *powers) for number, powers in parts))

        top, below = map(polynomial, self._monomials)
        return top if below == 1 else top / sympy.factor(below)

    def __str__(self) -> str:
        return str(self.to_sympy()).replace("**", "^")

    __repr__ = __str__

    def __reduce__(self) -> Any:
        raise TypeError("a coefficient belongs to the trace that it was read in; pickle the algorithm")


def _monomials(polynomial: flint.fmpq_mpoly) -> Monomials:
    names = polynomial.context().names()
    return tuple(
        (c, tuple((name, int(e)) for name, e in zip(names, powers, strict=True) if e))
        for powers, c in polynomial.to_dict().items()
    )


def _value(monomials: Monomials, point: Mapping[str, flint.fmpq]) -> flint.fmpq:
    total = flint.fmpq(0)
    for c, powers in monomials:
        for name, e in powers:
            c *= point[name] if e == 1 else point[name] ** e
        total += c
    return total
