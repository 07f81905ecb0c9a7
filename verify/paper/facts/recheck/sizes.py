"""Numbers of a run between two ends: its spectral abscissa, and the constants of its noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from verify.paper.facts.recheck.algebra import (
    Square,
    characteristic,
    combined,
    hurwitz,
    product,
    sign,
    transposed,
)
from verify.paper.facts.recheck.updates import Data, Run, discount, matrix_of, mean_update, size_of, transitions
from verify.paper.facts.recheck.verdicts import NOT_CONVERGENT, does, without_zeros

Ends = tuple[Any, Any]
"""Numbers with another between them; twice the same where that is exact."""

_WIDTH = Fraction(1, 10**9)


def abscissa(data: Data, run: Run) -> Ends:
    """Return ends of the largest real part of the eigenvalues of G that decide.

    Where the expected update converges to a set, the zeros, which are the set's directions, are left out.
    """
    polynomial = characteristic(mean_update(data, run)[0])
    return _largest(polynomial if does(data, run) == NOT_CONVERGENT else without_zeros(polynomial), hurwitz)


def noise_constant(data: Data, run: Run, split: bool) -> Ends:
    """Return ends of the largest eigenvalue of E[N^T N], N = [G_t - G, g_t - g].

    Args:
        data, run: the problem and the learner.
        split: instead the larger one of that of E[(G_t - G)^T (G_t - G)] and of E norm(g_t - g)^2.
    """
    G, g = mean_update(data, run)
    n = size_of(run[0], len(data["features"][0])) + 1
    moments = [[Fraction(0)] * n for _ in range(n)]
    for one in transitions(data):
        M, m = matrix_of(one, discount(data), run)
        centred = [
            [*(u - v for u, v in zip(row, mean, strict=True)), a - b]
            for row, mean, a, b in zip(M, G, m, g, strict=True)
        ]
        moments = combined((1, moments), (one.mass, product(transposed(centred), centred)))
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
    return _largest(characteristic(symmetric), lambda moved: all(sign(c) > 0 for c in moved))


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
