"""`simulate.control`: what it prints, keeps, draws and refuses."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simulate.control.__main__ import PROG, main
from simulate.control.checkpoint import read_checkpoint
from simulate.control.history import late, learning, stuck
from simulate.control.output import plain_text, to_json
from simulate.control.settings import settings
from simulate.control.training import Training, train

ROOT = Path(__file__).parents[3]
SHORT = ("--runs", "3", "--episodes", "4", "--cutoff", "30", "--every", "20")


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def test_json_is_the_contracts_object_and_the_runs_are_those_of_the_library(ask):
    status, out, _ = ask("mountain-car", *SHORT, "--seed", "3", "--json")
    answer = json.loads(out)
    history = train(settings("mountain-car", "qrc", episodes=4, cutoff=30, every=20), range(3), seed=3)
    assert status == 0
    assert answer["runs"] == 3
    assert answer["measure"] == "steps"
    assert answer["episodes"] == [steps.tolist() for steps in history.steps] == [[30] * 4] * 3
    assert answer["updates_per_second"] > 0
    assert answer["records"]["updates"] == [20, 40, 60, 80]
    np.testing.assert_allclose(answer["records"]["h_norm"]["mean"], history.h_norm.mean(axis=0))
    assert answer["stuck_runs"] == [0, 1, 2]
    assert answer["settings"]["alpha"] == "1/1024"


def test_text_csv_and_figure_tell_of_the_same_runs(ask, tmp_path):
    table, figure = tmp_path / "curves.csv", tmp_path / "curves.svg"
    status, out, _ = ask("cart-pole", "--runs", "3", "--steps", "150", "--csv", str(table), "--plot", str(figure))
    assert status == 0
    assert "3 runs of 150 steps" in out
    assert "return an episode, all along" in out
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    history = train(settings("cart-pole", "qrc", steps=150), range(3))
    kept = [row for row in rows if row["curve"] == "h_norm"]
    assert [float(row["mean"]) for row in kept] == pytest.approx(history.h_norm.mean(axis=0).tolist(), rel=1e-12)
    ended = [row for row in rows if row["curve"] == "return"]
    assert len(ended) == len(learning(history)[0])
    assert all(float(row["lower"]) <= float(row["mean"]) <= float(row["upper"]) for row in ended if row["upper"])
    drawn = ET.parse(figure).getroot()
    assert "3 runs" in "".join(drawn.itertext())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nowhere",), "unknown environment 'nowhere'"),
        (("mountain-car", "--algorithm", "sarsa"), "unknown algorithm 'sarsa'"),
        (("mountain-car", "--algorithm", "qc", "--beta", "1"), "--beta: qc has none"),
        (("mountain-car", "--algorithm", "q-learning", "--eta", "1"), "--eta: q-learning has none"),
        (("mountain-car", "--alpha", "0"), "--alpha: 0 is not positive"),
        (("mountain-car", "--gamma", "2"), "--gamma: 2 is not from 0 to 1"),
        (("mountain-car", "--runs", "0"), "--runs: 0 is not from 1"),
        (("mountain-car", "--episodes", "0"), "--episodes: 0 is not from 1"),
        (("mountain-car", "--episodes", "1", "--steps", "1"), "not allowed with"),
        (("mountain-car", "--updates-per-step", "200"), "--every: 100 is less than the 200 updates of one step"),
        (("mountain-car", "--hidden", "3,x"), "'3,x' is not a number of units"),
        (("mountain-car", "--hidden", "0"), "--hidden: 0 is not from 1"),
        (("mountain-car", "--hidden", "65536,65536"), "networks of 4,295,426,051 weights in batches of 32 take about"),
        (("mountain-car", "--batch", "1000000000"), "in batches of 1,000,000,000 take about"),
        (("mountain-car", "--alpha", "1e40"), "--alpha: 1.00000e+40 is outside the range in which networks compute"),
        (("mountain-car", "--beta", "1e-40"), "--beta: 1.00000e-40 is outside the range in which networks compute"),
        (("mountain-car", "--eta", "1e90"), "--eta: 1.00000e+90 is outside the range in which networks compute"),
        (("mountain-car", "--runs", "1", "--buffer", "1000000000"), "transitions take more than 8 GiB"),
        (("mountain-car", "--seed", "-1"), "--seed: -1 is negative"),
        (("mountain-car", "--buffer", "100000000"), "--buffer"),
        (("mountain-car", "--checkpoint", "no/where/file"), "no/where/file: cannot be written"),
    ],
)
def test_what_has_no_meaning_is_refused_in_one_line(ask, arguments, expected):
    status, out, errors = ask(*arguments)
    assert (status, out) == (2, "")
    assert expected in errors
    assert len(errors.splitlines()) == 1


def test_without_torch_it_says_what_to_install(ask, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    status, _, errors = ask("mountain-car", *SHORT)
    assert status == 2
    assert "pip install 'tdrc-referee[control]'" in errors


@pytest.mark.thorough
def test_a_killed_command_goes_on_where_it_was_kept(tmp_path):
    # Kept after every step here; once a minute otherwise.
    program = (
        "import sys; from simulate.control import checkpoint; checkpoint.PERIOD = checkpoint.SHARE = 0; "
        "from simulate.control.__main__ import main; sys.exit(main())"
    )
    arguments = ["mountain-car", "--runs", "2", "--steps", "500", "--json", "--buffer", "50"]
    command = [sys.executable, "-c", program, *arguments, "--checkpoint", "kept.npz"]
    there = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    kept = tmp_path / "kept.npz"
    with subprocess.Popen(command, cwd=tmp_path, env=there, stdout=subprocess.PIPE) as killed:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (
            kept.exists() and read_checkpoint(kept).state["place"]["steps"] > 99
        ):
            time.sleep(0.02)
        killed.send_signal(signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL
    chosen = settings("mountain-car", "qrc", steps=500, buffer=50)
    history, whole = train(chosen, range(2), checkpoint=kept), train(chosen, range(2))
    assert 0 < history.seed_updates < whole.seed_updates - 100
    np.testing.assert_array_equal(history.h_norm, whole.h_norm)


def test_an_interrupt_is_one_line_and_leaves_what_was_kept(ask, tmp_path, monkeypatch):
    kept = tmp_path / "kept.npz"
    assert ask("mountain-car", *SHORT, "--checkpoint", str(kept))[0] == 0
    before = kept.read_bytes()
    monkeypatch.setattr(Training, "history", interrupt)
    status, out, errors = ask("mountain-car", *SHORT, "--checkpoint", str(kept))
    assert (status, out, errors) == (130, "", f"{PROG}: interrupted\n")
    assert kept.read_bytes() == before
    assert list(tmp_path.iterdir()) == [kept]


def interrupt(_):
    raise KeyboardInterrupt


def test_returns_by_step_are_those_of_the_episode_under_way():
    steps = 203
    history = train(settings("cart-pole", "qrc", steps=steps), range(3))
    by_step = np.full((3, steps), np.nan)
    for run in range(3):
        for value, end, length in zip(history.returns[run], history.ends[run], history.steps[run], strict=True):
            by_step[run, end - length : end] = value
    assert np.isnan(by_step[:, -1]).any()  # an episode that has not ended comes to nothing yet
    np.testing.assert_allclose(late(history), known_mean(by_step[:, steps - steps // 5 :]))
    (at, curve), first = learning(history), 0
    for last, mean in zip(at, curve.mean, strict=True):
        assert mean == pytest.approx(float(known_mean([known_mean(by_step[:, first:last])])[0]), nan_ok=True)
        first = last


def known_mean(rows):
    """Return the mean of what is known in each row, nan where nothing is."""
    known = [[value for value in row if value == value] for row in rows]
    return np.array([sum(row) / len(row) if row else np.nan for row in known])


def test_runs_that_do_not_count_are_told_of():
    history = train(settings("mountain-car", "qrc", steps=200, cutoff=150), range(3))
    none = {name: (np.zeros(0), *getattr(history, name)[1:]) for name in ("steps", "returns", "ends")}
    for one, count in ((history, 3), (replace(history, **none), 2)):
        assert to_json(one)["mean"]["runs"] == count
        assert ("(of 2 of 3 runs; no episode of others ended)" in plain_text(one)) == (count == 2)


def test_a_run_is_stuck_whose_last_episodes_are_all_cut_off():
    history = train(settings("mountain-car", "qrc", episodes=10, cutoff=30), range(3))
    history.steps[1][-1] = 29
    history.steps[2][0] = 29
    caught = stuck(history)
    assert caught is not None
    assert caught.tolist() == [True, False, True]
    assert late(history).tolist() == [30, 29.5, 30]


def test_networks_whose_values_leave_the_range_of_floats_are_counted(ask):
    arguments = ("mountain-car", "--alpha", "1e20", "--runs", "2", "--steps", "200")
    assert [lost["run"] for lost in json.loads(ask(*arguments, "--json")[1])["diverged"]] == [0, 1]
    assert "left the range of floats, by their records: 2 of 2 runs (run 0 at update 100, ...)" in ask(*arguments)[1]
