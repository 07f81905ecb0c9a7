import math

import numpy as np
import pytest

from simulate.uncertainty import Interval, band, difference_of_means, estimate, mean, ratio_of_means


def test_of_many_runs_the_interval_of_a_mean_is_students():
    values = np.random.default_rng(1).normal(10, 3, 400)
    known = estimate(values)
    result = mean(values)
    assert result.value == pytest.approx(known.mean)
    assert result.lower == pytest.approx(known.lower, abs=0.05 * (known.upper - known.lower))
    assert result.upper == pytest.approx(known.upper, abs=0.05 * (known.upper - known.lower))


def test_intervals_hold_a_ratio_about_as_often_as_they_say():
    # Two peaks, as of runs of which some are stuck; the true means are 300 and 200.
    generator = np.random.default_rng(2)
    held = 0
    for experiment in range(100):
        one, other = (generator.choice([100.0, top], size=60, p=[0.75, 0.25]) for top in (900.0, 500.0))
        result = ratio_of_means(one, other, seed=experiment)
        held += result.lower <= 1.5 <= result.upper
    assert 88 <= held <= 100


@pytest.mark.slow
@pytest.mark.parametrize(("runs", "share", "expected"), [(20, 0.05, 0.63), (30, 0.05, 0.77), (30, 0.1, 0.93)])
def test_a_mean_of_two_peaks_is_held_as_often_as_the_module_tells(runs, share, expected):
    """Within five standard errors of the share that is counted here."""
    generator, experiments, held = np.random.default_rng(8), 3000, 0
    for _ in range(experiments):
        values = np.where(generator.random(runs) < share, 1000, generator.normal(300, 20, runs))
        result = mean(values)
        held += result.lower <= 300 + 700 * share <= result.upper
    assert held / experiments == pytest.approx(expected, abs=5 * math.sqrt(expected * (1 - expected) / experiments))


def test_a_ratio_turns_over_with_its_parts():
    one, other = np.random.default_rng(3).exponential(size=(2, 50))
    result, turned = ratio_of_means(one, other), ratio_of_means(other, one)
    assert result.value == pytest.approx(1 / turned.value)
    assert result.lower == pytest.approx(1 / turned.upper, rel=0.05)


def test_a_difference_is_told_where_a_ratio_has_no_meaning():
    nothing, some = np.zeros(30), np.random.default_rng(6).poisson(2, 30)
    result, alone = difference_of_means(some, nothing), mean(some)
    assert result.value == pytest.approx(alone.value)
    assert result.lower == pytest.approx(alone.lower, abs=0.1)
    assert difference_of_means(nothing, nothing) == (0, 0, 0)


def test_of_two_intervals_that_hold_together_each_is_as_wide_as_one_of_97_5_percent():
    one, other = np.random.default_rng(7).normal(size=(2, 400))
    alone, both = (difference_of_means(one, other, alike=alike) for alike in (1, 2))
    assert (both.upper - both.lower) / (alone.upper - alone.lower) == pytest.approx(2.2414 / 1.96, rel=0.03)


def test_what_an_interval_holds_is_not_decided():
    result = Interval(2.0, 1.5, 2.5)
    assert [result.above(limit) for limit in (1, 2, 3)] == [True, None, False]
    assert str(result) == "2 [1.5, 2.5]"


def test_the_same_seed_gives_the_same_interval():
    values = np.random.default_rng(4).random(20)
    assert mean(values, seed=7) == mean(values, seed=7)
    assert mean(values, seed=7) != mean(values, seed=8)


def test_each_point_of_a_curve_has_the_interval_of_its_mean():
    curves = np.random.default_rng(5).exponential(size=(30, 4))
    curves[20:, 3] = np.nan  # runs that had ended
    result = band(curves)
    assert result.runs.tolist() == [30, 30, 30, 20]
    for point, values in enumerate((*curves[:, :3].T, curves[:20, 3])):
        alone = mean(values)
        reach = alone.upper - alone.lower
        assert result.mean[point] == pytest.approx(alone.value)
        assert result.lower[point] == pytest.approx(alone.lower, abs=0.1 * reach)
        assert result.upper[point] == pytest.approx(alone.upper, abs=0.1 * reach)


def test_a_band_is_of_the_runs_that_are_there():
    draw = np.random.default_rng(4)
    values = draw.normal(size=(40, 3))
    values[30:, 1] = np.nan
    values[1:, 2] = np.nan
    result = band(values)
    assert result.runs.tolist() == [40, 30, 1]
    for point, count in enumerate((40, 30)):
        there = values[:count, point]
        assert result.mean[point] == pytest.approx(there.mean())
        assert result.deviation[point] == pytest.approx(there.std(ddof=1))
        reach = 1.96 * there.std() / np.sqrt(count)
        assert (result.upper - result.lower)[point] / 2 == pytest.approx(reach, rel=0.15)
    assert result.mean[2] == values[0, 2]
    assert np.isnan([result.lower[2], result.upper[2], result.deviation[2]]).all()


def test_a_band_without_runs_is_unknown_and_without_spread_a_line():
    result = band([[np.nan, 2.0, np.inf], [np.nan, 2.0, 1.0]])
    assert np.isnan(result.mean[0])
    assert (result.mean[1], result.lower[1], result.upper[1], result.deviation[1]) == (2, 2, 2, 0)
    assert result.mean[2] == np.inf
    assert np.isnan(result.lower[2])
