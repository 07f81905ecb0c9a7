from __future__ import annotations

import csv
import json
import pickle
import re
import signal
import sqlite3
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from importlib import metadata

import numpy as np
import pytest

from simulate.compute import compute_there, packed
from simulate.control import piece as pieces
from simulate.control.linear.agent import find_agent, linear_settings
from simulate.control.linear.learner import learn
from simulate.control.piece import ControlPiece
from simulate.control.settings import settings
from simulate.sweep.__main__ import PROG
from simulate.sweep.experiment_file import load_experiment
from tdrc_theory.errors import MissingExtra

LINEAR = """
name = "linear"
environments = [{ environment = "mountain-car", steps = 1200, cutoff = 300 }]
runs = 4
seed = 3

[[agents]]
features = "tiles"
algorithms = ["q-learning", "qrc"]
alpha = ["1/4", "1/2"]
"""
NETWORKS = """
name = "networks"
environments = [
  { environment = "mountain-car", episodes = 2, cutoff = 60 },
  { environment = "cart-pole", steps = 130 },
]
runs = 3

[[agents]]
algorithms = ["q-learning", "qrc"]
alpha = ["1/1024", "1/256"]
beta = ["1/2", 1]
target_every = [0, 4]

[figure]
along = "alpha"
by = "target_every"
"""


def read(tmp_path, text):
    (tmp_path / "study.toml").write_text(text)
    return load_experiment(tmp_path / "study.toml")


def under_way(episodes, ends, at, last):
    """Return what the episode comes to in which a step is; `last` is that of the one that has not ended."""
    return next((each for each, end in zip(episodes, ends, strict=True) if end >= at), last)


def test_a_row_holds_the_mean_steps_of_the_episode_under_way_and_fewer_are_better(ask, tmp_path):
    status, out, err = ask(LINEAR, "--export", "rows.csv", "--plot", "drawn.svg", "--json")
    assert (status, err) == (0, "")
    rows = list(csv.DictReader((tmp_path / "rows.csv").read_text().splitlines()))
    setting = linear_settings(find_agent("qrc"), alpha=Fraction(1, 2), steps=1200, cutoff=300)
    learned = learn(setting, range(4), seed=3)
    expected = [
        np.mean([under_way(steps, np.cumsum(steps), at, max([last, *steps[-1:]])) for at in range(12, 1201, 12)])
        for steps, last in zip(learned.steps, learned.last_steps, strict=True)
    ]
    (row,) = [row for row in rows if (row["algorithm"], row["alpha"]) == ("qrc", "0.5")]
    assert float(row["area_mean"]) == pytest.approx(np.mean(expected), rel=1e-13)
    assert (row["problem"], row["steps"], row["episodes"], row["step_size"]) == ("mountain-car", "1200", "", "constant")
    assert (row["runs"], row["measure"]) == ("4", "steps an episode")
    for best in json.loads(out)["best"]:
        same = [float(row["area_mean"]) for row in rows if row["algorithm"] == best["algorithm"]]
        assert best["area_mean"] == min(same)
    assert "steps an episode" in ET.parse(tmp_path / "drawn.svg").getroot().find("{*}desc").text.lower()


def test_what_is_stored_is_not_computed_again_and_a_larger_grid_reuses_it(ask):
    _, first, _ = ask(LINEAR)
    _, second, _ = ask(LINEAR, "--workers", "1")
    _, third, _ = ask(LINEAR.replace('["1/4"', '["1/8", "1/4"'))
    assert "16 learning curves computed, 0 found in sweep.sqlite" in first
    assert "0 learning curves computed, 16 found in sweep.sqlite" in second
    assert "8 learning curves computed, 16 found" in third
    assert first.splitlines()[2:] == second.splitlines()[2:]


def test_networks_have_a_configuration_for_all_that_an_algorithm_has_and_no_more(tmp_path):
    pytest.importorskip("torch")
    cases = {(case.problem, case.algorithm): case for case in read(tmp_path, NETWORKS).cases()}
    assert {key: len(case.configurations) for key, case in cases.items()} == {
        ("mountain-car", "q-learning"): 4,
        ("mountain-car", "qrc"): 8,
        ("cart-pole", "q-learning"): 4,
        ("cart-pole", "qrc"): 8,
    }
    for case in cases.values():
        assert len(set(case.configurations)) == len(case.piece.configurations) == len(set(case.piece.keys()))
    assert cases["cart-pole", "qrc"].measure.larger_is_better
    assert not cases["mountain-car", "qrc"].measure.larger_is_better


def test_a_piece_of_networks_holds_what_training_gives(tmp_path):
    pytest.importorskip("torch")
    from simulate.control.training import train

    cases = {(case.problem, case.algorithm): case for case in read(tmp_path, NETWORKS).cases()}
    episodes = cases["mountain-car", "qrc"].piece.of_lanes([3])
    history = train(episodes.configurations[0], range(3))
    result = episodes.compute()
    assert result.area[:, 0].tolist() == [np.mean(steps[:2]) for steps in history.steps]
    assert (result.mean.shape, result.diverged.tolist()) == ((2, 1), [[-1]] * 3)
    steps = cases["cart-pole", "q-learning"].piece.of_lanes([0])
    history = train(steps.configurations[0], range(3))
    expected = [
        np.mean([under_way(returns, ends, at, returns[-1]) for at in range(2, 131, 2)])
        for returns, ends in zip(history.returns, history.ends, strict=True)
    ]
    np.testing.assert_allclose(steps.compute().area[:, 0], expected, rtol=1e-13)


