"""What expected updates do: by the roots of the characteristic polynomial of their mean step, and by ranks.

Among them the mean over one period of TD with target weights that are copied, by exact powers; numbers of a run between
two ends, its spectral abscissa and the constants of its noise; and where in one parameter an expected update converges:
every interval, and every number at which that may change.

The coefficients of the characteristic polynomial are polynomials in that parameter, found from their values at whole
numbers. By Orlando's formula the last minor but one of Hurwitz's matrix is, up to its sign, the product of the sums of
two roots each, so roots can be on the imaginary axis only where it is 0, or where the last coefficient is 0. One
verdict in each gap between such numbers decides the gap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import Any

from verify.paper.facts.recheck import CannotTell, algebra, updates
from verify.paper.facts.recheck.algebra import Square, Vector
from verify.paper.facts.recheck.updates import Data, Run

CONVERGENT, TO_A_SET, NOT_CONVERGENT = "convergent", "convergent-to-a-set", "not-convergent"


def does(data: Data, run: Run) -> str:
    """Return `convergent`, `convergent-to-a-set` or `not-convergent` for the expected update on a problem."""
    G, g = updates.mean_update(data, run)
    polynomial = algebra.characteristic(G)
    moving = without_zeros(polynomial)
    if not algebra.hurwitz(moving):
        return NOT_CONVERGENT
    zeros = len(polynomial) - len(moving)
    if not zeros:
        return CONVERGENT
    joint = [[*row, -v] for row, v in zip(G, g, strict=True)]
    solvable = algebra.rank(joint) == algebra.rank(G) == len(G) - zeros
    return TO_A_SET if solvable and (run[0] == "vtrace" or solves_td(data, G, g)) else NOT_CONVERGENT


def without_zeros(polynomial: list[Any]) -> list[Any]:
    """Return a polynomial, highest power first, divided by the powers of t in it."""
    left = list(polynomial)
    while len(left) > 1 and left[-1] == 0:
        left.pop()
    return left


def solves_td(data: Data, G: Square, g: Vector) -> bool:
    """Return whether every solution of G varrho + g = 0 has a w with A w = b."""
    A, b, _ = updates.matrices(data)
    joint = [[*row, -v] for row, v in zip(G, g, strict=True)]
    td = [[*[Fraction(0)] * (len(G) - len(A)), *row, v] for row, v in zip(A, b, strict=True)]
    return algebra.rank([*joint, *td]) == algebra.rank(joint)


def same_fixed_points(data: Data, run: Run) -> bool:
    """Return whether an algorithm rests at all TD fixed points, and at no other w; both have some."""
    G, g = updates.mean_update(data, run)
    A, *_ = updates.matrices(data)
    hidden = [row[: len(G) - len(A)] for row in G]
    dimension = len(A) - algebra.rank(G) + (algebra.rank(hidden) if len(G) > len(A) else 0)  # of the set of w
    return solves_td(data, G, g) and dimension == len(A) - algebra.rank(A)


def settles(data: Data, run: Run, alpha: Fraction) -> bool:
    """Return whether every eigenvalue t of I + alpha G has |t| < 1.

    Raises:
        CannotTell: G is singular, where the weights may converge although they forget nothing along its kernel.
    """
    G, _ = updates.mean_update(data, run)
    stepped = algebra.characteristic(algebra.combined((1, algebra.identity(len(G))), (alpha, G)))
    if sum(stepped[1:], stepped[0]) == 0:
        raise CannotTell("G is singular")
    return inside_the_unit_circle(stepped)


def inside_the_unit_circle(descending: list[Any]) -> bool:
    """Return whether every root t of a polynomial has |t| < 1, by the polynomial of s in t = (1 + s) / (1 - s)."""
    n = len(descending) - 1
    moved: list[Any] = [Fraction(0)] * (n + 1)
    for k, c in enumerate(descending):  # the power n - k of (1 + s), the power k of (1 - s)
        for i in range(n - k + 1):
            for j in range(k + 1):
                moved[i + j] = moved[i + j] + c * comb(n - k, i) * comb(k, j) * (-1) ** j
    if moved[n] == 0:
        return False
    return algebra.hurwitz([v / moved[n] for v in reversed(moved)])


LONGEST = 200
"""Updates of a period whose powers are taken, of which numbers grow longer each time."""


def converges(data: Data, algorithm: str, copy: str, alpha: Fraction, period: int) -> bool:
    """Return whether the mean from one copy to the next has spectral radius below 1, off what never moves.

    w' = w + alpha (b + F v - C w), F = C - A, with v the copy of w at the start of a period: W_0 = I and
    W_t+1 = W_t + alpha (F - C W_t) say how w depends on it.

    Raises:
        CannotTell: for another learner or copy, for long periods, or where a part that moves may stay as it is.
    """
    if (algorithm, copy) != ("td-target", "target=w") or period > LONGEST:
        raise CannotTell(f"{algorithm} with {copy}")
    A, _, C = updates.matrices(data)
    F, W = algebra.combined((1, C), (-1, A)), algebra.identity(len(C))
    for _ in range(period):
        W = algebra.combined((1, W), (alpha, F), (-alpha, algebra.product(C, W)))
    still = len(C) - algebra.rank([*C, *F])  # of v with C v = F v = 0, which W leaves as it is
    polynomial = algebra.characteristic(W)
    for _ in range(still):
        polynomial = _divided(polynomial)
    if sum(polynomial[1:], polynomial[0]) == 0:
        raise CannotTell("1 is an eigenvalue of what moves")
    return inside_the_unit_circle(polynomial)


def _divided(descending: list[Any]) -> list[Any]:
    """Return a polynomial that has the root 1 divided by t - 1, by Horner's rule."""
    quotient, carried = [], Fraction(0)
    for c in descending[:-1]:
        carried = carried + c
        quotient.append(carried)
    return quotient


