"""The mean over one period of TD with target weights that are copied, by exact powers, and its spectral radius."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.recheck.algebra import characteristic, combined, identity, product, rank
from verify.paper.facts.recheck.updates import Data, matrices
from verify.paper.facts.recheck.verdicts import inside_the_unit_circle

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
    A, _, C = matrices(data)
    F, W = combined((1, C), (-1, A)), identity(len(C))
    for _ in range(period):
        W = combined((1, W), (alpha, F), (-alpha, product(C, W)))
    still = len(C) - rank([*C, *F])  # of v with C v = F v = 0, which W leaves as it is
    polynomial = characteristic(W)
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
