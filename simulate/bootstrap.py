"""Intervals from resampled runs, for returns that are skewed or have two peaks, of which Student's t knows nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simulate.uncertainty import LEVEL

RESAMPLED = 10_000
_ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)


class Interval(NamedTuple):
    """A number with its percentile interval at LEVEL; `value` is of the runs themselves."""

    value: float
    lower: float
    upper: float

    def above(self, limit: float) -> bool | None:
        """Return whether the number is above a limit; None where the interval holds the limit."""
        return True if self.lower > limit else False if self.upper < limit else None

    def below(self, limit: float) -> bool | None:
        """Return whether the number is below a limit; None where the interval holds the limit."""
        return True if self.upper < limit else False if self.lower > limit else None

    def __str__(self) -> str:
        """Return the number with its interval, to three digits."""
        return f"{self.value:.3g} [{self.lower:.3g}, {self.upper:.3g}]"


def mean(values: Any, seed: int = 0) -> Interval:
    """Return the mean over independent runs.

    >>> mean([2.0, 2.0, 2.0])
    Interval(value=2.0, lower=2.0, upper=2.0)
    """
    return _interval(float(np.mean(values)), _means(values, np.random.default_rng(seed)))


def mean_curve(curves: Any, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean over independent runs of curves (runs, points), with the lower and upper ends of its interval.

    At each point alone; points of one run are not independent.
    """
    drawn = _means(curves, np.random.default_rng(seed))
    return np.mean(curves, axis=0), *np.quantile(drawn, _ENDS, axis=0)


def ratio_of_means(one: Any, other: Any, seed: int = 0) -> Interval:
    """Return how many times as large the first mean is, of runs that are independent of each other; all are above 0."""
    generator = np.random.default_rng(seed)
    drawn = _means(one, generator) / _means(other, generator)
    return _interval(float(np.mean(one)) / float(np.mean(other)), drawn)


def _means(values: Any, generator: np.random.Generator) -> np.ndarray:
    """Return (RESAMPLED, ...), means over as many runs, drawn with replacement, of values (runs, ...)."""
    found = np.asarray(values, np.float64)
    runs = len(found)
    return generator.multinomial(runs, np.full(runs, 1 / runs), size=RESAMPLED) @ found / runs


def _interval(value: float, drawn: np.ndarray) -> Interval:
    return Interval(value, *map(float, np.quantile(drawn, _ENDS)))
