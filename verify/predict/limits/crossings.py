"""Step sizes at which a spectral radius crosses 1: a scan, and roots between its points, in floats."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable

from verify.predict.spectrum import RADIUS_ERROR

COARSE, FINE = 2, 16
"""Step sizes that a scan looks at in an octave."""
_TOP, _BOTTOM = 2.0**20, 2.0**-24
"""Step sizes at which a scan ends, where updates are of size 1."""
_STEPS = 1000
"""Steps of Brent's method, which usually takes a dozen."""
_BELOW = 6
"""Octaves, one after the other, not seen to be unstable before a scan ends that is of no interval."""


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
    clear = functools.cache(lambda alpha: _clear(excess(alpha)))
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


def _clear(excess: float) -> float:
    """Return what a radius exceeds 1 by, NaN where that is within the error of finding it."""
    return excess if abs(excess) > RADIUS_ERROR else math.nan


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import brentq

    def value_at(x: float) -> float:
        value = function(x)
        if math.isnan(value):
            raise NotFound(x)
        return value

    # At a root of higher order it takes more steps than the default allows; what is not reached is a suggestion still.
    return float(brentq(value_at, low, high, xtol=1e-300, rtol=1e-13, maxiter=_STEPS, disp=False))
