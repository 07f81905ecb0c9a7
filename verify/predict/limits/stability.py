"""The stability of one operator at all step sizes: exact where it is small, proven by certificates elsewhere.

A small rational operator is decided by its boundary polynomial. Of others floats suggest where the radius crosses 1;
certificates enclose each crossing, and certificates on intervals say how it is between them, as far as they reach.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, pairwise, product

import flint

from tdrc_theory.exact.number import precision, to_fmpq
from verify.check import Proof, weakest
from verify.predict.limits.boundary import Boundary, boundary
from verify.predict.limits.certificate import Certifier, FirstCandidates
from verify.predict.limits.cover import Stretch, covered, joined
from verify.predict.limits.crossings import Located, bisected
from verify.predict.limits.pencil import FirstPencil
from verify.predict.limits.unstable_mean import Characteristic, unstable_stretches

_NEAR = Fraction(999, 1000)
"""Share of an end up to which what holds on intervals has to reach, for the end to be moved there."""
_LARGEST_FAR = 64
"""Rows of a block up to which what is beyond the last crossing is looked at, and is quick between crossings."""
_LEAST = 1024
"""What part of an end an interval starts at where nothing is known towards 0."""

Gap = tuple[Fraction, Fraction | None]
"""Step sizes between which nothing is known; None is infinity."""


@dataclass(frozen=True)
class Stability:
    """What is known.

    Attributes:
        stretches: ascending, proven; of what is between them nothing is.
        crossings: about where the radius crosses 1, in floats, with the degree of a polynomial that has exactly this
            root, None where there is none at hand.
        trouble: why floats found nothing; empty where they did.
        left_out: whether certificates above the first crossing were not sought, though they might be found.
    """

    stretches: tuple[Stretch, ...]
    crossings: Mapping[float, int | None] = field(default_factory=dict)
    trouble: str = ""
    left_out: bool = False

    def __and__(self, other: Stability) -> Stability:
        """Return what is known of the stability of both."""
        unstable = [s for s in (*self.stretches, *other.stretches) if not s.stable]
        stable = []
        for a, b in product(self.stretches, other.stretches):
            if a.stable and b.stable and a.reaches(b.low) and b.reaches(a.low):
                high = min((high for high in (a.high, b.high) if high is not None), default=None)
                stable.append(Stretch(max(a.low, b.low), high, True, weakest((a.proof, b.proof))))
        return Stability(
            tuple(joined((*unstable, *stable))),
            {**self.crossings, **other.crossings},
            self.trouble or other.trouble,
            self.left_out or other.left_out,
        )


def exact_stability(certifier: Certifier, digits: tuple[int, ...]) -> Stability | None:
    """Return the stability at all step sizes, each root between two decimals; None where it is not found exactly."""
    result = boundary(certifier.pencil)
    if result is None:
        return None
    for count in (digits[0], 15):
        tried = [_bracket(root, count) for root in result.roots]
        brackets = [pair for pair in tried if pair is not None]
        ordered = all(a < b for (_, a), (b, _) in pairwise([(Fraction(0), Fraction(0)), *brackets]))
        if ordered and len(brackets) == len(tried):
            return _between(result, brackets)
    return None


def _between(boundary: Boundary, brackets: list[tuple[Fraction, Fraction]]) -> Stability:
    lows = [Fraction(0), *(high for _, high in brackets)]
    highs = [*(low for low, _ in brackets), None]
    kept: list[Stretch] = []
    crossings = {}
    for i, (low, high, stable) in enumerate(zip(lows, highs, boundary.stable, strict=True)):
        if kept and not kept[-1].stable and not stable:
            kept[-1] = replace(kept[-1], high=high)  # at the root between them the radius is at least 1 as well
            continue
        if kept:
            crossings[float(boundary.roots[i - 1].mid())] = boundary.polynomial.degree
        kept.append(Stretch(low, high, stable, Proof.EXACT))
    return Stability(tuple(kept), crossings)


@precision()
def _bracket(root: flint.arb, digits: int) -> tuple[Fraction, Fraction] | None:
    """Return two floats with few digits, one below a root and one above, None where its ball is wider."""
    value = float(root.mid())
    unit = Fraction(10) ** (math.floor(math.log10(value)) + 1 - digits)
    place = math.floor(Fraction(value) / unit)
    ends = [Fraction(float((place + j) * unit)) for j in range(-2, 4)]
    below = [end for end in ends if root > to_fmpq(end)]
    above = [end for end in ends if root < to_fmpq(end)]
    return (max(below), min(above)) if below and above else None


def unstable_mean(certifier: Certifier, crossings: Located) -> tuple[Stretch, ...]:
    """Return where the mean is proven to be unstable, from its characteristic polynomial: none where that is not had.

    Args:
        certifier: of first moments.
    """
    pencil, candidates = certifier.pencil, certifier.candidates
    assert isinstance(pencil, FirstPencil)
    assert isinstance(candidates, FirstCandidates)
    if not (pencil.rational and candidates.coverable):
        return ()
    segments = [(low or _least_start(high), high) for low, high, stable in crossings.segments() if not stable]
    if not segments:
        return ()
    characteristic = Characteristic.of(pencil)
    found = (unstable_stretches(characteristic, candidates.eigenvalues, *segment) for segment in segments)
    return tuple(chain.from_iterable(found))


def enclosed_stability(
    certifier: Certifier,
    crossings: Located,
    known: tuple[Stretch, ...] = (),
    interval: bool = False,
    beyond: bool = True,
) -> Stability:
    """Return what certificates prove.

    Args:
        known: what is known already.
        interval: whether the stable step sizes are known to be an interval from 0 on.
        beyond: whether intervals above the first crossing are looked at where that takes long: for large blocks, and
            up to infinity.
    """
    if crossings.trouble:
        return Stability(tuple(joined(known)), trouble=crossings.trouble)
    values = crossings.inside()
    if interval:
        stretches = [Stretch(Fraction(0), low, True, Proof.ENCLOSED) for low, _ in crossings.ends if low]
        stretches += [Stretch(high, None, False, Proof.ENCLOSED) for _, high in crossings.ends if high]
        return Stability(tuple(stretches), values)
    result: list[Stretch] = list(known)
    quick, left_out = certifier.pencil.n <= _LARGEST_FAR, False
    for low, high, _ in crossings.segments():
        inside = [s for s in known if s.reaches(low) and (high is None or s.low <= high)]
        gaps = [gap for gap in _gaps(low, high, inside) if quick or gap[1] is not None]
        asked = beyond or (high is not None and (quick or not low))
        result += _segment(certifier, (low, high), inside, gaps if asked else [], crossings.digits)
        left_out |= certifier.candidates.coverable and not asked and bool(gaps)
    return Stability(tuple(joined(result)), values, left_out=left_out)


def _least_start(high: Fraction | None) -> Fraction:
    """Return where an interval starts where nothing is known towards 0."""
    return Fraction(1 if high is None else high) / _LEAST


def _segment(
    certifier: Certifier, ends: tuple[Fraction, Fraction | None], known: list[Stretch], gaps: list[Gap], digits: int
) -> Iterator[Stretch]:
    """Yield what is proven between two crossings, besides what is known: in gaps, or else at the ends alone.

    Args:
        ends: 0, or a step size that is proven to be as all of it seems to be; and another, or None for infinity.
        gaps: where intervals are looked at.
        digits: of the ends of changes that only intervals show.
    """
    result, (low, high) = list(known), ends
    for start, stop in gaps:
        if not start and certifier.candidates.at_zero() is None:
            start = _least_start(stop)
        result += covered(certifier, start, stop)
    for before, after in pairwise(joined(result)) if gaps else ():
        if before.high is not None and before.stable is not after.stable:
            below, above = bisected(before.high, after.low, after.stable, certifier, digits)
            result += covered(certifier, before.high, below) if below > before.high else []
            result += covered(certifier, above, after.low) if above < after.low else []
    yield from result[len(known) :]
    near_low = any(s.low <= low / _NEAR for s in result)
    near_high = not high or any(s.reaches(high * _NEAR) for s in result)
    label = None
    for end, near in ((low, near_low), (high, near_high)):
        if end and not near:
            label = certifier.bounded(end) if label is None else label
            if label is not None:
                yield Stretch(end, end, label, Proof.ENCLOSED)


def _gaps(low: Fraction, high: Fraction | None, known: list[Stretch]) -> Iterator[Gap]:
    """Yield what stretches leave of the step sizes from low to high."""
    for each in sorted(known, key=lambda s: s.low):
        if each.low > low:
            yield low, each.low
        if each.high is None:
            return
        low = max(low, each.high)
    if high is None or low < high:
        yield low, high
