"""Of a problem whose stationary weights leave states out, every command warns before a reader takes 0 for a success."""

from __future__ import annotations

import json

import pytest

from reports.command import main
from reports.page.subject import OnComparison, OnProblem, Request
from reports.sections import learning_curves, problem_card, verdict
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problems import find_problem

ONE_WAY = """
name = "one way"
gamma = 0.9
features = [[1, 0], [0, 1]]

[mdp]
transitions = [[0, 0, 1, 1, 5], [0, 1, 0, 1, 0], [1, 0, 1, 1, 0], [1, 1, 1, 1, 0]]
behaviour = [["1/2", "1/2"], ["1/2", "1/2"]]
target = [[1, 0], [1, 0]]
"""
WARNING = "warning: state 1 is absorbing and has all the stationary weight, state 0 none"
FEW = {"predict": ("--steps", "4"), "run": ("--steps", "4", "--runs", "3"), "compare": ("--steps", "4", "--runs", "3")}


@pytest.fixture
def one_way(tmp_path):
    path = tmp_path / "one-way.toml"
    path.write_text(ONE_WAY, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("command", ["conditions", "region", "borkar-meyn", "predict", "run", "compare"])
def test_a_command_says_that_one_absorbing_state_has_all_the_weight(command, one_way, capsys):
    assert main([command, one_way, *FEW.get(command, ())]) == 0
    out = capsys.readouterr().out
    assert out.count(WARNING) == 1
    assert "list it in terminal and give start; or give state_weights" in out
    assert main([command, one_way, "--json", *FEW.get(command, ())]) == 0
    (warning,) = json.loads(capsys.readouterr().out)["problem"]["warnings"]
    assert f"warning: {warning}".startswith(WARNING)


@pytest.mark.parametrize("command", ["conditions", "region", "borkar-meyn", "predict", "run", "compare"])
def test_a_command_says_that_features_of_an_end_are_read_as_zeros(command, tmp_path, capsys):
    path = tmp_path / "ended.toml"
    path.write_text(ONE_WAY.replace("[0, 1]]", "[7, 7]]", 1) + "terminal = [1]\nstart = [1, 0]\n", encoding="utf-8")
    assert main([command, str(path), *FEW.get(command, ())]) == 0
    assert capsys.readouterr().out.count("note: features, state 1: an episode ends there, so they are read as z") == 1
    assert main([command, str(path), "--json", *FEW.get(command, ())]) == 0
    assert "read as zeros" in json.loads(capsys.readouterr().out)["problem"]["notes"][0]


@pytest.mark.parametrize("command", ["predict", "run", "compare"])
def test_weights_of_states_that_trajectories_leave_are_warned_of_where_these_are_sampled(command, tmp_path, capsys):
    path = tmp_path / "weighed.toml"
    path.write_text(ONE_WAY + 'state_weights = ["1/2", "1/2"]\n', encoding="utf-8")
    warning = "state 0 has weight in state_weights, but a trajectory of behaviour leaves it for good"
    for sampling, count in (("markov", 1), ("iid", 0)):
        asked = [command, str(path), "--sampling", sampling, *FEW[command]]
        assert main(asked) == 0
        assert capsys.readouterr().out.count(f"warning: {warning}") == count
        assert main([*asked, "--json"]) == 0
        lines = json.loads(capsys.readouterr().out)["sampling_warnings"]
        assert [line.partition(";")[0] for line in lines] == [warning] * count


def test_a_page_says_it_beside_the_verdict_the_problem_and_the_curves(one_way):
    subject = OnProblem(
        problem=find_problem(one_way),
        algorithm=find_algorithm("tdrc"),
        request=Request(steps=4, runs=3, simulate=True),
    )
    together = OnComparison(request=subject.request, learners=(("part-1", subject),))
    for section, about in ((verdict, subject), (problem_card, together), (learning_curves, subject)):
        shown = section.SECTION.collect(about, lambda _: None)
        assert "state 1 is absorbing and has all the stationary weight" in repr(shown)


def test_what_the_warning_asks_for_brings_the_right_values(tmp_path):
    path = tmp_path / "ended.toml"
    path.write_text(ONE_WAY + "terminal = [1]\nstart = [1, 0]\n", encoding="utf-8")
    ended = find_problem(str(path))
    assert ended.warnings == ()
    A, b, _ = key_matrices(ended)
    assert (A[0, 0], b[0, 0]) == (1, 5), "the only step of the target policy pays 5 and ends"


STUDY = """
name = "a study"
problems = ["one-way.toml"]
steps = 4
runs = 2

[[learners]]
algorithms = ["td"]
alpha = ["1/4"]

[figure]
along = "alpha"
"""


def test_a_study_says_it_of_its_problems(one_way, tmp_path, capsys):
    study = tmp_path / "study.toml"
    study.write_text(STUDY, encoding="utf-8")
    asked = ["sweep", str(study), "--store", str(tmp_path / "study.sqlite")]
    assert main(asked) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith(WARNING)]
    assert line.endswith("give state_weights (one way)")
    assert main([*asked, "--json"]) == 0
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert f"warning: {problem['warnings'][0]} (one way)" == line


@pytest.mark.thorough
def test_a_page_is_written_beside_the_same_warning_in_the_terminal(one_way, tmp_path, capsys):
    assert main(["build", one_way, "-o", str(tmp_path / "page.html")]) == 0
    assert capsys.readouterr().out.count(f"  {WARNING}") == 1
