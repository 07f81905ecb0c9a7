from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import kstest, ttest_1samp

from reports.compare.comparison import joint_test, nearly_normal

EXPECTED = np.array([1.0, -2.0, 30.0])
RARE = 1e-6
"""So rarely a right test fails."""
MIXING = np.array([[1.0, 0.0, 0.0], [0.9, 0.1, 0.0], [5.0, 5.0, 20.0]])


def draws(seed, runs=40):
    return EXPECTED + np.random.default_rng(seed).normal(size=(runs, 3)) @ MIXING.T


def test_one_checkpoint_gives_students_two_sided_test():
    values = draws(0)[:, :1]
    ours = joint_test(values, EXPECTED[:1])
    assert ours.p_value == pytest.approx(ttest_1samp(values[:, 0], EXPECTED[0]).pvalue)


def test_p_values_of_a_right_expectation_are_uniform():
    results = [joint_test(draws(seed), EXPECTED).p_value for seed in range(1000)]
    assert kstest(results, "uniform").pvalue > RARE


def test_a_small_difference_against_the_correlation_is_seen():
    # A tenth of a standard deviation in each, which single checkpoints hardly show, with the opposite sign.
    wrong = EXPECTED + 0.1 * np.array([1.0, -1.0, 0.0])
    values = draws(3, runs=2000)
    assert joint_test(values, EXPECTED).p_value > RARE
    assert joint_test(values, wrong).p_value < 1e-9


def test_a_checkpoint_that_repeats_another_adds_no_degree_of_freedom():
    values = draws(5)
    twice = joint_test(values[:, [0, 1, 2, 2]], EXPECTED[[0, 1, 2, 2]])
    once = joint_test(values, EXPECTED)
    assert twice.degrees == once.degrees == 3
    assert twice.statistic == pytest.approx(once.statistic)


def test_units_do_not_matter():
    scale = np.array([1e-12, 1.0, 1e9])
    values = draws(6)
    assert joint_test(values * scale, EXPECTED * scale).p_value == pytest.approx(joint_test(values, EXPECTED).p_value)


def test_what_never_varies_must_be_as_expected():
    still = np.full((10, 2), 3.0)
    assert joint_test(still, np.array([3.0, 3.0])) is None
    result = joint_test(still, np.array([3.0, 3.001]))
    assert (result.statistic, result.p_value) == (math.inf, 0.0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.ones((1, 2)), np.ones(2)),
        (np.array([[1.0, math.inf], [1.0, 2.0], [2.0, 1.0]]), np.ones(2)),
        (draws(7), np.array([1.0, math.inf, 30.0])),
        (draws(7)[:3], EXPECTED),
    ],
    ids=["one run", "a run that diverged", "a prediction past the range", "too few runs"],
)
def test_where_nothing_can_be_said_there_is_no_test(values, expected):
    assert joint_test(values, expected) is None


def test_the_more_skewed_the_more_runs_a_mean_takes():
    rng = np.random.default_rng(1)
    normal, exponential, heavy = rng.normal(size=2000), rng.exponential(size=2000), rng.lognormal(0, 3, size=2000)
    values = np.column_stack([normal, exponential, heavy, np.full(2000, 7.0)])
    assert nearly_normal(values).tolist() == [True, True, False, True]
    assert nearly_normal(1e200 * values).tolist() == [True, True, False, True]
    assert not nearly_normal(exponential[:40, None])


def test_the_unit_of_a_checkpoint_changes_nothing():
    units = np.array([1e200, 1e-200, 3.0])
    ours, others = joint_test(draws(2), EXPECTED), joint_test(draws(2) * units, EXPECTED * units)
    assert (others.degrees, others.p_value) == (3, pytest.approx(ours.p_value))
