"""`tdrc convert` writes the problem that it read."""

from fractions import Fraction
from pathlib import Path

import pytest

from tdrc_theory import key_matrices, load_problem
from tdrc_theory.cli.command import run
from tdrc_theory.convert.__main__ import PROG, main
from tdrc_theory.problems import find_problem

CHAIN = "3 4\n0 1 0.5\n0 2 1/2\n1 0 1\n2 2 1\n"


def converted(*arguments):
    return run(main, PROG, [str(argument) for argument in arguments])


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "m.tra"
    path.write_text(CHAIN, encoding="utf-8")
    (tmp_path / "m.srew").write_text("3 1\n1 4\n", encoding="utf-8")
    return path


def test_what_is_read_back_is_the_same_problem(model, tmp_path, capsys):
    out = tmp_path / "out.toml"
    assert converted(model, out, "--features", "polynomial:1", "--gamma", "9/10") == 0
    shown = capsys.readouterr().out
    assert shown.startswith("m.tra (3 states, 2 features, gamma 9/10): written to ")
    assert "state 2: nothing but reward 0 follows there" in shown
    ours, theirs = load_problem(out), find_problem(str(model), features="polynomial:1", gamma=Fraction(9, 10))
    assert key_matrices(ours) == key_matrices(theirs)
    assert (ours.start, ours.terminal, ours.target) == (theirs.start, theirs.terminal, theirs.target)


@pytest.mark.parametrize("name", ["baird", "gymnasium:FrozenLake-v1?is_slippery=false"])
def test_other_problems_are_written_too(tmp_path, name):
    out = tmp_path / "out.toml"
    assert converted(name, out) == 0
    ours, theirs = key_matrices(load_problem(out)), key_matrices(find_problem(name))
    assert [matrix.rank() for matrix in ours] == [matrix.rank() for matrix in theirs]
    assert ours.A == theirs.A


def test_nothing_is_written_where_the_input_is_bad(model, tmp_path, capsys):
    out = tmp_path / "out.toml"
    model.write_text("1 1\n0 0 2\n", encoding="utf-8")
    assert converted(model, out) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not out.exists()


def test_an_irrational_problem_cannot_be_written(tmp_path, capsys):
    out = tmp_path / "out.toml"
    assert converted("random-walk-dependent", out) == 2
    assert "irrational" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("target", ["out.txt", "no/such/folder/out.toml"])
def test_another_output_is_refused_before_the_work(model, tmp_path, target, capsys):
    assert converted(model, tmp_path / target) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not Path(tmp_path / target).exists()


def test_a_problem_file_is_not_written_over_itself(tmp_path, capsys):
    path = tmp_path / "loop.toml"
    assert converted("two-state", path) == 0
    before = path.read_bytes()
    assert converted(path, path) == 2
    assert "needs it for something else" in capsys.readouterr().err
    assert path.read_bytes() == before
