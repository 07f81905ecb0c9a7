"""Where a spectral radius crosses 1, between step sizes that are proven: floats suggest, and certificates decide."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verify.predict.limits.certificate import Certifier
from verify.predict.limits.crossings import NotFound

Ends = tuple[Fraction | None, Fraction | None]
"""Step sizes just below and above a crossing, None where nothing is proven."""


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
        stops = [*(low for low, _ in self.ends), None]
        stable = [*(not falls for falls in self.falls), self.falls[-1] if self.falls else None]
        for i, (low, high) in enumerate(zip(starts, stops, strict=True)):
            if low is not None and (high is not None or i == len(self.ends)):
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
    values, falls = tuple(abs(c) for c in signed), tuple(c < 0 for c in signed)
    ends = tuple(_enclosed(value, each, certifier, digits) for value, each in zip(values, falls, strict=True))
    return Located(values, falls, ends, digits[0])


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