Ends = tuple[Any, Any]
"""Numbers with another between them; twice the same where that is exact."""

_WIDTH = Fraction(1, 10**9)


def abscissa(data: Data, run: Run) -> Ends:
    """Return ends of the largest real part of the eigenvalues of G that decide.

    Where the expected update converges to a set, the zeros, which are the set's directions, are left out.
    """
    polynomial = algebra.characteristic(updates.mean_update(data, run)[0])
    return _largest(polynomial if does(data, run) == NOT_CONVERGENT else without_zeros(polynomial), algebra.hurwitz)


def noise_constant(data: Data, run: Run, split: bool) -> Ends:
    """Return ends of the largest eigenvalue of E[N^T N], N = [G_t - G, g_t - g].

    Where `split`: of the larger one of that of E[(G_t - G)^T (G_t - G)] and of E norm(g_t - g)^2.
    """
    G, g = updates.mean_update(data, run)
    n = updates.size_of(run[0], len(data["features"][0])) + 1
    moments = [[Fraction(0)] * n for _ in range(n)]
    for one in updates.transitions(data):
        M, m = updates.matrix_of(one, updates.discount(data), run)
        centred = [
            [*(u - v for u, v in zip(row, mean, strict=True)), a - b]
            for row, mean, a, b in zip(M, G, m, g, strict=True)
        ]
        moments = algebra.combined((1, moments), (one.mass, algebra.product(algebra.transposed(centred), centred)))
    if not split:
        return _largest_eigenvalue(moments)
    low, high = _largest_eigenvalue([row[:-1] for row in moments[:-1]])
    return max(low, moments[-1][-1]), max(high, moments[-1][-1])


def _largest(polynomial: Sequence[Any], all_below_0: Callable[[Sequence[Any]], bool]) -> Ends:
    """Bisect for the largest real part of the roots: it is below s where the roots moved by -s are all below 0."""
    low, high = Fraction(-1), Fraction(1)
    while not all_below_0(_moved(polynomial, high)):
        high *= 2
    while all_below_0(_moved(polynomial, low)):
        low *= 2
    while high - low > _WIDTH:
        middle = (low + high) / 2
        low, high = (low, middle) if all_below_0(_moved(polynomial, middle)) else (middle, high)
    return low, high


def _largest_eigenvalue(symmetric: Square) -> Ends:
    """All roots are real: they are negative exactly where every coefficient is positive (Descartes)."""
    return _largest(algebra.characteristic(symmetric), lambda moved: all(algebra.sign(c) > 0 for c in moved))


def _moved(polynomial: Sequence[Any], s: Any) -> list[Any]:
    """Return the polynomial in t of a polynomial at t + s, highest power first, by Horner's scheme."""
    left = list(polynomial)
    for end in range(len(left), 1, -1):
        for i in range(1, end):
            left[i] = left[i] + s * left[i - 1]
    return left


ORDERS = {"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {1, 0}, "=": {0}, "!=": {-1, 1}}
"""The signs of a difference of which a relation holds."""


def compared(left: Ends, relation: str, right: Ends) -> bool | None:
    """Return whether a relation holds of what is between two pairs of ends; None where they leave it open."""
    possible = {-1: left[0] < right[1], 1: left[1] > right[0], 0: left[0] <= right[1] and right[0] <= left[1]}
    answers = {order in ORDERS[relation] for order, there in possible.items() if there}
    return answers.pop() if len(answers) == 1 else None


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
    means = (updates.mean_update(data, _at(run, over, Fraction(v))) for v in range(1, d + 2))
    values = [algebra.characteristic(G) for G, _ in means]
    if not all(isinstance(c, int | Fraction) for row in values for c in row):
        raise CannotTell("the problem has square roots in it")
    coefficients = [_through(column) for column in zip(*values, strict=True)]
    while not any(coefficients[-1]):
        coefficients.pop()
    n = len(coefficients) - 1
    points = range(1, min(d * (n - 1), n * (n - 1) // 2) + 2)  # the minor has weight n (n - 1) / 2
    at = [[sum((c * v**k for k, c in enumerate(each)), Fraction(0)) for each in coefficients] for v in points]
    minor = _through([algebra.determinant(algebra.hurwitz_matrix(each, n - 1)) for each in at])
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
