"""Stability on whole intervals of step sizes: certificates that are polynomials in the step size.

T* is quadratic in alpha, so for a Z that is a polynomial of degree q in alpha, r Z - T*(Z) is one of degree q + 2.
Where the Bernstein coefficients of a polynomial on [a, b] are positive definite, so is the polynomial on all of [a, b].
So a few matrices decide for all step sizes of an interval at once, as those of `certificate` do for one:
- with r = 1, Z positive definite at one end is so at the other too (at the first place where it were not, it would be
  singular and equal to T*(Z) + something positive definite), and then the radius is below 1 on the interval;
- with r >= 1, Z not positive semidefinite at one end is so nowhere, and then the radius is at least r.
With r > 1 only the largest eigenvalue is beyond r, where others may cross 1.

At alpha = 0 nothing is stable: M = I. There Z = Z_0 in every mode, so that Z - T*(Z) = 0 at alpha = 0 exactly, since
probabilities sum to 1. With its other coefficients positive definite the same holds for 0 < alpha <= b.

Towards infinity t = 1 / alpha goes to 0, and T* / alpha^2 is quadratic in t: where its radius is at least r > t^2, that
of T* is above 1.

Z interpolates the solution of r Z - T*(Z) = I divided by its trace, which keeps it bounded towards 0 and towards where
the radius is r. It is made in floats, and may be wrong: then nothing is proven.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np

from tdrc_theory.exact.convert import to_fmpq
from verify.check import Proof
from verify.exact.enclosure import precision
from verify.predict.certificate import BITS, Certifier, symmetric_balls
from verify.predict.pencil import Blocks, Parts
from verify.predict.positive import has_negative, is_positive
from verify.predict.stretches import Stretch, joined

_DEGREE = 8
_MOST = 60
"""Intervals that are tried: a failed one is cut in two."""
_WIDEST = 2
"""Ratio of the ends of an interval up to which it is tried, for what is wider hardly ever succeeds."""
_SHARES = (0.7, 0.2, 0.0)
"""Where r is tried, between 1 and the radius."""
_FAR = (4, 32, 256)
"""Multiples of a step size from which on all are tried to be shown unstable at once."""


def covered(certifier: Certifier, low: Fraction, high: Fraction | None) -> list[Stretch]:
    """Return what is proven between two step sizes, `high` None standing for infinity, both included where not 0."""
    if not certifier.candidates.coverable:
        return []
    far: list[Stretch] = []
    if high is None:
        start = low or Fraction(1)
        for multiple in _FAR:
            if _unstable_from(certifier, start * multiple):
                far, high = [Stretch(start * multiple, None, False, Proof.ENCLOSED)], start * multiple
                break
        else:
            high = start * _FAR[-1]
    waiting, found = [(low, high)], far
    for _ in range(_MOST):
        if not waiting:
            break
        a, b = waiting.pop()
        stable = None if 0 < _WIDEST * a < b else _label(certifier, a, b)
        if stable is None:
            middle = Fraction(math.sqrt(a * b) if a else float(b) / 8)
            waiting += [(middle, b), (a, middle)] if a < middle < b else []
        else:
            found.append(Stretch(a, b, stable, Proof.ENCLOSED))
    return joined(found)


def _unstable_from(certifier: Certifier, alpha: Fraction) -> bool:
    end = 1 / alpha
    r = Fraction(certifier.candidates.radius(0.0, reverse=True) / 2)
    return r > end * end and _Trial(certifier, r, reverse=True).label(Fraction(0), end) is False


def _label(certifier: Certifier, low: Fraction, high: Fraction) -> bool | None:
    """Return whether all step sizes of an interval are stable, or all unstable (False); None where not proven."""
    trial = _Trial(certifier, Fraction(1), reverse=False)
    if not low or trial.is_stable_at((low + high) / 2):
        return trial.label(low, high)
    radius = min(certifier.candidates.radius(float(end)) for end in (low, high))
    for share in _SHARES:
        r = 1 + Fraction(share) * Fraction(radius - 1) if 1 < radius < math.inf else Fraction(1)
        stable = _Trial(certifier, r, reverse=False).label(low, high)
        if stable is not None:
            return stable
    return None


@dataclass(frozen=True)
class _Trial:
    """The operator along t with an r."""

    certifier: Certifier
    r: Fraction
    reverse: bool

    def is_stable_at(self, t: Fraction) -> bool:
        """Return whether it looks stable in floats."""
        Z = self.certifier.candidates.at(float(t), float(self.r))
        return Z is not None and bool(np.linalg.eigvalsh(Z).min() > 0)

    def label(self, low: Fraction, high: Fraction) -> bool | None:
        """Return False where the radius is at least r for low <= t <= high, True where r is 1 and it is below."""
        starts_at_rest = not low and not self.reverse
        # The ends are themselves floats; nodes between them need not be where they were meant to be.
        share = (1 - np.cos(np.pi * np.arange(_DEGREE + 1) / _DEGREE)) / 2
        nodes = [self._node(float(low) + s * float(high - low)) for s in share]
        values = [node for node in nodes if node is not None]
        if len(values) <= _DEGREE:
            return None
        coefficients = _interpolated(share, np.array(values))
        if starts_at_rest:
            coefficients[0] = values[0]
        with precision(BITS):
            Z = [symmetric_balls(blocks) for blocks in coefficients]
            residual = _residual(Z, [self._parts(blocks) for blocks in Z], (low, high), self.r, starts_at_rest)
            if not all(is_positive(block) for blocks in residual[starts_at_rest:] for block in blocks):
                return None
            end = Z[-1]
            if any(has_negative(block) for block in end):
                return False
            return True if self.r == 1 and not self.reverse and all(is_positive(block) for block in end) else None

    def _node(self, t: float) -> np.ndarray | None:
        if not t and not self.reverse:
            Z = self.certifier.candidates.at_zero()
        else:
            Z = self.certifier.candidates.at(t, float(self.r), self.reverse)
        if Z is None:
            return None
        trace = np.trace(Z, axis1=1, axis2=2).sum()
        return Z / abs(trace) if trace else None

    def _parts(self, blocks: Blocks) -> Parts:
        parts = self.certifier.parts(blocks)
        return parts[::-1] if self.reverse else parts


def _interpolated(share: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the Bernstein coefficients of the polynomial with these values at these shares of the interval."""
    choose = np.array([math.comb(_DEGREE, k) for k in range(_DEGREE + 1)])
    places = np.arange(_DEGREE + 1)
    basis = choose * share[:, None] ** places * (1 - share[:, None]) ** places[::-1]
    return np.linalg.solve(basis, values.reshape(len(share), -1)).reshape(values.shape)


def _residual(
    Z: list[Blocks], parts: list[Parts], ends: tuple[Fraction, Fraction], r: Fraction, at_rest: bool = False
) -> list[Blocks]:
    """Return the Bernstein coefficients of r Z - X(Z), of degree q + 2; the first is wrong where it starts at rest."""
    still, once, twice = ([part[i] for part in parts] for i in range(3))
    factor = flint.arb(to_fmpq(r))
    difference = [_combined(a, factor, b, flint.arb(-1)) for a, b in zip(Z, still, strict=True)]
    if at_rest:
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
