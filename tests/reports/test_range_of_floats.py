"""Problems whose numbers floats cannot hold, given to every command that computes in floats: right, or one line."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from reports.command import main
from tdrc_theory import Problem
from tdrc_theory.problems.problem_file import write_problem
from verify.predict import predict

TEN = Fraction(10)
BASE = 4 / 27
"""The MSPBE of weights 0, whatever the unit of the features."""


def chain(size=1, reward=1, weight=0):
    return Problem(
        name="chain",
        gamma="9/10",
        features=[[size], [2 * size]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 0, "1/2", reward), (1, 0, 1, "1/2", 0)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
        initial_weights=[weight],
    )


OUT_OF_RANGE = {
    "features of 10^-400": chain(TEN**-400),
    "features of 10^400": chain(TEN**400),
    "rewards of 10^-400": chain(reward=TEN**-400),
    "rewards of 10^-170": chain(reward=TEN**-170),
    "rewards of 10^170": chain(reward=TEN**170),
    "rewards of 10^400": chain(reward=TEN**400),
    "first weights of 10^400": chain(weight=TEN**400),
}
ONLY_PREDICTED = {
    "features of 10^-163": chain(TEN**-163),
    "features of 10^-80": chain(TEN**-80),
    "features of 10^80": chain(TEN**80),
    "features of 10^163": chain(TEN**163),
}
EXPERIMENT = """
name = "range"
problems = ["problem.toml"]
steps = 4
runs = 2
[[learners]]
algorithms = ["td"]
alpha = [0.5]
"""
COMMANDS = {
    "run": ["problem.toml", "--runs", "2", "--steps", "4"],
    "sweep": ["experiment.toml", "--store", "store", "--workers", "1"],
    "predict": ["problem.toml", "--steps", "4"],
    "compare": ["problem.toml", "--runs", "2", "--steps", "4"],
}


@pytest.fixture
def ask(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiment.toml").write_text(EXPERIMENT, encoding="utf-8")

    def ask(problem, command, *arguments):
        write_problem(problem, "problem.toml")
        return main([command, *COMMANDS[command], *arguments]), *capfd.readouterr()

    return ask


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_what_floats_cannot_hold_is_one_line(ask, command, name):
    status, out, err = ask(OUT_OF_RANGE[name], command)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert "range" in err


@pytest.mark.parametrize("name", ONLY_PREDICTED)
def test_what_a_prediction_in_floats_cannot_hold_is_one_line(ask, name):
    status, out, err = ask(ONLY_PREDICTED[name], "predict")
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert "no prediction in floats: products of " in err


@pytest.mark.parametrize("name", ONLY_PREDICTED)
def test_without_a_prediction_in_floats_a_comparison_shows_the_runs_and_says_why(ask, name):
    status, out, _ = ask(ONLY_PREDICTED[name], "compare")
    (why,) = [line for line in out.splitlines() if line.startswith("no prediction: ")]
    assert status == 0
    assert "no prediction in floats: products of " in why


@pytest.mark.parametrize("name", ONLY_PREDICTED)
def test_a_run_measures_the_right_error_of_large_and_small_features(ask, name):
    status, out, _ = ask(ONLY_PREDICTED[name], "run", "--json")
    assert status == 0
    answer = json.loads(out)
    assert answer["rmspbe"]["mean"][0] == pytest.approx(BASE**0.5, rel=1e-14)
    assert answer["mspbe"]["mean"][0] == pytest.approx(BASE, rel=1e-14)


@pytest.mark.parametrize("unit", [TEN**-70, TEN**-20, Fraction(1), TEN**20, TEN**70])
def test_a_prediction_of_features_in_another_unit_is_the_same(unit):
    # TD's weights are in 1/unit and its step size in 1/unit^2, which has as many digits as a parameter may have.
    alpha = Fraction(1, 8) / unit**2 if TEN**-40 < unit < TEN**40 else Fraction(1, 8)
    prediction = predict(chain(unit), "td", alpha=alpha, steps=50, every=50)
    assert prediction.mspbe[0] == pytest.approx(BASE, rel=1e-12)
    if alpha != Fraction(1, 8) or unit == 1:
        assert prediction.mspbe == pytest.approx(
            predict(chain(), "td", alpha="1/8", steps=50, every=50).mspbe, rel=1e-9
        )


@pytest.mark.quick(6)
@pytest.mark.parametrize("name", [*OUT_OF_RANGE, *ONLY_PREDICTED])
def test_a_page_says_that_there_is_no_prediction(tmp_path, name, capfd):
    write_problem({**OUT_OF_RANGE, **ONLY_PREDICTED}[name], tmp_path / "problem.toml")
    page = tmp_path / "page.html"
    assert main(["build", str(tmp_path / "problem.toml"), "-o", str(page)]) == 0
    assert "No prediction: " in page.read_text(encoding="utf-8")
