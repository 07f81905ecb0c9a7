"""Commuting scalars: Laurent polynomials with rational coefficients, in normal form, so that equal ones are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, KeysView, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Any, Generic, Self, TypeVar

from tdrc_theory.algebra.letter import letter_tree
from tdrc_theory.formula.expression import ZERO, Expr, number
from tdrc_theory.formula.written import text

Generator = str | tuple[str, ...]
"""A symbol such as `eta`, or a closed word such as ("z*", "A", "z"), which is a number."""

Monomial = tuple[tuple[Generator, int], ...]
"""(generator, exponent) pairs, sorted, no exponent 0."""

Rational = int | Fraction
"""A coefficient. Whole ones are `int`, whose arithmetic takes a tenth of the time, so none is divided by another."""

Key = TypeVar("Key")
Coefficient = TypeVar("Coefficient")
_UNIT: dict[Monomial, Rational] = {(): 1}
_KEPT = 2**16
"""Monomials, and pairs of them, of which is kept what is asked again and again."""


def generator_key(generator: Generator) -> tuple[bool, Any]:
    """Order generators: symbols first, then closed words."""
    return (not isinstance(generator, str), generator)


class Sum(Generic[Key, Coefficient]):
    """A sum of multiples of keys, none of them by 0: what scalars and elements of the free algebra are."""

    __slots__ = ("_ordered", "_terms")

    _ordered: list[tuple[Key, Coefficient]] | None

    def __init__(self, terms: Mapping[Key, Coefficient]) -> None:
        self._terms = dict(terms)
        self._ordered = None

    @staticmethod
    def _place(key: Any) -> tuple[Any, ...]:
        """Return what keys are ordered by."""
        raise NotImplementedError

    def _trees(self) -> list[Expr]:
        """Return each term as a formula."""
        raise NotImplementedError

    @property
    def terms(self) -> list[tuple[Key, Coefficient]]:
        """Return (key, coefficient) pairs, of high degree first; not to be changed."""
        if self._ordered is None:
            self._ordered = sorted(self._terms.items(), key=lambda term: self._place(term[0]))
        return self._ordered

    def tree(self) -> Expr:
        """Return it as a formula."""
        terms = self._trees()
        return (terms[0] if len(terms) == 1 else Expr("add", tuple(terms))) if terms else ZERO

    @property
    def is_zero(self) -> bool:
        """Whether it is 0."""
        return not self._terms

    def __add__(self, other: Self) -> Self:
        total: dict[Key, Any] = dict(self._terms)
        for key, c in other._terms.items():
            total[key] = total[key] + c if key in total else c
        return type(self)(total)

    def __neg__(self) -> Self:
        negated: dict[Key, Any] = {key: -c for key, c in self._terms.items()}  # type: ignore[operator]
        return type(self)(negated)

    def __sub__(self, other: Self) -> Self:
        return self + -other

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(frozenset(self._terms.items()))

    def __str__(self) -> str:
        return text(self.tree())

    __repr__ = __str__


class Scalar(Sum[Monomial, Rational]):
    """A sum of rational multiples of products of powers of generators; `i` is the imaginary unit.

    Exponents may be negative: dividing by a generator says that it is not zero.

    >>> eta, beta = Scalar.of("eta"), Scalar.of("beta")
    >>> (eta + beta) * (eta - beta) == eta**2 - beta**2
    True
    >>> Scalar.of("i") ** 2 == Scalar.number(-1)
    True
    """

    __slots__ = ()

    def __init__(self, terms: Mapping[Monomial, Rational]) -> None:
        self._terms = {monomial: c for monomial, c in terms.items() if c}
        self._ordered = None

    @staticmethod
    def _place(key: Monomial) -> tuple[Any, ...]:
        return _order(key)

    def _trees(self) -> list[Expr]:
        return [signed_product(c, factors_of(monomial)) for monomial, c in self.terms]

    @classmethod
    def number(cls, value: Rational) -> Scalar:
        """Return a constant."""
        return cls({(): value.numerator if value.denominator == 1 else value})

    @classmethod
    def of(cls, generator: Generator, exponent: int = 1) -> Scalar:
        """Return a power of a generator."""
        return cls({((generator, exponent),): 1}) if exponent else cls.number(1)

    @property
    def monomials(self) -> KeysView[Monomial]:
        """Return its monomials, in no order."""
        return self._terms.keys()

    @property
    def is_monomial(self) -> bool:
        """Whether it has one term only."""
        return len(self._terms) == 1

    def __mul__(self, other: Scalar) -> Scalar:
        if other._terms == _UNIT or self._terms == _UNIT:  # most factors are
            return self if other._terms == _UNIT else other
        total: dict[Monomial, Rational] = {}
        for left, a in self._terms.items():
            for right, b in other._terms.items():
                sign, monomial = _product(left, right)
                product = a * b if sign > 0 else -a * b
                total[monomial] = total[monomial] + product if monomial in total else product
        return Scalar(total)

    def __pow__(self, exponent: int) -> Scalar:
        if exponent < 0:
            return self.inverse() ** -exponent
        result = Scalar.number(1)
        for _ in range(exponent):
            result *= self
        return result

    def inverse(self) -> Scalar:
        """Return 1 over a monomial.

        Raises:
            ZeroDivisionError: it has no terms, or more than one.
        """
        if not self.is_monomial:
            raise ZeroDivisionError(f"{self} has no inverse among Laurent polynomials")
        ((monomial, c),) = self._terms.items()
        turned = {g: -e for g, e in monomial}
        return Scalar.number(Fraction(1) / c) * _collected(turned.items())

    def content(self) -> Scalar:
        """Return the largest monomial that divides every term, with the sign of the first term.

        >>> eta, beta = Scalar.of("eta"), Scalar.of("beta")
        >>> str((eta * beta * Scalar.number(-2) - eta**2 * Scalar.number(4)).content())
        '-2 eta'
        """
        if self.is_zero:
            return Scalar.number(1)
        exponents = [dict(monomial) for monomial in self._terms]
        shared = {g for each in exponents for g in each}
        lowest = {g: min(each.get(g, 0) for each in exponents) for g in shared}
        size = _rational_content(self._terms.values())
        sign = 1 if self.terms[0][1] > 0 else -1
        return Scalar.number(sign * size) * _collected(lowest.items())

    def degree(self, generator: Generator) -> int:
        """Return the highest exponent of a generator."""
        return max((dict(monomial).get(generator, 0) for monomial in self._terms), default=0)

    def generators(self) -> set[Generator]:
        """Return what occurs in it."""
        return {g for monomial in self._terms for g, _ in monomial}

    def map(self, image: Callable[[Generator], Scalar | None]) -> Scalar:
        """Replace each generator for which `image` returns a scalar."""
        total = Scalar({})
        for monomial, c in self._terms.items():
            product = Scalar.number(c)
            for g, e in monomial:
                replaced = image(g)
                product *= Scalar.of(g, e) if replaced is None else replaced**e
            total += product
        return total

    def constant(self) -> Rational | None:
        """Return its value where it is a number."""
        return self._terms.get((), 0) if set(self._terms) <= {()} else None


def factors_of(monomial: Monomial) -> tuple[Expr, ...]:
    """Return the factors of a monomial as formulas."""
    bases = (letter_tree(g) if isinstance(g, str) else Expr("mul", tuple(map(letter_tree, g))) for g, _ in monomial)
    return tuple(base if e == 1 else base**e for base, (_, e) in zip(bases, monomial, strict=True))


def signed_product(c: Rational, factors: Sequence[Expr]) -> Expr:
    """Return a number times factors as a formula."""
    parts = [*([] if c == 1 and factors else [number(c)]), *factors]
    return parts[0] if len(parts) == 1 else Expr("mul", tuple(parts))


@lru_cache(maxsize=_KEPT)
def _order(monomial: Monomial) -> tuple[Any, ...]:
    return (-sum(e for _, e in monomial), [(generator_key(g), -e) for g, e in monomial])


def _collected(powers: Iterable[tuple[Generator, int]]) -> Scalar:
    """Return a product of powers, i^2 = -1 applied."""
    sign, monomial = _monomial(dict(powers))
    return Scalar({monomial: sign})


def _monomial(powers: dict[Generator, int]) -> tuple[int, Monomial]:
    """Return the sign and the monomial of a product of powers, i^2 = -1 applied."""
    turns = powers.pop("i", 0) % 4
    if turns % 2:
        powers["i"] = 1
    ordered = [(g, e) for g, e in powers.items() if e]
    try:
        ordered.sort()
    except TypeError:  # symbols and closed words, which Python does not compare with each other
        ordered.sort(key=lambda pair: generator_key(pair[0]))
    return (-1 if turns >= 2 else 1), tuple(ordered)


@lru_cache(maxsize=_KEPT)
def _product(left: Monomial, right: Monomial) -> tuple[int, Monomial]:
    if not left or not right:
        return 1, left or right
    powers = dict(left)
    for g, e in right:
        powers[g] = powers.get(g, 0) + e
    return _monomial(powers)


def _rational_content(values: Iterable[Rational]) -> Fraction:
    values = list(values)
    return Fraction(gcd(*(v.numerator for v in values)), lcm(*(v.denominator for v in values)))
