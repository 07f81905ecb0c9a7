"""What is kept of runs under way: whole, of those runs alone, and enough to go on to the same bits."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from simulate.control import checkpoint
from simulate.control.checkpoint import read_checkpoint
from simulate.control.history import RECORDS
from simulate.control.settings import settings
from simulate.control.training import train
from tdrc_theory.errors import BadOption

OPTIONS = {"prioritized": True, "target_every": 7, "updates_per_step": 2, "buffer": 60}
RUNS = range(2, 5)


def wanted(**options):
    return settings("cart-pole", "qrc", **{"steps": 90, "every": 20, **OPTIONS, **options})


class Stopped(Exception):
    pass


def stop_after(steps):
    def progress(done):
        if done >= steps:
            raise Stopped

    return progress


@pytest.fixture
def kept_at_every_step(monkeypatch):
    monkeypatch.setattr(checkpoint, "PERIOD", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", 0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("agents.h", None),
        ("agents.h", np.zeros((3, 2, 9), np.float32)),
        ("agents.h", np.array(["a"])),
        ("agents.h", np.zeros((1, 1, 1), np.float32)),
        ("environment.elapsed", np.zeros(1, np.int64)),
        ("replay.rewards", np.zeros((1, 1), np.float32)),
        ("replay.priorities", np.ones((1, 1))),
        ("replay.added", np.array("x")),
        ("environment.elapsed", np.zeros(7)),
        ("streams.acting", None),
    ],
)
def test_what_does_not_fit_the_settings_is_refused(tmp_path, name, value):
    file = tmp_path / "runs.npz"
    train(wanted(steps=30), RUNS, checkpoint=file)
    arrays = {**np.load(file), name: value}
    np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(BadOption, match=r"runs\.npz: what it keeps does not fit the settings that it names"):
        train(wanted(steps=30), RUNS, checkpoint=file)


@pytest.mark.quick(1)
@pytest.mark.usefixtures("kept_at_every_step")
@pytest.mark.parametrize("arguments", [{}, {"optimizer": "rmsprop", "algorithm": "qc"}], ids=["adam", "rmsprop"])
def test_runs_that_were_stopped_come_to_the_same_bits(tmp_path, arguments):
    chosen = settings(
        **{"environment": "cart-pole", "algorithm": "qrc", "steps": 90, "every": 20, **OPTIONS, **arguments}
    )
    file = tmp_path / "runs.npz"
    for steps in (10, 11, 70):  # before the first update, at it, and when the buffer has begun to overwrite
        with pytest.raises(Stopped):
            train(chosen, RUNS, checkpoint=file, progress=stop_after(steps))
    resumed, whole = train(chosen, RUNS, checkpoint=file), train(chosen, RUNS)
    assert resumed.seed_updates < whole.seed_updates
    for record in RECORDS:
        np.testing.assert_array_equal(getattr(resumed, record), getattr(whole, record))
    for name in ("steps", "returns", "ends"):
        for one, other in zip(getattr(resumed, name), getattr(whole, name), strict=True):
            np.testing.assert_array_equal(one, other)
    again = train(chosen, RUNS, checkpoint=file)
    assert again.seed_updates == 0
    np.testing.assert_array_equal(again.h_norm, whole.h_norm)


def test_a_checkpoint_tells_what_it_is_of(tmp_path):
    file = tmp_path / "runs.npz"
    train(wanted(), RUNS, seed=4, checkpoint=file)
    result = read_checkpoint(file)
    assert (result.settings, result.seed, result.runs) == (wanted(), 4, RUNS)
    assert result.state["agents"]["h"].shape == (3, 2, 64)
    assert result.state["replay"]["observations"].shape == (60, 3, 4)


@pytest.mark.parametrize(
    ("arguments", "runs", "seed", "message"),
    [
        ({"alpha": "1/3"}, RUNS, 0, "alpha is 1/1024 there and 1/3 here"),
        ({}, range(3), 0, "first_run is 2 there and 0 here"),
        ({}, RUNS, 1, "seed is 0 there and 1 here"),
    ],
)
def test_a_checkpoint_of_other_runs_is_refused(tmp_path, arguments, runs, seed, message):
    file = tmp_path / "runs.npz"
    train(wanted(steps=3), RUNS, checkpoint=file)
    with pytest.raises(ValueError, match=message):
        train(wanted(steps=3, **arguments), runs, seed=seed, checkpoint=file)


class Trap:
    def __reduce__(self):
        return pytest.fail, ("what is read must not be run",)


@pytest.mark.parametrize("content", ["text", "archive", "pickle", "pickle in an archive", "nothing"])
def test_a_file_that_is_no_checkpoint_is_refused_and_never_run(tmp_path, content):
    file = tmp_path / "runs.npz"
    if content == "text":
        file.write_text("about")
    elif content == "archive":
        np.savez(file, weight=np.zeros(3))
    elif content == "pickle":
        file.write_bytes(pickle.dumps(Trap()))
    elif content == "pickle in an archive":
        np.savez(file, about=np.array(Trap(), dtype=object))
    else:
        file.touch()
    with pytest.raises(ValueError, match=r"runs\.npz: is no checkpoint"):
        read_checkpoint(file)
