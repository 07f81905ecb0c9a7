"""A problem file that is written says what the problem said, whatever its name, its numbers and its ends."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdrc_theory import END, ExpectationTable, Problem, averaged_process, find_problem, key_matrices, load_problem
from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.problems import PROBLEMS
from tdrc_theory.problems.garnet import garnet
from tdrc_theory.problems.problem_file import in_file_form, problem_text, write_problem

RATIONAL = [name for name, make in PROBLEMS if make().is_rational]


def written(problem, path, comments=()):
    write_problem(problem, path, comments)
    return load_problem(path)


@pytest.mark.parametrize("name", RATIONAL)
def test_built_in_problems_are_read_back_as_they_were_written(name, tmp_path):
    problem = find_problem(name)
    assert written(problem, tmp_path / "problem.toml") == in_file_form(problem)


@pytest.mark.parametrize("name", RATIONAL)
def test_a_terminal_state_in_the_place_of_the_end_changes_no_expectation(name):
    problem = find_problem(name)
    assert key_matrices(ExpectationTable(in_file_form(problem))) == key_matrices(ExpectationTable(problem))


def test_the_end_is_written_as_the_terminal_state_that_is_there_already():
    problem = Problem(
        name="two ways out",
        gamma=1,
        features=[[1], [0]],
        transitions=[(0, 0, END, "1/2", 1), (0, 0, 1, "1/4", 1), (0, 0, 0, "1/4", 0)],
        behaviour=[[1], [0]],
        target=[[1], [0]],
        terminal=[1],
        start=[1, 0],
        state_weights=[1, 0],
    )
    assert in_file_form(problem).states == 2
    assert in_file_form(problem).transitions[0].probability == Fraction(3, 4)


@given(st.text(min_size=1), st.lists(st.text(), max_size=2))
def test_any_name_and_any_comment_survives(tmp_path_factory, name, comments):
    path = tmp_path_factory.getbasetemp() / "named.toml"
    problem = replace(find_problem("two-state"), name="x")
    try:
        problem = replace(problem, name=name)
    except BadProblem:
        return
    if any("\ud800" <= c <= "\udfff" for c in "".join([name, *comments])):
        with pytest.raises(BadProblem, match="surrogate"):
            written(problem, path, comments)
        return
    assert written(problem, path, comments) == problem
    assert all(c.isprintable() or c == "\n" for c in path.read_text(encoding="utf-8"))


@given(st.integers(1, 5), st.integers(1, 3), st.integers(1, 3), st.integers(0, 10**6), st.booleans())
def test_random_problems_are_read_back_as_they_were_written(tmp_path_factory, states, actions, k, seed, weighted):
    problem = garnet(states, actions, 2, k, seed)
    if weighted:
        problem = replace(problem, state_weights=problem.d, initial_weights=(Fraction(seed, 7),) * k)
    assert written(problem, tmp_path_factory.getbasetemp() / "garnet.toml") == problem


def test_long_integers_are_written_so_that_every_reader_holds_them(tmp_path):
    problem = replace(find_problem("two-state"), features=((Fraction(2**63),), (Fraction(-(2**63) + 1),)))
    assert written(problem, tmp_path / "long.toml") == problem
    assert f'[["{2**63}"], [{-(2**63) + 1}]]' in problem_text(problem)


def test_notes_become_comments(tmp_path):
    problem = replace(find_problem("two-state"), notes=("read from\ta table",))
    assert problem_text(problem, ["first"]).startswith("# first\n# read from\\u0009a table\n")
    assert replace(written(problem, tmp_path / "noted.toml"), notes=problem.notes) == problem


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": find_problem("random-walk-dependent").features}, "irrational"),
        ({"features": ((Fraction(1, 10**4000),),) * 5}, "4003 characters"),
        ({"name": "half \ud800"}, "surrogate"),
        ({"independent_only": True}, "[mrp] alone"),
    ],
)
def test_what_a_file_cannot_hold_is_refused_on_one_line(changes, message, tmp_path):
    problem = replace(find_problem("random-walk-tabular"), **{"initial_weights": None, **changes})
    with pytest.raises(BadProblem) as caught:
        write_problem(problem, tmp_path / "refused.toml")
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_two_rewards_from_one_state_are_no_averaged_process():
    problem = averaged_process(name="n", gamma=1, features=[[1]], P=[["1/2"]], r=[1], d=[1])
    first, second = problem.transitions
    with pytest.raises(BadProblem, match="more than one reward"):
        problem_text(replace(problem, transitions=(first, second._replace(reward=Fraction(2)))))


@pytest.mark.parametrize("place", ["missing/problem.toml", ".", "null\0.toml"])
def test_a_path_that_cannot_be_written_is_named_and_nothing_is_left_there(tmp_path, place):
    with pytest.raises(BadOption, match="cannot be written"):
        write_problem(find_problem("baird"), tmp_path / place)
    assert list(tmp_path.rglob("*")) == []


def test_a_file_that_could_not_be_replaced_stays_whole(tmp_path, monkeypatch):
    path = tmp_path / "problem.toml"
    write_problem(find_problem("baird"), path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadOption, match="No space left"):
        write_problem(find_problem("two-state"), path)
    assert load_problem(path) == find_problem("baird")
    assert list(tmp_path.iterdir()) == [path]
