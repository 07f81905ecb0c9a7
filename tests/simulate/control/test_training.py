"""Runs that learn together: each is what it would be beside any others."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from simulate.control.history import RECORDS
from simulate.control.settings import settings
from simulate.control.training import train

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


def short(runs, steps=90, **given):
    return train(settings(**{"steps": steps, "cutoff": 25, "every": 15, **given}), runs)


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
