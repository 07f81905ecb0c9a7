"""Where a spectral radius crosses 1: a scan and roots between its points in floats suggest, and certificates decide."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verify.predict.limits.certificate import Certifier
from verify.predict.spectrum import RADIUS_ERROR

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
        return {_inside(value, *pair): None for value, pair in zip(self.values, self.ends, strict=True)}


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


def _inside(value: float, low: Fraction | None, high: Fraction | None) -> float:
    """Return what floats say where it is between the ends, their middle where it is not."""
    return value if low is None or high is None or low <= value <= high else float((low + high) / 2)


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
