"""Where in one parameter an expected update converges: every interval, and every number at which that may change.

The coefficients of the characteristic polynomial are polynomials in the parameter, found from their values at whole
numbers. By Orlando's formula the last minor but one of Hurwitz's matrix is, up to its sign, the product of the sums of
two roots each, so roots can be on the imaginary axis only where it is 0, or where the last coefficient is 0. One
verdict in each gap between such numbers decides the gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.recheck.algebra import characteristic, determinant, hurwitz_matrix
from verify.paper.facts.recheck.updates import Data, Run, mean_update
from verify.paper.facts.recheck.verdicts import NOT_CONVERGENT, does

Piece = tuple["Point | None", bool]
"""A number, or None for the gap behind the one before, and whether it converges there."""


class Point:
    """A positive root of an irreducible polynomial of sympy, between two fractions; or a fraction, both ends."""

    def __init__(self, low: Fraction, high: Fraction, polynomial: Any = None) -> None:
        self.low, self.high, self.polynomial = low, high, polynomial

    def narrowed(self) -> None:
        """Bring the ends closer together; those of a fraction are the same."""
        if self.low < self.high:
            low, high = self.polynomial.refine_root(self.low, self.high, eps=(self.high - self.low) / 1000)
            self.low, self.high = _fraction(low), _fraction(high)

    def within(self, low: Fraction, high: Fraction) -> bool:
        """Return whether the number is at least `low` and at most `high`; an irrational one is neither of them."""
        while self.low < self.high and any(self.low <= v <= self.high for v in (low, high)):
            self.narrowed()
        return low <= self.low and self.high <= high


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def somewhere(pieces: Sequence[Piece]) -> bool:
    """Return whether it converges at some value of the parameter."""
    return any(value for _, value in pieces)


def above(pieces: Sequence[Piece], low: Fraction, high: Fraction) -> bool:
    """Return whether it converges exactly above one value of the parameter, which is between two numbers."""
    values = [value for _, value in pieces]
    first = values.index(True) if True in values else 0
    edge = pieces[first - 1][0] if first else None
    return edge is not None and False not in values[first:] and edge.within(low, high)


def pieces(data: Data, run: Run, over: str) -> list[Piece]:
    """Return points and gaps in order, from 0 on, which is no value of eta.

    Raises:
        CannotTell: the method cannot tell: square roots in the data, or sums of two roots that are 0 at every value.
    """

    def converges(value: Fraction) -> bool:
        return does(data, _at(run, over, value)) != NOT_CONVERGENT

    zero = Fraction(0)
    result: list[Piece] = [(Point(zero, zero), over == "beta" and converges(zero))]
    before = zero
    for point in _points(*_critical(data, run, over)):
        result += [
            (None, converges((before + point.low) / 2)),
            (point, point.low == point.high and converges(point.low)),  # elsewhere a root is on the imaginary axis
        ]
        before = point.high
    return [*result, (None, converges(before + 1))]


def _at(run: Run, over: str, value: Fraction) -> Run:
    learner, beta, eta = run
    return (learner, value, eta) if over == "beta" else (learner, beta, value)


def _critical(data: Data, run: Run, over: str) -> tuple[list[Fraction], list[Fraction]]:
    """Return the last coefficient that is not 0 at every value, and Hurwitz's minor, as polynomials, lowest first."""
    d = len(data["features"][0])  # no more rows, or columns, of G have the parameter in them, each to the first power
    values = [characteristic(mean_update(data, _at(run, over, Fraction(v)))[0]) for v in range(1, d + 2)]
    if not all(isinstance(c, int | Fraction) for row in values for c in row):
        raise CannotTell("the problem has square roots in it")
    coefficients = [_through(column) for column in zip(*values, strict=True)]
    while not any(coefficients[-1]):
        coefficients.pop()
    n = len(coefficients) - 1
    points = range(1, min(d * (n - 1), n * (n - 1) // 2) + 2)  # the minor has weight n (n - 1) / 2
    at = [[sum((c * v**k for k, c in enumerate(each)), Fraction(0)) for each in coefficients] for v in points]
    minor = _through([determinant(hurwitz_matrix(each, n - 1)) for each in at])
    if not any(minor):
        raise CannotTell("two eigenvalues cancel at every value")
    return coefficients[-1], minor


def _through(values: Sequence[Fraction]) -> list[Fraction]:
    """Return the polynomial, lowest power first, with these values at 1, 2, ..., by Newton's divided differences."""
    differences = list(values)
    for order in range(1, len(values)):
        for i in range(len(values) - 1, order - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / order
    result = [Fraction(0)] * len(values)
    for i in range(len(values) - 1, -1, -1):  # found * (t - (i + 1)) + the difference
        for k in range(len(values) - 1, 0, -1):
            result[k] = result[k - 1] - (i + 1) * result[k]
        result[0] = differences[i] - (i + 1) * result[0]
    return result


def _points(last: Sequence[Fraction], minor: Sequence[Fraction]) -> list[Point]:
    """Return the positive roots of both in order, each once, apart from each other and from 0."""
    import sympy

    t = sympy.Symbol("t")
    factors: dict[Any, bool] = {}
    for polynomial in (minor, last):
        whole = sympy.Poly([sympy.Rational(c.numerator, c.denominator) for c in reversed(polynomial)], t)
        for factor, _ in whole.factor_list()[1]:
            factors[factor] = polynomial is last or factors.get(factor, False)
    result = []
    for factor, is_last in factors.items():
        ends = [(root, root) for root in factor.ground_roots()] or [ends for ends, _ in factor.intervals()]
        for low, high in ends:
            if high > 0:
                result.append(Point(_fraction(low), _fraction(high), factor))
                if is_last and result[-1].low < result[-1].high:
                    raise CannotTell("an eigenvalue is 0 at an irrational number")
    result.sort(key=lambda point: point.low)
    while any(one.high >= other.low for one, other in pairwise([Point(Fraction(0), Fraction(0)), *result])):
        for point in result:
            point.narrowed()
        result.sort(key=lambda point: point.low)
    return result
