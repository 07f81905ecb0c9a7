"""Which matrices are small enough, with numbers short enough, for exact arithmetic in seconds."""

from __future__ import annotations

import math
from collections.abc import Callable

from tdrc_theory.exact import Matrix, Surd

LARGEST_EXACT = 128
"""Size of G beyond which exact arithmetic takes minutes, so that nothing is decided from it."""
MOST_WORK = 6 * 10**9
"""Operations on bits, n^4 for a G of size n and each bit of its longest number, beyond which it takes minutes too.

Elimination takes n^3 products of numbers that grow to n times the length of those in G.
"""


def past_exact_reach(size: int, G: Callable[[], Matrix], largest: int) -> str:
    """Return why a matrix is past exact arithmetic; empty where it is within.

    Args:
        size: of the matrix.
        G: returns it; called where the size is within reach.
        largest: size that is.
    """
    if size > largest:
        return f"G is {size} x {size}, past exact arithmetic (at most {largest})"
    bits = longest(G())
    if size**4 * bits <= MOST_WORK:
        return ""
    digits, most = digits_of(bits), digits_of(MOST_WORK // size**4)
    return (
        f"G is {size} x {size} with numbers of up to {digits} digits, past exact arithmetic (at most {most} at this"
        " size); a problem whose numbers have fewer digits is within"
    )


def digits_of(bits: int) -> int:
    """Return how many decimal digits so many bits are."""
    return int(bits * math.log10(2)) + 1


def longest(M: Matrix) -> int:
    """Return the length of a matrix's longest numerator or denominator, in bits."""
    if M.rational is not None:
        return max((value.height_bits() for value in M.rational.entries()), default=0)
    parts = [n for row in M.rows for v in row for n in (v.terms.values() if isinstance(v, Surd) else (v,))]
    return max((n.bit_length() for part in parts for n in part.as_integer_ratio()), default=0)
