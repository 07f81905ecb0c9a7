"""Sets of values of one parameter: between exact boundaries, one exact sample decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

import flint

from tdrc_theory.cli.finite import finite
from tdrc_theory.errors import Inconsistent, Unseparated
from tdrc_theory.exact import Polynomial, simplest_between
from tdrc_theory.exact.number import from_fmpq, number_text, precision, to_fmpq
from tdrc_theory.parameters import out_of_range
from verify.exact.roots import Enclosure, real_roots

_BITS = (128, 1024, 8192)
"""Tried in turn, until neighbouring boundaries are apart."""


@dataclass(frozen=True, slots=True)
class End:
    """A number as a ball around it and a polynomial that it is a root of, irreducible where that is cheap to find."""

    ball: flint.arb
    polynomial: Polynomial

    def __repr__(self) -> str:
        return f"<{self.value:.8g}: {self.text()}>"

    @property
    def rational(self) -> Fraction | None:
        """Return the number if it is rational, None otherwise."""
        if self.polynomial.degree != 1 or self.polynomial.rational is None:
            return None
        constant, slope = self.polynomial.coefficients
        return Fraction(-constant / slope)

    @property
    def enclosure(self) -> Enclosure:
        """Return an interval of floats around it."""
        return Enclosure.of_ball(self.ball)

    @property
    def value(self) -> float:
        """Return the nearest float, or one next to it."""
        return float(self.ball.mid())

    @property
    def finite(self) -> float | None:
        """Return the value for JSON, None where it is past the largest double."""
        return finite(self.value)

    def text(self) -> str:
        """Return what it is exactly."""
        rational = self.rational
        return f"root of {self.polynomial.text('t')}" if rational is None else number_text(rational)

    @classmethod
    def of(cls, value: Fraction) -> End:
        """Return a rational end."""
        with precision(_BITS[0]):
            return cls(flint.arb(to_fmpq(value)), Polynomial([-value, 1]))


@dataclass(frozen=True, slots=True)
class Interval:
    """A set of parameter values; `upper` None stands for no end."""

    lower: End
    lower_closed: bool
    upper: End | None
    upper_closed: bool

    def inside(self) -> Fraction | None:
        """Return a simple rational of the interval; None of a single irrational number."""
        low, high = _bound(self.lower, upper=True), None if self.upper is None else _bound(self.upper, upper=False)
        return _simple(low, high) if high is None or high > low else self.lower.rational

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object; beside the exact ends, enclosures of both."""
        ends = {"lower": self.lower, "upper": self.upper}
        return {
            "lower": self.lower.finite,
            "lower_closed": self.lower_closed,
            "upper": self.upper and self.upper.finite,
            "upper_closed": self.upper_closed,
            "exact": {name: end and end.text() for name, end in ends.items()},
            "enclosures": {name: end and end.enclosure.to_json() for name, end in ends.items()},
        }

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        left, right = "[(", "])"
        shown = "infinity" if self.upper is None else f"{self.upper.value:.8g}"
        return f"{left[not self.lower_closed]}{self.lower.value:.8g}, {shown}{right[not self.upper_closed]}"


def positive_ends(polynomials: Iterable[Polynomial]) -> list[End]:
    """Return the positive real roots of all of them, ascending, each once, with the polynomials that they solve.

    Raises:
        Unseparated: two boundaries are so close that no reasonable precision tells them apart.
    """
    factors = [factor for polynomial in polynomials for factor in _factors(polynomial.split_zero()[1])]
    for bits in _BITS:
        with precision(bits):
            balls = [End(ball, factor) for factor in factors for ball in real_roots(factor, bits) if ball > 0]
            ends = _distinct(sorted(balls, key=lambda end: end.ball.mid()))
        if ends is not None:
            return ends
    raise Unseparated("two boundaries are too close to each other to be told apart")


def within_range(name: str, ends: list[End]) -> list[End]:
    """Return the ends within the range of a parameter, with that of the range itself where it is bounded."""
    if not out_of_range(name, Fraction(2)):
        return ends
    return [*(end for end in ends if end.value < 1 and end.rational != 1), End.of(Fraction(1))]


def _factors(polynomial: Polynomial) -> list[Polynomial]:
    rational = polynomial.rational
    if polynomial.degree < 1:
        return []
    if rational is None:
        return [polynomial]
    return [
        Polynomial([from_fmpq(flint.fmpq(c)) for c in factor.coeffs()])
        for part, _ in rational.numer().factor_squarefree()[1]
        for factor, _ in part.factor()[1]
        if factor.degree() > 0
    ]


def _distinct(ends: list[End]) -> list[End] | None:
    """Drop what stands twice; None where two overlap that are different numbers.

    Roots of one polynomial are apart. Irrational data give polynomials that are not factored, so that a common root
    takes a common divisor.
    """
    kept: list[End] = []
    for end in ends:
        if kept and kept[-1].ball.overlaps(end.ball):
            if kept[-1].polynomial.gcd(end.polynomial).degree < 1:
                return None
            continue
        kept.append(end)
    return kept


def samples_between(ends: list[End]) -> list[Fraction]:
    """Return one simple positive rational in each gap: before the first end, between neighbours, after the last."""
    lows = [Fraction(0), *(_bound(end, upper=True) for end in ends)]
    highs = [*(_bound(end, upper=False) for end in ends), None]
    samples = []
    for low, high in zip(lows, highs, strict=True):
        if high is not None and low >= high:
            raise Inconsistent("the balls of neighbours are not apart")
        samples.append(_simple(low, high))
    return samples


def _simple(low: Fraction, high: Fraction | None) -> Fraction:
    """Return a simple rational in the middle third between two, or above the first."""
    if high is None:
        return Fraction(low.numerator // low.denominator + 1)
    third = (high - low) / 3
    return simplest_between(low + third, high - third)


def _bound(end: End, upper: bool) -> Fraction:
    with precision(2 * _BITS[-1]):
        return from_fmpq((end.ball.upper() if upper else end.ball.lower()).mid().fmpq())


def where(
    ends: list[End], holds: Callable[[Fraction], bool], at_zero: bool | None, closed: Callable[[End], bool]
) -> tuple[Interval, ...]:
    """Return the intervals on which something holds that can change only at the given ends.

    Args:
        ends: positive numbers, ascending.
        holds: decides at a rational.
        at_zero: whether it holds at 0; None where 0 is not among the values.
        closed: decides at an end itself.
    """
    inside = [holds(sample) for sample in samples_between(ends)]
    zero = End.of(Fraction(0))
    # Points and gaps alternate: 0, gap, end, gap, end, ..., gap.
    places: list[tuple[End | None, bool]] = [(zero, bool(at_zero)), (None, inside[0])]
    for end, gap in zip(ends, inside[1:], strict=True):
        places += [(end, closed(end)), (None, gap)]
    places.append((None, False))  # no end follows the last gap
    result = []
    for true, run in groupby(range(len(places)), key=lambda i: places[i][1]):
        if true:
            first = next(run)
            last = first + sum(1 for _ in run)
            low, high = places[first][0], places[last][0]
            lower, upper = low or places[first - 1][0] or zero, high or places[last + 1][0]
            result.append(Interval(lower, low is not None, upper, high is not None))
    return tuple(result)