def test_weights_that_leave_the_finite_range_are_told_and_not_best(tmp_path):
    pytest.importorskip("torch")
    experiment = read(
        tmp_path, NETWORKS.replace('["1/1024", "1/256"]', f'"{10**37}"').replace("steps = 130", "steps = 400")
    )
    (case,) = [c for c in experiment.cases() if (c.problem, c.algorithm) == ("cart-pole", "q-learning")]
    result = case.piece.of_lanes([0]).compute()
    assert np.isinf(result.area).all()
    assert (result.diverged == 100).all()  # where it is first looked at


def test_a_key_depends_on_all_that_the_numbers_do(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    (case, *_) = read(tmp_path, NETWORKS).cases()
    result = case.piece.of_lanes([0])
    keys = {result.keys()[0]}
    keys.add(replace(result, seed=1).keys()[0])
    keys.add(replace(result, runs=range(2)).keys()[0])
    keys.add(replace(result, configurations=(replace(result.configurations[0], gamma=Fraction(1, 2)),)).keys()[0])
    with monkeypatch.context() as patch:
        patch.setattr(pieces, "sources", lambda: "of another version")
        keys.add(result.keys()[0])
    real = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "0.0" if name == "torch" else real(name))
    keys.add(result.keys()[0])
    assert len(keys) == 6


def test_a_game_is_played_in_blocks_of_few_runs():
    played = ControlPiece("minatar:breakout", (settings("minatar:breakout", "qrc", steps=10),), 0, runs=range(12))
    assert [block.runs for block in played.blocks()] == [range(5), range(5, 10), range(10, 12)]


def test_a_piece_travels_to_a_cluster_and_gives_the_same_there(tmp_path):
    (case, *_) = read(tmp_path, LINEAR).cases()
    there = compute_there(pickle.loads(pickle.dumps(packed(case.piece))))
    for array, other in zip(there, case.piece.compute(), strict=True):
        assert (array == other).all()


def test_without_torch_one_line_says_what_to_install(ask, monkeypatch):
    def version(name):
        if name == "torch":
            raise metadata.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(metadata, "version", version)
    status, out, err = ask(NETWORKS)
    assert (status, out) == (2, "")
    assert err == f"{PROG}: error: networks need torch; install it with: pip install 'tdrc-referee[control]'\n"


def test_a_torch_that_is_installed_but_cannot_be_imported_is_refused_where_it_is_first_needed(tmp_path, monkeypatch):
    (case, *_) = read(tmp_path, NETWORKS).cases()
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match="networks need torch"):
        case.piece.compute()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("episodes = 2", "episodes = 2, steps = 3", "environments, entry 0: episodes: steps are given too"),
        ('"cart-pole"', '"mountain-car"', "environments, entry 1: mountain-car is listed twice"),
        ("beta =", 'features = "tiles"\nbeta =', "tiles are for mountain-car alone, not for cart-pole"),
        ('"qrc"]', '"sarsa"]', "unknown algorithm sarsa"),
        ('along = "alpha"', 'along = "steps"', "figure.along: steps is none; allowed: alpha"),
        ("runs = 3", "runs = 0", "runs: 0 is not an integer from 1"),
        ("runs = 3", 'runs = 3\nsampling = "iid"', "sampling: unknown"),
        ("target_every = [0, 4]", "target_every = -1", "target_every: -1 is not an integer from 0"),
        ("target_every", "target", "target: unknown"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_one_line(ask, old, new, message):
    assert old in NETWORKS
    status, out, err = ask(NETWORKS.replace(old, new))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in re.sub(r"['\"]", "", err)


@pytest.mark.slow
def test_networks_are_the_same_bits_whatever_the_number_of_processes(ask, tmp_path):
    pytest.importorskip("torch")
    for workers in ("1", "2"):
        status, _, err = ask(
            NETWORKS, "--workers", workers, "--store", f"{workers}.sqlite", "--curves", f"{workers}.csv"
        )
        assert (status, err) == (0, "")
    assert (tmp_path / "1.csv").read_text() == (tmp_path / "2.csv").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("text", [NETWORKS.replace("runs = 3", "runs = 60"), LINEAR.replace("runs = 4", "runs = 400")])
def test_killed_at_any_moment_it_goes_on_from_there(ask, tmp_path, text):
    pytest.importorskip("torch")
    (tmp_path / "study.toml").write_text(text)
    command = [sys.executable, "-m", "simulate.sweep", "study.toml", "--workers", "1"]
    killed = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
    while stored(tmp_path) < 2:
        assert killed.poll() is None
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = stored(tmp_path)
    status, out, err = ask(text, "--curves", "resumed.csv")
    assert (status, err) == (0, "")
    computed, result = (
        int(n.replace(",", "")) for n in re.search(r"([\d,]+) learning curves? .* ([\d,]+) found", out).groups()
    )
    assert computed > 0
    assert result > 0
    assert before >= 2
    ask(text, "--store", "whole.sqlite", "--curves", "whole.csv")
    assert (tmp_path / "resumed.csv").read_text() == (tmp_path / "whole.csv").read_text()


def stored(folder):
    file = folder / "sweep.sqlite"
    if not file.exists():
        return 0
    try:
        with sqlite3.connect(file, timeout=10) as store:
            return store.execute("SELECT count(*) FROM outcomes").fetchone()[0]
    except sqlite3.OperationalError:  # not made yet
        return 0
