"""Intervals of numbers that are computed from units: what they decide, and against intervals that are known."""

import math

import numpy as np
import pytest
from scipy import stats

from verify.check import Status
from verify.data.intervals import FEWEST_UNITS, LEVEL, Interval, Resampling, bootstrapped, jackknife


def resampled(values, quantity, resamples=4000):
    return Resampling(
        len(values), lambda counts: {"q": quantity(np.repeat(values, counts.astype(int)))}, resamples, 1, lambda _: None
    )


def test_an_interval_decides_what_lies_outside_it():
    result = Interval(2.0, 1.0, 3.0)
    assert result.above(0.5) is result.below(3.5) is Status.HOLDS
    assert result.above(3.5) is result.below(0.5) is Status.FAILS
    assert result.above(2.5) is result.below(2.5) is result.above(1.0) is result.below(3.0) is Status.UNDECIDED
    assert Interval(2.0, math.nan, math.nan).above(0) is Status.UNDECIDED


def test_the_jackknife_of_a_mean_is_students_interval():
    values = np.random.default_rng(0).exponential(size=25)
    result = resampled(values, np.mean, 0).interval("q")
    ends = stats.t.interval(LEVEL, 24, values.mean(), stats.sem(values))
    assert (result.lower, result.upper) == pytest.approx(ends, abs=1e-12)


def test_the_bootstrap_is_bca_as_scipy_has_it():
    values = np.random.default_rng(2).exponential(size=40)
    result = resampled(values, np.var).interval("q")
    theirs = stats.bootstrap((values,), np.var, n_resamples=4000, confidence_level=LEVEL, method="BCa", rng=5)
    width = theirs.confidence_interval.high - theirs.confidence_interval.low
    ends = theirs.confidence_interval.low, theirs.confidence_interval.high
    assert (result.lower, result.upper) == pytest.approx(ends, abs=0.15 * width)


def test_few_units_have_no_interval():
    result = resampled(np.arange(FEWEST_UNITS - 1.0), np.mean, 100).interval("q")
    assert math.isnan(result.lower)


def test_what_is_the_same_whichever_units_are_taken_is_certain_up_to_rounding():
    result = bootstrapped(2.0, [2.0] * 20, [2.0] * 100, rounding=0.5)
    assert (result.lower, result.upper) == (1.5, 2.5)
    assert bootstrapped(math.inf, [math.inf] * 20, [math.inf] * 100).above(5) is Status.HOLDS
    assert jackknife(math.inf, [math.inf] * 20).above(5) is Status.HOLDS


def test_what_is_sometimes_infinite_has_an_end_that_is_or_none():
    drawn = [*np.linspace(1, 2, 150), *[math.inf] * 50]
    result = bootstrapped(1.6, [1.6 + 0.001 * i for i in range(20)], drawn)
    assert result.upper == math.inf
    assert 1 <= result.lower < 1.6
    assert math.isnan(bootstrapped(1.5, [1.5] * 20, [math.nan, *[1.4, 1.6] * 60]).lower)
    assert math.isnan(bootstrapped(1.0, [1.0] * 20, [2.0] * 100).lower)  # every draw is above the value
