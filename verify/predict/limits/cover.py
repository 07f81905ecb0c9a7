"""Stability on whole intervals of step sizes: certificates that are polynomials in the step size.

T* is quadratic in alpha, so for a Z that is a polynomial of degree q in alpha, r Z - T*(Z) is one of degree q + 2.
Where the Bernstein coefficients of a polynomial on [a, b] are positive definite, so is the polynomial on all of [a, b].
So a few matrices decide for all step sizes of an interval at once, as those of `certificate` do for one:
- where r = 1, Z positive definite at one end is so at the other too (at the first place where it were not, it would be
  singular and equal to T*(Z) + something positive definite), and then the radius is below 1 on the interval;
- where r >= 1, Z not positive semidefinite at one end is so nowhere, and then the radius is at least r.
r may be a quadratic polynomial too. Just below the radius, it has only the largest eigenvalue above it, while others
may cross 1.

At alpha = 0 nothing is stable: M = I. There Z = Z_0 in every mode, so that Z - T*(Z) = 0 at alpha = 0 exactly, since
probabilities sum to 1. With its other coefficients positive definite the same holds for 0 < alpha <= b.

Towards infinity t = 1 / alpha goes to 0, and X = T* / alpha^2 is quadratic in t: where its radius is at least r and
r >= t^2, that of T* is at least 1.

Z interpolates the solution of r Z - T*(Z) = I, divided by its trace where that keeps its sign: then Z is bounded
towards 0 and towards where the radius is r. It comes from floats, and may be wrong: then nothing is proven.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import flint
import numpy as np

from tdrc_theory.exact.number import precision, to_fmpq
from verify.check import Proof, weakest
from verify.predict.limits.certificate import BITS, Blocks, Certifier, has_negative, is_positive, symmetric_balls

_DEGREE = 8
"""Of the polynomial in alpha that a certificate is."""
_MOST = 120
"""Intervals that are tried: a failed one is cut in two."""
_WIDEST = 2
"""Ratio of the ends of an interval up to which it is tried, for what is wider hardly ever succeeds."""
_NARROWEST = Fraction(1001, 1000)
"""Ratio of the ends of an interval up to which a failed one is cut in two."""
_LOOKS = 12
"""Places at which floats look first."""
_SHARES = (0.9, 0.98, 0.6, 0.0)
"""Where r is tried, between its least value and the radius."""
_FAR = (2, 8, 64, 1024)
"""Multiples of a step size from which on all are tried to be shown unstable at once."""
_NILPOTENT = 1e-6
"""Share of a radius below which another is taken for 0."""
Quadratic = tuple[Fraction, Fraction, Fraction]
"""Bernstein coefficients of degree 2 on an interval."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Step sizes from low to high, both included (but 0 never), at each of which the radius is below 1, or at none.

    Attributes:
        high: None for infinity.
    """

    low: Fraction
    high: Fraction | None
    stable: bool
    proof: Proof

    def reaches(self, alpha: Fraction) -> bool:
        """Return whether it goes on up to a step size at least."""
        return self.high is None or self.high >= alpha


def joined(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Return stretches in order, those that touch and are alike made one."""
    result: list[Stretch] = []
    for each in sorted(stretches, key=lambda s: (s.low, s.high is None, s.high or 0)):
        last = result[-1] if result else None
        if last is not None and last.stable is each.stable and last.reaches(each.low):
            high = None if last.high is None or each.high is None else max(last.high, each.high)
            result[-1] = replace(last, high=high, proof=weakest((last.proof, each.proof)))
        else:
            result.append(each)
    return result


def covered(certifier: Certifier, low: Fraction, high: Fraction | None) -> list[Stretch]:
    """Return what is proven between two step sizes, both included where not 0.

    Args:
        high: None for infinity: then nothing is looked at unless all step sizes from some on are unstable at once.
    """
    if not certifier.candidates.coverable:
        return []
    far: list[Stretch] = []
    if high is None:
        start = low or Fraction(1)
        trials = (_Trial(certifier, Fraction(0), 1 / (start * multiple), reverse=True) for multiple in _FAR)
        high = next((1 / trial.high for trial in trials if trial.is_unstable()), None)
        if high is None:
            return []
        far = [Stretch(high, None, False, Proof.ENCLOSED)]
    waiting, result = [(low, high)], far
    for _ in range(_MOST):
        if not waiting:
            break
        a, b = waiting.pop()
        stable = None if 0 < _WIDEST * a < b else _label(certifier, a, b)
        if stable is None:
            middle = Fraction(math.sqrt(a * b) if a else float(b) / 8)
            waiting += [(middle, b), (a, middle)] if b > a * _NARROWEST else []
        else:
            result.append(Stretch(a, b, stable, Proof.ENCLOSED))
    return joined(result)


def _label(certifier: Certifier, low: Fraction, high: Fraction) -> bool | None:
    """Return whether all step sizes of an interval are stable, or all unstable (False); None where not proven."""
    trial = _Trial(certifier, low, high, reverse=False)
    Z = certifier.candidates.at(float((low + high) / 2)) if low else None
    if not low or (Z is not None and np.linalg.eigvalsh(Z).min() > 0):  # it looks stable in floats
        return trial.label((Fraction(1),) * 3)
    return False if trial.is_unstable() else None


