"""A recursion of one coordinate at one step size, each update by the factor that it multiplies by; exact.

1 + alpha g loses digits in floats where alpha g is near -1, and all of them where an update makes the weight exactly 0.
What rounding leaves there then grows as the moments of a growing memory do. So the factor is computed exactly, and is
rounded once.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tdrc_theory.learner.sample_update import ONE, ZERO, Vector
from verify.predict.reduced_recursion import Pair, ReducedRecursion


def factored(reduced: ReducedRecursion, alpha: Fraction) -> tuple[ReducedRecursion, Fraction]:
    """Return a recursion and a step size with the same moments; the same two where there are several coordinates.

    With step size 1 and -1 common to all updates, y - y + (1 + alpha g) y + alpha c is what is left of each.
    """
    if reduced.n != 1:
        return reduced, alpha
    ((shared, shift),) = reduced.common

    def rest(pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        slope = shared + sum((u[0] * v[0] for u, v in pairs), ZERO)
        constant = shift + sum((u[0] * v[1] for u, v in pairs), ZERO)
        row = (ONE + alpha * slope, alpha * constant)
        unit = _half(row)
        return (((unit,), tuple(x / unit for x in row)),) if any(row) else ()

    updates, number = reduced.distinct
    update = [rest(pairs) for pairs in updates]
    return replace(reduced, common=((-ONE, ZERO),), updates=tuple(update[i] for i in number)), ONE


def _half(row: Vector) -> Fraction:
    """Return the power of 2 about the root of the largest number, so that both factors of a large one are in range."""
    largest = max((abs(x) for x in row if isinstance(x, Fraction)), default=ONE) or ONE
    return Fraction(2) ** ((largest.numerator.bit_length() - largest.denominator.bit_length()) // 2)
