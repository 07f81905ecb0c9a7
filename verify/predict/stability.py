"""The stability of one operator at all step sizes: exact where it is small, proven by certificates elsewhere.

A small rational operator is decided by its boundary polynomial. Of others floats suggest where the radius crosses 1;
certificates enclose each crossing, and certificates on intervals say how it is between them, as far as they reach.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

import flint

from verify.check import Proof, weakest
from verify.predict.boundary import Boundary, boundary
from verify.predict.certificate import Certifier
from verify.predict.cover import covered
from verify.predict.crossings import NotFound
from verify.predict.stretches import Stretch, joined

_NEAR = Fraction(999, 1000)
"""Share of an end up to which what holds on intervals has to reach, for the end to be moved there."""
_LARGEST_FAR = 64
"""Rows of a block up to which what is beyond the last crossing is looked at, and is quick between crossings."""
_LEAST = 1024
"""What part of an end an interval starts at where nothing is known towards 0."""


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
        stable = [
            replace(a, low=max(a.low, b.low), high=_least(a.high, b.high), proof=weakest((a.proof, b.proof)))
            for a in self.stretches
            for b in other.stretches
            if a.stable and b.stable and a.reaches(b.low) and b.reaches(a.low)
        ]
        return Stability(
            tuple(joined((*unstable, *stable))),
            {**self.crossings, **other.crossings},
            self.trouble or other.trouble,
            self.left_out or other.left_out,
        )


def _least(a: Fraction | None, b: Fraction | None) -> Fraction | None:
    return b if a is None else a if b is None else min(a, b)


def exact_stability(certifier: Certifier, digits: tuple[int, ...]) -> Stability | None:
    """Return the stability at all step sizes, each root between two decimals; None where it is not found exactly."""
    found = boundary(certifier.pencil)
    if found is None:
        return None
    for count in (digits[0], 15):
        tried = [_bracket(root, count) for root in found.roots]
        brackets = [pair for pair in tried if pair is not None]
        ordered = all(a < b for (_, a), (b, _) in pairwise([(Fraction(0), Fraction(0)), *brackets]))
        if ordered and len(brackets) == len(tried):
            return _between(found, brackets)
    return None


def _between(found: Boundary, brackets: list[tuple[Fraction, Fraction]]) -> Stability:
    lows = [Fraction(0), *(high for _, high in brackets)]
    highs = [*(low for low, _ in brackets), None]
    stretches = [Stretch(a, b, s, Proof.EXACT) for a, b, s in zip(lows, highs, found.stable, strict=True)]
    kept: list[Stretch] = []
    crossings = {}
    for each in stretches:
        last = kept[-1] if kept else None
        if last is not None and not last.stable and not each.stable:
            kept[-1] = replace(last, high=each.high)  # at the root between them the radius is at least 1 as well
            continue
        if last is not None:
            crossings[float(found.roots[stretches.index(each) - 1].mid())] = found.polynomial.degree
        kept.append(each)
    return Stability(tuple(kept), crossings)


def _bracket(root: flint.arb, digits: int) -> tuple[Fraction, Fraction] | None:
    """Return two floats with few digits, one below a root and one above, None where its ball is wider."""
    value = float(root.mid())
    unit = Fraction(10) ** (math.floor(math.log10(value)) + 1 - digits)
    place = math.floor(Fraction(value) / unit)
    ends = [Fraction(float((place + j) * unit)) for j in range(-2, 4)]
    below = [end for end in ends if root > flint.fmpq(end.numerator, end.denominator)]
    above = [end for end in ends if root < flint.fmpq(end.numerator, end.denominator)]
    return (max(below), min(above)) if below and above else None


def enclosed_stability(
    certifier: Certifier,
    search: Callable[[], list[float]],
    digits: tuple[int, ...],
    stable: tuple[Stretch, ...] = (),
    interval: bool = False,
    beyond: bool = True,
) -> Stability:
    """Return what certificates prove.

    Args:
        search: returns where the radius crosses 1 in floats, ascending, negative where it falls.
        digits: decimal digits of the ends that are tried, most first.
        stable: what is known already.
        interval: whether the stable step sizes are known to be an interval from 0 on.
        beyond: whether intervals above the first crossing are looked at where that takes long: for large blocks, and
            up to infinity.
    """
    try:
        signed = search()
    except NotFound as at:
        return Stability(stable, trouble=f"no eigenvalue was found near {at}")
    ends = [_enclosed(abs(c), c < 0, certifier, digits) for c in signed]
    crossings = {_inside(abs(c), *pair): None for c, pair in zip(signed, ends, strict=True)}
    if interval:
        stretches = [Stretch(Fraction(0), low, True, Proof.ENCLOSED) for low, _ in ends if low]
        stretches += [Stretch(high, None, False, Proof.ENCLOSED) for _, high in ends if high]
        return Stability(tuple(stretches), crossings)
    found: list[Stretch] = []
    starts: list[Fraction | None] = [Fraction(0), *(high for _, high in ends)]
    stops = [*(low for low, _ in ends), None]
    quick, left_out = certifier.pencil.n <= _LARGEST_FAR, False
    for i, (low, high) in enumerate(zip(starts, stops, strict=True)):
        if low is not None and (high is not None or i == len(ends)):
            asked = beyond or (high is not None and (quick or i == 0))
            found += _segment(certifier, low, high, stable, asked and (quick or high is not None))
            left_out |= certifier.candidates.coverable and not asked and (quick or high is not None)
    return Stability(tuple(joined((*found, *stable))), crossings, left_out=left_out)


def _inside(value: float, low: Fraction | None, high: Fraction | None) -> float:
    """Return what floats say where it is between the ends, their middle where it is not."""
    return value if low is None or high is None or low <= value <= high else float((low + high) / 2)


def _segment(
    certifier: Certifier, low: Fraction, high: Fraction | None, stable: tuple[Stretch, ...], intervals: bool
) -> Iterator[Stretch]:
    """Yield what is proven between two crossings: all of it where it gets near both, else their ends.

    Args:
        low: 0, or a step size that is proven to be as all of it seems to be; so is high, unless it is None.
        stable: what is known already.
        intervals: whether more than its ends is looked at.
    """
    known = [s for s in stable if s.low <= low and s.reaches(low)]
    start = max((s.high for s in known if s.high is not None), default=low)
    if high is not None and start >= high:
        return
    if not start and certifier.candidates.at_zero() is None:
        start = Fraction(1 if high is None else high) / _LEAST
    found = covered(certifier, start, high) if intervals else []
    yield from found
    near_low = any(s.low <= low / _NEAR for s in found)
    near_high = any(s.reaches(high * _NEAR) for s in found) if high else True
    label = None
    for end, near in ((low, near_low), (high, near_high)):
        if end and not near:
            label = certifier.bounded(end) if label is None else label
            if label is not None:
                yield Stretch(end, end, label, Proof.ENCLOSED)


def _enclosed(
    value: float, falls: bool, certifier: Certifier, digits: tuple[int, ...]
) -> tuple[Fraction | None, Fraction | None]:
    """Return step sizes just below and above a crossing at which stability and instability were proven.

    Args:
        falls: whether the radius falls there, so that what is unstable is below.
    """
    ends: list[Fraction | None] = [None, None]
    for count in digits:
        unit = Fraction(10) ** (math.floor(math.log10(value)) + 1 - count)
        below = math.floor(Fraction(value) / unit)
        for end, place in ((0, 0), (0, -1), (1, 1), (1, 2)):
            alpha = Fraction(float((below + place) * unit))
            if ends[end] is None and alpha > 0 and certifier.bounded(alpha) is ((end == 0) is not falls):
                ends[end] = alpha
        if None not in ends:
            break
    low, high = ends
    return (low, high) if low is None or high is None else _narrowed(low, high, falls, certifier, digits[0])


def _narrowed(
    low: Fraction, high: Fraction, falls: bool, certifier: Certifier, digits: int
) -> tuple[Fraction, Fraction]:
    """Return ends with so many digits, or as near to each other as is proven."""
    unit = Fraction(10) ** (math.floor(math.log10(high)) + 1 - digits)
    while high - low > unit * Fraction(3, 2):
        middle = Fraction(float(round((low + high) / 2 / unit) * unit))
        stable = certifier.bounded(middle) if low < middle < high else None
        if stable is None:
            break
        low, high = (middle, high) if stable is not falls else (low, middle)
    return low, high