@dataclass(frozen=True)
class _Trial:
    """The operator along low <= t <= high."""

    certifier: Certifier
    low: Fraction
    high: Fraction
    reverse: bool

    def is_unstable(self) -> bool:
        """Return whether it was proven to be unstable on all of the interval."""
        low, high = self.low, self.high
        least = (low * low, low * high, high * high) if self.reverse else (Fraction(1),) * 3
        places = (float(low), float(low + high) / 2, float(high))
        radii = [self.certifier.candidates.radius(t, self.reverse) for t in places]
        if not all(map(math.isfinite, radii)) or radii[0] < _NILPOTENT * radii[2]:
            return False
        radius = (radii[0], 2 * radii[1] - (radii[0] + radii[2]) / 2, radii[2])
        for share in map(Fraction, _SHARES):
            r = [a + share * (Fraction(b) - a) for a, b in zip(least, radius, strict=True)]
            if all(x >= a for x, a in zip(r, least, strict=True)) and self.label((r[0], r[1], r[2])) is False:
                return True
        return False

    def label(self, r: Quadratic) -> bool | None:
        """Return False where the radius is at least r on the interval, True where r is 1 and it is below."""
        at_rest = not self.low and not self.reverse
        coefficients = self._candidate(r)
        if coefficients is None or not self._is_promising(coefficients, r):
            return None
        with precision(BITS):
            Z = [symmetric_balls(blocks) for blocks in coefficients]
            parts = [self.certifier.parts(blocks)[:: -1 if self.reverse else 1] for blocks in Z]
            residual = _residual(Z, parts, (self.low, self.high), r, at_rest)
            if not all(is_positive(block) for blocks in residual[at_rest:] for block in blocks):
                return None
            if any(has_negative(block) for block in Z[-1]):
                return False
            one = not self.reverse and all(x == 1 for x in r)
            return True if one and all(is_positive(block) for block in Z[-1]) else None

    def _candidate(self, r: Quadratic) -> np.ndarray | None:
        """Return the Bernstein coefficients of a polynomial that is a solution at some places of the interval."""
        # The ends are themselves floats; nodes between them need not be where they were meant to be.
        share = (1 - np.cos(np.pi * np.arange(_DEGREE + 1) / _DEGREE)) / 2
        start, step = float(self.low), float(self.high - self.low)
        r_at = bernstein(2, share) @ [float(x) for x in r]
        values, candidates = [], self.certifier.candidates
        for s, factor in zip(share, r_at, strict=True):
            t = start + s * step
            Z = candidates.at(t, float(factor), self.reverse) if t or self.reverse else candidates.at_zero()
            if Z is None:
                return None
            values.append(Z)
        table = np.array(values)
        traces = np.trace(table, axis1=2, axis2=3).sum(axis=1)
        if not (np.abs(traces) > 0).all():
            return None
        if (traces > 0).all() or (traces < 0).all():
            table /= np.abs(traces)[:, None, None, None]
        coefficients = np.linalg.solve(bernstein(_DEGREE, share), table.reshape(len(share), -1)).reshape(table.shape)
        coefficients[0] = table[0]  # at rest it has to be the same in each mode exactly
        return coefficients

    def _is_promising(self, coefficients: np.ndarray, r: Quadratic) -> bool:
        """Return whether floats see r Z - X(Z) positive definite between the places: that is cheap."""
        share = (np.arange(1, _LOOKS) - 0.5) / (_LOOKS - 1)
        basis, factors = bernstein(_DEGREE, share), bernstein(2, share) @ [float(x) for x in r]
        for s, weights, factor in zip(share, basis, factors, strict=True):
            t, Z = float(self.low) + s * float(self.high - self.low), np.tensordot(weights, coefficients, 1)
            residual = self.certifier.candidates.residual(Z, t, float(factor), self.reverse)
            if not np.linalg.eigvalsh((residual + residual.swapaxes(-1, -2)) / 2).min() > 0:
                return False
        return True


def bernstein(degree: int, share: np.ndarray) -> np.ndarray:
    """Return the basis polynomials at shares of the interval (shares, degree + 1)."""
    places = np.arange(degree + 1)
    choose = np.array([math.comb(degree, k) for k in places])
    return choose * share[:, None] ** places * (1 - share[:, None]) ** places[::-1]


def _residual(
    Z: list[Blocks],
    parts: Sequence[Sequence[Blocks]],
    ends: tuple[Fraction, Fraction],
    r: Quadratic,
    at_rest: bool = False,
) -> list[Blocks]:
    """Return the Bernstein coefficients of r Z - X(Z), of degree q + 2; the first is wrong where it starts at rest.

    Args:
        at_rest: whether r is 1 and Z - X(Z) is 0 at the lower end, which is 0.
    """
    still, once, twice = ([part[i] for part in parts] for i in range(3))
    (low, high), one = ends, (Fraction(1),) * 3
    if at_rest:
        rest = _less(Z, still)
        total = _times([[block * 0 for block in rest[0]], *rest[1:]], one)
    else:
        total = _less(_times(Z, r), _times(still, one))
    total = _less(total, _times(once, (low, (low + high) / 2, high)))
    return _less(total, _times(twice, (low * low, low * high, high * high)))


def _less(first: list[Blocks], second: list[Blocks]) -> list[Blocks]:
    return [[a - b for a, b in zip(*pair, strict=True)] for pair in zip(first, second, strict=True)]


def _times(coefficients: list[Blocks], r: Quadratic) -> list[Blocks]:
    """Return the coefficients of a polynomial of degree q times a quadratic one: of degree q + 2."""
    q, result = len(coefficients) - 1, []
    for k in range(q + 3):
        blocks = [b * 0 for b in coefficients[0]]
        for j in range(max(0, k - q), min(2, k) + 1):
            weight = Fraction(math.comb(2, j) * math.comb(q, k - j), math.comb(q + 2, k)) * r[j]
            factor = flint.arb(to_fmpq(weight))
            blocks = [a + b * factor for a, b in zip(blocks, coefficients[k - j], strict=True)]
        result.append(blocks)
    return result
