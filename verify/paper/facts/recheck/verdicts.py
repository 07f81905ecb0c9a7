"""What expected updates do: by the roots of the characteristic polynomial of their mean step, and by ranks.

Among them the mean over one period of TD with target weights that are copied, by exact powers.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.recheck.algebra import (
    Square,
    Vector,
    characteristic,
    combined,
    hurwitz,
    identity,
    product,
    rank,
)
from verify.paper.facts.recheck.updates import Data, Run, matrices, mean_update

CONVERGENT, TO_A_SET, NOT_CONVERGENT = "convergent", "convergent-to-a-set", "not-convergent"


def does(data: Data, run: Run) -> str:
    """Return `convergent`, `convergent-to-a-set` or `not-convergent` for the expected update on a problem."""
    G, g = mean_update(data, run)
    polynomial = characteristic(G)
    moving = without_zeros(polynomial)
    if not hurwitz(moving):
        return NOT_CONVERGENT
    zeros = len(polynomial) - len(moving)
    if not zeros:
        return CONVERGENT
    joint = [[*row, -v] for row, v in zip(G, g, strict=True)]
    solvable = rank(joint) == rank(G) == len(G) - zeros
    return TO_A_SET if solvable and (run[0] == "vtrace" or solves_td(data, G, g)) else NOT_CONVERGENT


def without_zeros(polynomial: list[Any]) -> list[Any]:
    """Return a polynomial, highest power first, divided by the powers of t in it."""
    left = list(polynomial)
    while len(left) > 1 and left[-1] == 0:
        left.pop()
    return left


def solves_td(data: Data, G: Square, g: Vector) -> bool:
    """Return whether every solution of G varrho + g = 0 has a w with A w = b."""
    A, b, _ = matrices(data)
    joint = [[*row, -v] for row, v in zip(G, g, strict=True)]
    td = [[*[Fraction(0)] * (len(G) - len(A)), *row, v] for row, v in zip(A, b, strict=True)]
    return rank([*joint, *td]) == rank(joint)


def same_fixed_points(data: Data, run: Run) -> bool:
    """Return whether an algorithm rests at all TD fixed points, and at no other w; both have some."""
    G, g = mean_update(data, run)
    A, *_ = matrices(data)
    hidden = [row[: len(G) - len(A)] for row in G]
    dimension = len(A) - rank(G) + (rank(hidden) if len(G) > len(A) else 0)  # of the set of w
    return solves_td(data, G, g) and dimension == len(A) - rank(A)


def settles(data: Data, run: Run, alpha: Fraction) -> bool:
    """Return whether every eigenvalue t of I + alpha G has |t| < 1.

    Raises:
        CannotTell: G is singular, where the weights may converge although they forget nothing along its kernel.
    """
    G, _ = mean_update(data, run)
    stepped = characteristic(combined((1, identity(len(G))), (alpha, G)))
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
    return hurwitz([v / moved[n] for v in reversed(moved)])


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
