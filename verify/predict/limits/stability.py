"""The stability of one operator at all step sizes: exact where it is small, proven by certificates elsewhere.

A small rational operator is decided by its boundary polynomial. Of others a scan, and roots between its points, in
floats suggest where the radius crosses 1; certificates enclose each crossing, and certificates on intervals say how it
is between them, as far as they reach.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, pairwise, product

import flint

from tdrc_theory.exact.number import precision, to_fmpq
from verify.check import Proof, weakest
from verify.predict.limits.boundary import Boundary, boundary
from verify.predict.limits.certificate import Certifier, FirstCandidates, FirstPencil
from verify.predict.limits.cover import Stretch, covered, joined
from verify.predict.limits.unstable_mean import Characteristic, unstable_stretches
from verify.predict.operator import RADIUS_ERROR

COARSE, FINE = 2, 16
"""Step sizes that a scan looks at in an octave."""
_TOP, _BOTTOM = 2.0**20, 2.0**-24
"""Step sizes at which a scan ends, where updates are of size 1."""
_STEPS = 1000
"""Steps of Brent's method, which usually takes a dozen."""
_BELOW = 6
"""Octaves, one after the other, not seen to be unstable before a scan ends that is of no interval."""
Ends = tuple[Fraction | None, Fraction | None]
"""Step sizes just below and above a crossing, None where nothing is proven."""
_NEAR = Fraction(999, 1000)
"""Share of an end up to which what holds on intervals has to reach, for the end to be moved there."""
_LARGEST_FAR = 64
"""Rows of a block up to which what is beyond the last crossing is looked at, and is quick between crossings."""
_LEAST = 1024
"""What part of an end an interval starts at where nothing is known towards 0."""

Gap = tuple[Fraction, Fraction | None]
"""Step sizes between which nothing is known; None is infinity."""


class NotFound(Exception):
    """A radius was not found at the step size that is the argument."""


def crossings(excess: Callable[[float], float], interval: bool, fine: int = COARSE, size: float = 1.0) -> list[float]:
    """Return the step sizes at which a radius crosses 1, ascending; negative where it falls, going up, and not rises.

    They only suggest where to look for proofs.

    An interval of stable step sizes from 0 has one crossing, and nothing below it is looked at. Otherwise `fine` step
    sizes of each octave are, and stability that is lost and regained between two of them is not seen.

    Args:
        excess: a function with the sign of radius - 1, NaN where it is not found.
        size: about that of the updates, above 0: step sizes are looked at around 1 and around its reciprocal.

    Raises:
        NotFound: a radius next to a crossing was not found.
    """
    fine = COARSE if interval else fine

    @functools.cache
    def clear(alpha: float) -> float:
        """Return what the radius exceeds 1 by, NaN where that is within the error of finding it."""
        value = excess(alpha)
        return value if abs(value) > RADIUS_ERROR else math.nan

    highest, lowest = _TOP * max(1.0, 1 / size), _BOTTOM * min(1.0, 1 / size)
    top = 1.0
    while top < highest and not all(clear(top * 2.0 ** (j / 2)) > 0 for j in range(3)):
        top *= 2
    grid, alpha, stable = [top * 2 ** (j / fine) for j in range(fine, -1, -1)], top, 0
    while alpha > lowest and stable <= _BELOW * fine and not (interval and clear(alpha) < 0):
        alpha /= 2 ** (1 / fine)
        grid.append(alpha)
        # Nor does a radius count that is too near 1 to be found: the smaller the step size, the nearer it is.
        stable = 0 if clear(alpha) > 0 else stable + 1
    ascending = [alpha for alpha in grid[::-1] if not math.isnan(clear(alpha))]
    return [
        (1 if clear(low) < 0 else -1) * _root(excess, low, high)
        for low, high in itertools.pairwise(ascending)
        if (clear(low) < 0) != (clear(high) < 0)
    ]


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import brentq

    def value_at(x: float) -> float:
        value = function(x)
        if math.isnan(value):
            raise NotFound(x)
        return value

    # At a root of higher order it takes more steps than the default allows; what is not reached is a suggestion still.
    return float(brentq(value_at, low, high, xtol=1e-300, rtol=1e-13, maxiter=_STEPS, disp=False))


@dataclass(frozen=True)
class Located:
    """Crossings, ascending.

    Attributes:
        values: in floats.
        falls: whether the radius falls at each, going up.
        ends: of each.
        digits: decimal digits of the ends, where they can be proven.
        trouble: why floats found nothing; empty where they did.
    """

    values: tuple[float, ...] = ()
    falls: tuple[bool, ...] = ()
    ends: tuple[Ends, ...] = ()
    digits: int = 0
    trouble: str = ""

    def segments(self) -> Iterator[tuple[Fraction, Fraction | None, bool | None]]:
        """Yield proven ends between which floats see no crossing, and whether they see stability; None: not known.

        The first begins at 0, and the last, up to None, goes on to infinity. Those with an end not proven are left out.
        """
        starts = [Fraction(0), *(high for _, high in self.ends)]
        stable = [*(not falls for falls in self.falls), self.falls[-1] if self.falls else None]
        for i, low in enumerate(starts):
            last = i == len(self.ends)
            high = None if last else self.ends[i][0]
            if low is not None and (high is not None or last):
                yield low, high, stable[i]

    def inside(self) -> dict[float, None]:
        """Return what floats say where it is between the ends, their middle where it is not; no degree is known."""
        pairs = zip(self.values, self.ends, strict=True)
        return {v if not a or not b or a <= v <= b else float((a + b) / 2): None for v, (a, b) in pairs}


def located(certifier: Certifier, search: Callable[[], list[float]], digits: tuple[int, ...]) -> Located:
    """Return the crossings of an operator.

    Args:
        search: returns where the radius crosses 1 in floats, ascending, negative where it falls.
        digits: decimal digits of the ends that are tried, most first.
    """
    try:
        signed = search()
    except NotFound as at:
        return Located(trouble=f"no eigenvalue was found near {at}")
    ends = tuple(_enclosed(abs(c), c < 0, certifier, digits) for c in signed)
    return Located(tuple(map(abs, signed)), tuple(c < 0 for c in signed), ends, digits[0])


def _enclosed(value: float, falls: bool, certifier: Certifier, digits: tuple[int, ...]) -> Ends:
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
    return (low, high) if low is None or high is None else bisected(low, high, falls, certifier, digits[0])


def bisected(
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
    stretches = (unstable_stretches(characteristic, candidates.eigenvalues, *segment) for segment in segments)
    return tuple(chain.from_iterable(stretches))


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
