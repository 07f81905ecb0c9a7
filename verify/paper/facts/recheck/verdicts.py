"""What expected updates do: by the roots of the characteristic polynomial of their mean step, and by ranks."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.recheck.algebra import Square, Vector, characteristic, combined, hurwitz, identity, rank
from verify.paper.facts.recheck.updates import Data, matrices, mean_update

CONVERGENT, TO_A_SET, NOT_CONVERGENT = "convergent", "convergent-to-a-set", "not-convergent"


def does(data: Data, algorithm: str, beta: Fraction, eta: Fraction) -> str:
    """Return `convergent`, `convergent-to-a-set` or `not-convergent` for the expected update on a problem."""
    G, g = mean_update(data, algorithm, beta, eta)
    polynomial = characteristic(G)
    moving = without_zeros(polynomial)
    if not hurwitz(moving):
        return NOT_CONVERGENT
    zeros = len(polynomial) - len(moving)
    if not zeros:
        return CONVERGENT
    joint = [[*row, -v] for row, v in zip(G, g, strict=True)]
    solvable = rank(joint) == rank(G) == len(G) - zeros
    return TO_A_SET if solvable and (algorithm == "vtrace" or solves_td(data, G, g)) else NOT_CONVERGENT


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


def same_fixed_points(data: Data, algorithm: str, beta: Fraction, eta: Fraction) -> bool:
    """Return whether an algorithm rests at all TD fixed points, and at no other w; both have some."""
    G, g = mean_update(data, algorithm, beta, eta)
    A, *_ = matrices(data)
    hidden = [row[: len(G) - len(A)] for row in G]
    dimension = len(A) - rank(G) + (rank(hidden) if len(G) > len(A) else 0)  # of the set of w
    return solves_td(data, G, g) and dimension == len(A) - rank(A)


def settles(data: Data, algorithm: str, beta: Fraction, eta: Fraction, alpha: Fraction) -> bool:
    """Return whether every eigenvalue t of I + alpha G has |t| < 1.

    Raises:
        CannotTell: G is singular, where the weights may converge although they forget nothing along its kernel.
    """
    G, _ = mean_update(data, algorithm, beta, eta)
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
