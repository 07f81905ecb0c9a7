"""Runs that learn together: each is what it would be beside any others."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from simulate.control.history import RECORDS
from simulate.control.settings import settings
from simulate.control.training import Training, train

CONFIGURATIONS = {
    "plain": {"environment": "mountain-car", "algorithm": "qrc"},
    "all options": {
        "environment": "mountain-car",
        "algorithm": "qrc",
        "prioritized": True,
        "target_every": 4,
        "updates_per_step": 3,
        "hidden": (5, 7),
        "batch": 3,
    },
    "rmsprop": {"environment": "cart-pole", "algorithm": "qc", "optimizer": "rmsprop"},
}


def short(runs, steps=90, **options):
    return train(settings(**{"steps": steps, "cutoff": 25, "every": 15, **options}), runs)


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_run_is_the_same_bits_beside_any_others(name):
    many = short(range(21), **CONFIGURATIONS[name])
    assert all(np.isfinite(getattr(many, record)).all() for record in RECORDS)
    for runs in (range(4, 5), range(2, 21)):
        few = short(runs, **CONFIGURATIONS[name])
        for record in RECORDS:
            np.testing.assert_array_equal(getattr(few, record), getattr(many, record)[runs.start : runs.stop])
        for place, run in enumerate(runs):
            np.testing.assert_array_equal(few.ends[place], many.ends[run])
            np.testing.assert_array_equal(few.returns[place], many.returns[run])


def test_runs_take_one_thread_and_leave_torch_as_it_was():
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        seen = set()
        train(settings("mountain-car", "qrc", steps=3), range(2), progress=lambda _: seen.add(torch.get_num_threads()))
        assert seen == {1}
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test_a_time_limit_is_no_termination():
    training = Training(settings("mountain-car", "qrc", steps=60, cutoff=20), range(2), 0, "cpu")
    training.environment.position[1] = 0.46  # so fast that it is at the goal at once
    training.environment.velocity[1] = 0.06
    while not training.done:
        training.step()
    goes_on = training.replay.columns.goes_on[:60]
    assert goes_on[:, 0].tolist() == [1.0] * 60  # three episodes that were cut off
    assert goes_on[0, 1] == 0.0
    assert goes_on[:, 1].sum() == 59
    history = training.history()
    assert history.steps[0].tolist() == [20, 20, 20]
    assert history.steps[1].tolist()[:3] == [1, 20, 20]
    # What is kept as the next state is the one reached, and not the first of the next episode.
    after, at = training.replay.columns.next_observations, training.replay.columns.observations
    assert not torch.equal(after[19, 0], at[20, 0])
    assert torch.equal(after[18, 0], at[19, 0])


def test_a_run_that_has_its_episodes_is_recorded_no_further():
    training = Training(settings("mountain-car", "qrc", episodes=2, cutoff=50, every=5), range(2), 0, "cpu")
    training.environment.position[1] = 0.46
    training.environment.velocity[1] = 0.06
    while not training.done:
        training.step()
    history = training.history()
    assert [ends.tolist() for ends in history.ends] == [[50, 100], [1, 51]]
    at = history.updates + training.settings.warm_up - 1  # the step in which an update is made
    assert np.isfinite(history.h_norm[0]).all()
    np.testing.assert_array_equal(np.isfinite(history.h_norm[1]), at <= 51)


def test_exploration_falls_linearly():
    chosen = settings("mountain-car", "qrc", first_epsilon=1, epsilon="1/10", annealing=100)
    assert [chosen.exploration(step) for step in (0, 50, 100, 5000)] == pytest.approx([1, 0.55, 0.1, 0.1])
    always = settings("mountain-car", "qrc", epsilon="1/4")
    assert always.exploration(0) == always.exploration(999) == 0.25
