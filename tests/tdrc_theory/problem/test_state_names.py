"""States with names are called by them in errors, warnings, values and pages, whatever the names hold."""

from __future__ import annotations

import json

import pytest

from reports.command import main
from tdrc_theory import Problem, averaged_process, find_problem, load_problem
from tdrc_theory.errors import BadProblem
from tdrc_theory.problems.by_action import by_action
from tdrc_theory.problems.problem_file import in_file_form, problem_text
from verify import check_conditions

NAMED = """
name = "corridor"
gamma = 0.9
features = [[1, 0], [0, 1], [0, 0]]
state_names = ["left", "<b>right</b>", "door \\u001b[31m"]

[mdp]
transitions = [[0, 0, 1, 1, 0], [1, 0, 2, 1, 1]]
behaviour = [0, 0, 0]
target = [0, 0, 0]
terminal = [2]
start = [1, 0, 0]
"""
NAMES = ("left", "<b>right</b>", "door \x1b[31m")


@pytest.fixture
def named(tmp_path):
    path = tmp_path / "named.toml"
    path.write_text(NAMED, encoding="utf-8")
    return path


def test_values_are_shown_by_name_and_safely(named, capsys):
    assert main(["conditions", str(named), "--algorithm", "td"]) == 0
    out = capsys.readouterr().out
    assert "values there: (left: 0.9, <b>right</b>: 1, door \\x1b[31m: 0)" in out
    assert "\x1b" not in out
    assert main(["conditions", str(named), "--algorithm", "td", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["problem"]["state_names"] == list(NAMES)


def test_a_problem_without_names_says_nothing_of_them(capsys):
    assert main(["conditions", "boyan", "--json"]) == 0
    assert "state_names" not in json.loads(capsys.readouterr().out)["problem"]


def test_errors_and_warnings_call_states_by_number_and_name(named):
    text = NAMED.replace("behaviour = [0, 0, 0]", "behaviour = [0, [0.5], 0]")
    named.write_text(text, encoding="utf-8")
    with pytest.raises(BadProblem, match=r"mdp\.behaviour, state 1 \(<b>right</b>\): entries sum to 1/2, not 1"):
        load_problem(named)
    two = {"name": "s", "gamma": 0, "features": [[1], [1]], "r": [0, 1], "state_names": ["a", "b"]}
    stuck = averaged_process(P=[[0, 1], [0, 1]], **two)
    assert stuck.warnings[0].startswith("state 1 (b) is absorbing and has all the stationary weight, state 0 (a) none")
    with pytest.raises(BadProblem, match=r"P, state 0 \(a\): entries sum to 2, more than 1"):
        averaged_process(P=[[1, 1], [0, 1]], **two)


def test_names_are_read_back_and_kept_by_other_forms(named, tmp_path):
    problem = load_problem(named)
    assert problem.state_names == NAMES
    again = tmp_path / "again.toml"
    again.write_text(problem_text(problem), encoding="utf-8")
    assert load_problem(again).state_names == NAMES
    assert by_action(problem).state_names == NAMES
    ended = Problem(
        name="one", gamma=0, features=[[1]], transitions=[(0, 0, -1, 1, 0)], behaviour=[0], target=[0], start=[1],
        state_names=["here"],
    )  # fmt: skip
    assert in_file_form(ended).state_names == ("here", "the end")


def test_values_of_actions_name_state_and_action(named):
    report = check_conditions(by_action(load_problem(named)), "expected-sarsa")
    assert report.estimate.places == tuple(f"{name}, action 0" for name in NAMES)


def test_a_page_shows_names_escaped(named, tmp_path):
    page = tmp_path / "page.html"
    assert main(["build", str(named), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "1 (&lt;b&gt;right&lt;/b&gt;)" in text
    assert "<b>right" not in text
    assert "\x1b" not in text


def test_names_of_a_model_file_are_taken_over(tmp_path):
    path = tmp_path / "corridor.MDP"
    path.write_text(
        "discount: 0.9\nvalues: reward\nstates: left right\nactions: go\nT: go\n0 1\n1 0\nR: * : left : * : * 1\n"
    )
    problem = find_problem(str(path))
    assert problem.state_names == ("left", "right")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a"], "state_names: 1 entries for 2 states"),
        ("ab", "state_names: 'ab' is not a list"),
        (["a", 1], "state_names, state 1: 1 is not one line of text"),
        (["a", "b\nc"], r"state_names, state 1: 'b\\nc' is not one line of text"),
        (["", "b"], "state_names, state 0: '' is not one line"),
    ],
)
def test_names_are_a_line_of_text_a_state(names, message):
    with pytest.raises(BadProblem, match=message):
        averaged_process(name="s", gamma=0, features=[[1], [1]], P=[[0, 1], [1, 0]], r=[0, 1], state_names=names)
