"""`simulate.control --features tiles`: the same command, without torch."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from simulate.control import __main__ as command
from simulate.control.linear.agent import find_agent, linear_settings
from simulate.control.linear.learner import learn

ROOT = Path(__file__).parents[4]


@pytest.fixture
def ask(asker):
    return asker(command.main, command.PROG)


def test_the_control_command_runs_linear_agents_like_those_with_networks(ask):
    arguments = (
        "mountain-car",
        "--features",
        "tiles",
        "--episodes",
        "3",
        "--cutoff",
        "50",
        "--runs",
        "4",
        "--seed",
        "2",
    )
    status, out, _ = ask(*arguments, "--algorithm", "qc", "--every", "30", "--workers", "1", "--json")
    shown = json.loads(out)
    result = learn(linear_settings(find_agent("qc"), episodes=3, cutoff=50, every=30), range(4), seed=2)
    assert status == 0
    assert shown["episodes"] == [run.tolist() for run in result.steps]
    assert shown["records"]["h_norm"]["mean"] == pytest.approx(result.h_norm.mean(axis=0).tolist())
    assert shown["updates_per_second"] > 0
    assert (shown["settings"]["beta"], shown["settings"]["eta"], shown["settings"]["tilings"]) == (None, "1", 16)
    assert shown["diverged"] == []
    status, out, _ = ask(*arguments, "--algorithm", "actor-critic-tdrc")
    assert "5 tilings of 4 x 4 tiles; adam step size" in out
    assert "4 runs of 3 episodes" in out


def test_the_control_command_tells_of_runs_that_diverge(ask):
    tiles = ("mountain-car", "--features", "tiles", "--algorithm", "q-learning", "--runs", "3", "--episodes", "3")
    status, out, _ = ask(*tiles, "--alpha", "400")
    assert status == 0
    assert "left the range of floats, and count until then: 3 of 3 runs (run 0 at update " in out
    _, out, _ = ask(*tiles, "--alpha", "400", "--json")
    assert [lost["run"] for lost in json.loads(out)["diverged"]] == [0, 1, 2]


def test_one_run_has_a_mean_and_no_interval(ask):
    tiles = ("mountain-car", "--features", "tiles", "--runs", "1", "--episodes", "2", "--cutoff", "20")
    _, out, _ = ask(*tiles)
    assert "steps an episode, all along: 20\n" in out
    _, out, _ = ask(*tiles, "--json")
    assert json.loads(out)["mean"] == {"value": 20.0, "lower": None, "upper": None, "runs": 1}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("cart-pole", "--features", "tiles"), "tiles are for mountain-car alone, not for cart-pole"),
        (("mountain-car", "--features", "tiles", "--hidden", "3"), "--hidden: is of networks"),
        (("mountain-car", "--features", "tiles", "--device", "cuda"), "--device: is of networks"),
        (("mountain-car", "--features", "tiles", "--checkpoint", "x"), "--checkpoint: is of networks"),
        (("mountain-car", "--features", "tiles", "--algorithm", "qc", "--beta", "1"), "--beta: qc has none"),
        (
            ("mountain-car", "--features", "tiles", "--steps", "100000000", "--every", "1"),
            "--every: 3000000000 records",
        ),
        (("mountain-car", "--features", "tiles", "--workers", "0"), "--workers: 0 is not from 1"),
        (("mountain-car", "--features", "tiles", "--algorithm", "sarsa"), "unknown linear agent 'sarsa'"),
        (
            ("mountain-car", "--algorithm", "actor-critic-td"),
            "q-learning, or with --features tiles more of them, yours too",
        ),
    ],
)
def test_what_tiles_cannot_do_is_one_line(arguments, expected, ask):
    status, out, errors = ask(*arguments)
    assert (status, out) == (2, "")
    assert expected in errors
    assert len(errors.splitlines()) == 1


def test_a_learner_of_vectors_is_refused_on_one_line(ask, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from tdrc_theory.learner import Step, learner\n"
        '@learner(weights="w")\ndef mine(x, w, reward):\n    return Step(w=reward * x)\n'
    )
    status, out, errors = ask("mountain-car", "--features", "tiles", "--algorithm", f"{file}:mine")
    assert (status, out) == (2, "")
    assert "mine is of vectors; a linear agent takes a function of one component" in errors


def test_linear_control_needs_no_torch():
    hidden = "import sys; sys.modules['torch'] = None; from simulate.control.__main__ import main; "
    asked = "main(['mountain-car', '--features', 'tiles', '--runs', '2', '--episodes', '2', '--cutoff', '20'])"
    done = subprocess.run([sys.executable, "-c", hidden + asked], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "2 runs of 2 episodes" in done.stdout
