"""Where learning starts: `--initial-weights`, and a line where that is a fixed point, so that every curve is flat."""

from __future__ import annotations

import dataclasses
import json

import pytest

from reports.command import main
from reports.compare.comparison import Unpredicted
from reports.compare.output import verdict_lines
from reports.page.subject import OnProblem, Request
from reports.sections import learning_curves
from simulate.run.learning_curve import learning_curve
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.problems import find_problem

AT_REST = "note: the start is a fixed point of every update looked at, so nothing moves"
UNMOVED = "note: no run's error ever changed"
ASKED = {
    "predict": (AT_REST, ("--steps", "8")),
    "run": (UNMOVED, ("--steps", "8", "--runs", "3")),
    "compare": (AT_REST, ("--steps", "8", "--runs", "3")),
}


def first_errors(answer):
    """Return the MSPBE before any update, as a command's JSON has it."""
    curves = [answer["mspbe"]] if "mspbe" in answer else [answer["predicted"]["mspbe"], answer["run"]["mspbe"]["mean"]]
    return [(curve["mean"] if isinstance(curve, dict) else curve)[0] for curve in curves]


@pytest.mark.parametrize("command", ASKED)
def test_a_start_at_the_solution_is_named_and_no_other(command, capsys):
    note, few = ASKED[command]
    assert main([command, "two-state", "--initial-weights", "0", *few]) == 0
    assert capsys.readouterr().out.count(note) == 1
    assert main([command, "two-state", *few]) == 0
    assert "fixed point of every update" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ASKED)
def test_errors_start_at_those_of_the_weights_that_are_asked_for(command, capsys):
    # A = -47/100 and C = 5/2, so that the MSPBE of w is (47/100 w)^2 / (5/2).
    for text, w in (("-1/2", 0.5), ("3", 3), ("0.25", 0.25)):
        assert main([command, "two-state", f"--initial-weights={text}", "--json", *ASKED[command][1]]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert len(answer["initial_weights"]) == 1
        assert first_errors(answer) == pytest.approx([(0.47 * w) ** 2 / 2.5] * len(first_errors(answer)))


def test_weights_are_in_the_order_of_the_features(capsys):
    asked = ["predict", "random-walk-tabular", "--steps", "1", "--initial-weights", "1, 2,-3 ,1/4,0", "--json"]
    assert main(asked) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["initial_weights"] == ["1", "2", "-3", "1/4", "0"]
    assert answer["mean_weights"][0] == [1, 2, -3, 0.25, 0]


def test_a_diverging_learner_is_seen_to_diverge_from_the_built_in_start(capsys):
    assert main(["predict", "two-state", "--steps", "1000", "--json"]) == 0
    grown = json.loads(capsys.readouterr().out)
    assert grown["at_rest"] is False
    assert grown["mspbe"][1000] > 100 * grown["mspbe"][0] > 0
    assert main(["predict", "two-state", "--algorithm", "tdc", "--steps", "1000", "--json"]) == 0
    fallen = json.loads(capsys.readouterr().out)["mspbe"]
    assert fallen[1000] < fallen[0]


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("1,2", "--initial-weights: 2 numbers for 1 feature of two-state"),
        ("1e", "argument --initial-weights: '1e' is not a number"),
        ("", "argument --initial-weights: '' is not a number"),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused_in_one_line(command, weights, message, capsys):
    try:
        status = main([command, "two-state", "--initial-weights", weights])
    except SystemExit as left:
        status = left.code
    err = capsys.readouterr().err
    assert (status, len(err.splitlines())) == (2, 1)
    assert message in err


@pytest.mark.parametrize("simulate", [True, False])
def test_a_page_says_it_once(simulate):
    subject = OnProblem(
        problem=dataclasses.replace(find_problem("two-state"), initial_weights=[0]),
        algorithm=find_algorithm("tdrc"),
        request=Request(steps=4, runs=3, simulate=simulate),
    )
    shown = learning_curves.SECTION.collect(subject, lambda _: None)
    assert "".join([shown.chosen, *shown.verdicts]).count("the start is a fixed point of every update") == 1


def test_runs_without_a_prediction_say_it_too():
    curve = learning_curve("two-state", "td", steps=4, runs=2)
    assert not any("fixed point" in line for line in verdict_lines(Unpredicted(curve, "any", None)))
    still = learning_curve(dataclasses.replace(find_problem("two-state"), initial_weights=[0]), "td", steps=4, runs=2)
    assert any(line.startswith(UNMOVED) for line in verdict_lines(Unpredicted(still, "any", None)))
