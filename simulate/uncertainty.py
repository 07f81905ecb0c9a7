"""Means over independent runs, with what is known of their error."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

LEVEL = 0.95
"""Of every interval."""


class Estimate(NamedTuple):
    """A mean over runs.

    Attributes:
        mean: inf where a run diverged.
        standard_error: sample standard deviation over the root of the number of runs; nan for a single run, inf where
            it is past the range of floats.
        lower, upper: Student's t interval for the mean at LEVEL; runs are independent, points of one run are not.
    """

    mean: float
    standard_error: float
    lower: float
    upper: float


def estimate(per_run: Any) -> Estimate:
    """Return the mean of one number a run, with its standard error and interval.

    Where a number is infinite the mean is, and nothing is known of its error.

    >>> [round(part, 4) for part in estimate([1.0, 2.0, 3.0])]
    [2.0, 0.5774, -0.4841, 4.4841]
    """
    values = np.asarray(per_run, dtype=np.float64)
    if not np.isfinite(values).all():
        return Estimate(math.inf, math.nan, math.nan, math.nan)
    with np.errstate(over="ignore"):  # of areas near the end of the finite range; the error is then inf
        mean = float(values.mean())
        deviation = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    error = deviation / math.sqrt(len(values))
    if not math.isfinite(error):
        return Estimate(mean, error, math.nan, math.nan)
    reach = t_quantile(len(values) - 1) * error
    return Estimate(mean, error, mean - reach, mean + reach)


def t_quantile(degrees: int, intervals: int = 1) -> float:
    """Return by how many standard errors an interval reaches out, with so many degrees of freedom.

    So many intervals hold all of their means with a probability of at least LEVEL (Bonferroni).

    >>> round(t_quantile(29), 4)
    2.0452
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 1 - (1 - LEVEL) / (2 * intervals)))
