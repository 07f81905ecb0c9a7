"""What stands for the numbers of many features: their first-order terms, and intervals like those of the bootstrap."""

import numpy as np
import pytest

import verify.data.moments
import verify.data.report
from verify.data import Arrays, check_data
from verify.data.numbers import ABSCISSA, SQUARE_STEP, STEP, FirstOrder, Quantities


def columns(rows=4000, k=5, seed=0):
    generator = np.random.default_rng(seed)
    x = generator.normal(size=(rows, k))
    turn = generator.normal(size=(k, k)) / k**0.5
    x_next = 0.7 * x @ turn + 0.3 * generator.normal(size=(rows, k))
    return {"x": x, "x_next": x_next, "reward": x[:, 0], "rho": generator.exponential(size=rows)}


@pytest.mark.quick(2)
@pytest.mark.parametrize("algorithm", ["td", "tdc", "tdrc", "htd"])
def test_every_number_moves_as_its_first_order_says(algorithm):
    report = check_data(Arrays(columns()), algorithm, gamma="4/5", resamples=100)
    sample, units = report.sample, report.moments.units
    whole = sample.estimate(np.ones(units))
    judged = Quantities(whole, (report.form,))
    first = FirstOrder(whole, judged)
    direction = np.random.default_rng(7).normal(size=units)
    away = {}
    for step in (1e-3, 1e-4):
        other = sample.estimate(1 + step * direction)
        exact, near = judged.of_estimate(other), first.of_estimate(other)
        assert set(exact) - set(near) <= {SQUARE_STEP}
        away[step] = {
            name: abs(near[name] - value) for name, value in exact.items() if np.isfinite(value) and name in near
        }
    for name, coarse in away[1e-3].items():
        assert away[1e-4][name] < 0.03 * coarse + 1e-9, name  # the rest is of second order: a hundredth of it


@pytest.mark.thorough
def test_intervals_to_first_order_are_about_those_of_the_bootstrap(monkeypatch):
    bootstrap = check_data(Arrays(columns()), "tdrc", gamma="4/5")
    for module in (verify.data.moments, verify.data.report):
        monkeypatch.setattr(module, "SMALL", 2)
    first = check_data(Arrays(columns()), "tdrc", gamma="4/5")
    assert (first.resamples, first.moments.units) == (0, verify.data.moments.UNITS_OF_LARGE)
    for name in (ABSCISSA, STEP):
        ours, theirs = first.numbers[name], bootstrap.numbers[name]
        assert ours.value == pytest.approx(theirs.value, rel=1e-9)
        assert ours.upper - ours.lower == pytest.approx(theirs.upper - theirs.lower, rel=0.6)


def test_hundreds_of_features_are_judged_in_bounded_memory(monkeypatch):
    monkeypatch.setattr(verify.data.moments, "_MEMORY", 1 << 20)
    report = check_data(Arrays(columns(rows=3000, k=150)), "td", gamma="4/5")
    assert report.moments.units == verify.data.moments.FEWEST_UNITS
    assert report.status.value == "convergent"
    assert report.to_json()["estimates"]["A"] is None
