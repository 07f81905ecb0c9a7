"""Whether moments stay bounded at every step size of an interval: certificates that are polynomials in the step size.

T* is quadratic in alpha, so for a Z that is a polynomial of degree q in alpha, Z - T*(Z) is one of degree q + 2. Where
the Bernstein coefficients of a polynomial on [a, b] are positive definite, so is the polynomial on all of [a, b]. So a
few matrices decide for all step sizes of an interval at once, as those of `certificate` do for one.

At alpha = 0 nothing is stable: M = I. There Z = Z_0 in every mode, so that Z - T*(Z) = 0 at alpha = 0 exactly, since
probabilities sum to 1. With its other coefficients positive definite it is so for 0 < alpha <= b.

Z interpolates the solution of Z - T*(Z) = I divided by its trace, which keeps it bounded towards 0 and the limit. It is
made in floats, and may be wrong: then nothing is proven.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np

from tdrc_theory.exact.convert import to_fmpq
from verify.exact.enclosure import precision
from verify.predict.balls import Blocks, Parts, float_balls
from verify.predict.positive import is_positive

_DEGREE = 8
_MOST = 40
"""Intervals that are tried: a failed one is cut in two."""
_WIDEST = 2
"""Ratio of the ends of an interval up to which it is tried, for what is wider hardly ever succeeds."""
_BITS = 128


def covered(
    ends: tuple[Fraction, Fraction],
    solution: Callable[[float], np.ndarray | None],
    parts: Callable[[Blocks], Parts],
) -> Fraction:
    """Return up to where it was proven that moments are bounded at every step size, from the lower end on (0 left out).

    Args:
        solution: Z at a step size, in floats (modes, n, n), the same in each mode at 0; None where there is none.
        parts: of Z in balls: T_0*(Z), T_1*(Z) and T_2*(Z), with T* = T_0* + alpha T_1* + alpha^2 T_2*.
    """
    remembered = functools.cache(solution)
    waiting = [ends]
    for _ in range(_MOST):
        low, high = waiting.pop()
        if 0 < _WIDEST * low < high or not _proven(low, high, remembered, parts):
            middle = Fraction(math.sqrt(low * high) if low else float(high) / 8)
            waiting += [(middle, high), (low, middle)]
        if not waiting:
            break
    return min((low for low, _ in waiting), default=ends[1])


def _proven(
    low: Fraction, high: Fraction, solution: Callable[[float], np.ndarray | None], parts: Callable[[Blocks], Parts]
) -> bool:
    # The ends are themselves floats; nodes between them need not be where they were meant to be.
    share = (1 - np.cos(np.pi * np.arange(_DEGREE + 1) / _DEGREE)) / 2
    nodes = [solution(float(low) + s * float(high - low)) for s in share]
    values = [node for node in nodes if node is not None]
    if len(values) <= _DEGREE:
        return False
    choose = np.array([math.comb(_DEGREE, k) for k in range(_DEGREE + 1)])
    places = np.arange(_DEGREE + 1)
    basis = choose * share[:, None] ** places * (1 - share[:, None]) ** places[::-1]
    made = np.linalg.solve(basis, np.array(values).reshape(len(share), -1)).reshape(len(share), *values[0].shape)
    made[0] = values[0]
    made = (made + made.swapaxes(-1, -2)) / 2
    with precision(_BITS):
        Z = [[float_balls(block) for block in blocks] for blocks in made]
        if not all(is_positive(block) for blocks in Z for block in blocks):
            return False
        residual = _residual(Z, [parts(blocks) for blocks in Z], (low, high))
        return all(is_positive(block) for blocks in residual[0 if low else 1 :] for block in blocks)


def _residual(Z: list[Blocks], parts: list[Parts], ends: tuple[Fraction, Fraction]) -> list[Blocks]:
    """Return the Bernstein coefficients of Z - T*(Z), of degree q + 2; the first is wrong where the first end is 0."""
    still, once, twice = ([part[i] for part in parts] for i in range(3))
    difference = [_combined(a, flint.arb(1), b, flint.arb(-1)) for a, b in zip(Z, still, strict=True)]
    if not ends[0]:
        difference[0] = [block * 0 for block in difference[0]]
    ones = Fraction(1), Fraction(1)
    terms = (
        _times(_times(difference, ones), ones),
        _times(_times(once, ends), ones),
        _times(_times(twice, ends), ends),
    )
    return [[x - y - z for x, y, z in zip(*blocks, strict=True)] for blocks in zip(*terms, strict=True)]


def _times(coefficients: list[Blocks], ends: tuple[Fraction, Fraction]) -> list[Blocks]:
    """Return the coefficients of a polynomial times the linear function with these values at the ends."""
    degree = len(coefficients)
    low, high = (flint.arb(to_fmpq(end)) for end in ends)
    none = [block * 0 for block in coefficients[0]]
    padded = [none, *coefficients, none]
    return [
        _combined(padded[j + 1], low * (degree - j) / degree, padded[j], high * j / degree) for j in range(degree + 1)
    ]


def _combined(first: Blocks, a: flint.arb, second: Blocks, b: flint.arb) -> Blocks:
    return [x * a + y * b for x, y in zip(first, second, strict=True)]
