"""One test of all checkpoints of a curve together: Hotelling's T^2, which many runs make a chi-square."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

NEGLIGIBLE = 1e-9
"""Of the largest: what spreads less, or a direction of which the squared spread is less, has no spread to measure a
difference by. Whoever asks sees to it that rounding is well below the root of it, so that rounding decides nothing."""


class JointTest(NamedTuple):
    """How far means over runs lie from what was expected of them.

    Attributes:
        statistic: T^2 = n d' S^-1 d, with d the difference of the means and S the covariance over runs: chi-square
            with `degrees` degrees of freedom where there are many runs.
        degrees: of freedom: checkpoints whose spread over runs is not that of others.
        p_value: the chance of at least that, were the expectation right, by Hotelling's F, which allows for S being
            estimated; exact for normal values, else as good as the central limit theorem.
    """

    statistic: float
    degrees: int
    p_value: float


def nearly_normal(values: np.ndarray) -> np.ndarray:
    """Return (m,), whether n runs are enough for the mean of each column of values (n, m) to be as good as normal.

    The rule is n > 25 skewness^2 (Cochran 1977, Sampling techniques, section 2.15). Of a distribution with a heavy tail
    few runs make up the mean, and the skewness of a sample grows with the root of n, so that it is found out.
    """
    with np.errstate(all="ignore"):
        values = values / _sizes(values)
        spread = values.std(axis=0)
        scaled = (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1)
        skewness = (scaled**3).mean(axis=0)
        return np.asarray((spread == 0) | (25 * skewness**2 < len(values)))


def joint_test(values: np.ndarray, expected: np.ndarray) -> JointTest | None:
    """Compare means with their expectations, the dependence between checkpoints of one run allowed for.

    Args:
        values: (n, m), a row a run; runs are independent, columns need not be.
        expected: (m,).

    Returns:
        None where nothing can be said: a value is not finite, nothing varies or is elsewhere than expected, or there
        are too few runs.
    """
    n, units = len(values), _sizes(values)
    with np.errstate(all="ignore"):
        values, expected = values / units, expected / units
    if n < 2 or not (np.isfinite(values).all() and np.isfinite(expected).all()):
        return None
    spread = values.std(axis=0, ddof=1)
    varies = spread > NEGLIGIBLE * np.abs(expected)
    if not np.allclose(values[:, ~varies], expected[~varies], rtol=10 * NEGLIGIBLE, atol=1e-300):
        return JointTest(math.inf, int(varies.sum()), 0.0)  # what never varies is where it should be, or is wrong
    if not varies.any() or n <= varies.sum():
        return None
    # In units of each checkpoint's own spread, so that late, small errors count as much as early, large ones.
    scaled = (values[:, varies] - expected[varies]) / spread[varies]
    sizes, axes = np.linalg.eigh(np.atleast_2d(np.cov(scaled, rowvar=False)))
    least = NEGLIGIBLE * sizes[-1]
    m = int((sizes > least).sum())
    statistic = float(n * ((scaled.mean(axis=0) @ axes) ** 2 / np.maximum(sizes, least)).sum())
    from scipy.special import fdtrc

    return JointTest(statistic, m, float(fdtrc(m, n - m, statistic * (n - m) / (m * (n - 1)))))


def _sizes(values: np.ndarray) -> np.ndarray:
    """Return (m,), the largest size in each column: in that unit squares and cubes stay in the range of floats."""
    return np.maximum(np.abs(values).max(axis=0, initial=0), np.finfo(float).tiny)
