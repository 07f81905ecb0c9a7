"""The command's arguments and its exit status."""

import re
import subprocess
import sys

import pytest

from tdrc_theory.algorithms import ALGORITHMS
from tdrc_theory.problems import PROBLEMS

COMMAND = [sys.executable, "-m", "verify.conditions"]


VERDICTS = {"convergent", "convergent-to-a-set", "not-convergent", "undecided"}


def shell(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60, **options)


def test_it_ran_is_exit_status_0_whatever_the_answer():
    ran = shell("baird", "--algorithm", "td")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith(
        "The expected update of td on baird does not converge: errors grow from almost every start"
    )
    assert "\nnot-convergent (exact): td on baird (7 states, 8 features, gamma 99/100)\n" in ran.stdout


def test_bad_input_is_exit_status_2_and_one_line(is_one_error):
    ran = shell("no-such-problem")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert is_one_error(ran.stderr)
    assert "random-walk-tabular" in ran.stderr


def test_help_names_every_algorithm_problem_and_exit_status(ask):
    status, out, err = ask("--help")
    assert (status, err) == (0, "")
    text = re.sub(r"\s+", "", out)
    assert all(each in text for each in [a.name for a in ALGORITHMS] + [name for name, _ in PROBLEMS])
    assert "Exitstatus:0itran,whatevertheanswer;1--requirewasnotmet;2badinput;130interrupted." in text


@pytest.mark.parametrize(
    ("problem", "algorithm", "verdict"),
    [
        ("baird", "tdrc", "convergent-to-a-set"),
        ("baird", "td", "not-convergent"),
        ("random-walk-tabular", "td", "convergent"),
        ("random-walk-dependent", "tdrc", "convergent"),
        ("two-state", "td", "not-convergent"),
        ("two-state", "tdc", "convergent"),
    ],
)
def test_require_is_exit_status_1_where_the_verdict_is_another(ask, problem, algorithm, verdict):
    for required, *output in ([verdict], [verdict, "--json"], *([other, "--json"] for other in VERDICTS - {verdict})):
        status, out, err = ask(problem, "--algorithm", algorithm, "--require", required, *output)
        assert (status, err) == (int(required != verdict), "")
        assert verdict in out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["baird", "boyan"],
        ["baird", "--nothing"],
        ["baird", "--beta"],
        ["baird", "--beta", ""],
        ["baird", "--beta", "nan"],
        ["baird", "--beta", "inf"],
        ["baird", "--beta", "1e"],
        ["baird", "--beta", "1/0"],
        ["baird", "--beta", "1__0"],
        ["baird", "--beta", "+1"],
        ["baird", "--beta", " 1"],
        ["baird", "--beta", "\u0661"],
        ["baird", "--beta", "sqrt(2)"],
        ["baird", "--beta", "9" * 5000],
        ["baird", "--beta", "-1"],
        ["baird", "--beta=-1/2"],
        ["baird", "--eta", "0"],
        ["baird", "--eta=-1/2"],
        ["baird", "--eta", "-0.5"],
        ["baird", "--eta", "x"],
        ["baird", "--algorithm", "td", "--beta=-1"],
        ["baird", "--gamma", "1/2"],
        ["baird", "--target", "uniform"],
        ["baird", "--target", "random"],
        ["gymnasium:FrozenLake-v1", "--gamma", "2"],
        ["gymnasium:FrozenLake-v1", "--gamma=-1/2"],
        ["gymnasium:NoSuch-v1"],
        ["gymnasium:CartPole-v1"],
        ["baird", "--require", "yes"],
        ["baird", "--require", "a\nb"],
        ["baird", "--algorithm", "qlearning"],
        ["baird", "--algorithm", ""],
        ["baird", "--algorithm", ":"],
        ["baird", "--algorithm", "absent.py:f"],
        ["baird", "--algorithm", "absent.py"],
        ["baird", "--algorithm", "new\nline.py:f"],
        [""],
        ["."],
        ["absent.toml"],
        ["two\nlines.toml"],
        ["Baird"],
        ["nul\0byte"],
        ["\x1b[31mred"],
        ["x" * 5000],
        ["\udcff"],
    ],
)
def test_wrong_arguments_are_one_line_on_the_error_stream(is_one_error, ask, arguments):
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert is_one_error(err)
    assert err[:-1].isprintable()


def test_an_option_out_of_range_is_named_with_its_value_and_its_range(ask):
    assert "--beta: -1/2 is negative; beta is at least 0" in ask("baird", "--beta=-1/2")[2]
    assert "--eta: 0 is not positive; eta is above 0" in ask("baird", "--eta", "0")[2]
    assert "--gamma: 2 is not in [0, 1]" in ask("gymnasium:FrozenLake-v1", "--gamma", "2")[2]


def test_a_misspelt_name_is_answered_with_the_nearest(ask):
    assert "did you mean baird?" in ask("biard")[2]
    assert "did you mean tdrc?" in ask("baird", "--algorithm", "tdrcc")[2]


@pytest.mark.parametrize("option", ["--beta", "--eta"])
@pytest.mark.parametrize("value", ["1/1" + "0" * 100, "1" + "0" * 400])
def test_a_longer_parameter_is_refused_on_one_line(is_one_error, ask, option, value):
    status, out, text = ask("baird", option, value)
    assert (status, out) == (2, "")
    assert is_one_error(text)
    assert "at most 100" in text
