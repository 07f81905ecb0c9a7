"""`python -m verify.predict` from the outside: its contract, its files, its refusals."""

import csv
import json
import math
import sys

import numpy as np
import pytest

from verify.predict.__main__ import PROG, main
from verify.predict.limits.limit import step_size_limits


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def test_the_object_keeps_the_contract(ask):
    status, out, err = ask("random-walk-tabular", "--steps", "12", "--json", "--sampling", "markov")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert answer["steps"] == 12
    assert len(answer["mspbe"]) == len(answer["mean_weights"]) == len(answer["mean_h"]) == 13
    assert answer["mspbe"][10] == pytest.approx(0.051843022, abs=5e-10)
    assert 0 < answer["limits"]["mean_square"] < answer["limits"]["mean"]
    evidence = answer["limit_evidence"]["mean_square"]
    assert evidence["lower"] <= answer["limits"]["mean_square"] <= evidence["upper"]
    assert (evidence["ends"], evidence["every_smaller_step_size"], evidence["proof"]) == ("enclosed",) * 3
    assert evidence["every_step_size"] == "enclosed"
    assert evidence["reason"].endswith(" or above")
    (change,) = evidence["changes"]
    assert (change["lower"], change["upper"], change["regained"]) == (evidence["lower"], evidence["upper"], False)
    assert answer["proof"] == {"curve": "float", "floor": "float"}
    assert any("E[sqrt(MSPBE)]" in line for line in answer["assumptions"])
    spread = np.array(answer["weight_covariance"]["covariance"])
    assert spread.shape == (len(answer["weight_covariance"]["updates"]), 5, 5)
    assert answer["weight_covariance"]["updates"] == [0, 1, 3, 10, 12]


@pytest.mark.thorough
def test_certificates_above_the_limit_of_a_large_operator_are_sought_where_limits_are_asked_for(ask, monkeypatch):
    monkeypatch.setattr(sys.modules[step_size_limits.__module__], "LARGEST_BEYOND", 0)
    asked = ("random-walk-inverted", "--steps", "3", "--json", "--algorithm", "tdc")
    left_out, sought = (json.loads(ask(*asked, *more)[1])["limit_evidence"] for more in ((), ("--limits",)))
    assert left_out["mean_square"]["every_step_size"] == "float"
    assert left_out["mean_square"]["reason"].endswith("; --limits looks for proofs above")
    for evidence in sought.values():
        assert evidence["every_step_size"] == "enclosed"
        assert evidence["reason"].endswith(" or above")


def test_what_is_not_there_is_null(ask):
    status, out, _ = ask("two-state", "--json", "--steps", "3", "--initial-weights", "0")
    answer = json.loads(out)
    assert status == 0
    assert answer["sampling"] == "iid"
    assert answer["limits"] == {"mean": None, "mean_square": None}
    assert answer["limit_evidence"]["mean_square"]["proof"] == "exact"
    assert answer["limit_evidence"]["mean_square"]["reason"]
    assert answer["floor"] == 0  # the weights start at the fixed point, where nothing moves them
    status, out, _ = ask("baird", "--algorithm", "td", "--alpha", "1", "--steps", "1500", "--json")
    assert status == 0
    assert json.loads(out)["mspbe"][-1] is None
    assert json.loads(out)["mean_h"] is json.loads(out)["floor"] is None


def test_the_text_has_the_curve_the_limits_and_what_was_assumed(ask):
    status, out, _ = ask("random-walk-dependent", "--steps", "30", "--alphas", "1/16,1/8")
    lines = out.splitlines()
    assert status == 0
    assert lines[0].startswith("Errors of tdrc on random-walk-dependent stay bounded at alpha = 1/16 (enclosed)")
    assert lines[1].startswith("alpha = 1/16 was chosen, since none was given: ")
    assert lines[3].startswith("updates  E[MSPBE]")
    assert any(line.startswith("mean-square limit of alpha: 0.9258554 (enclosed)") for line in lines)
    assert any(line.startswith("lowest area") for line in lines)
    assert sum(line.startswith("assumed: ") for line in lines) >= 4


def test_the_table_and_the_figure_are_written(ask, tmp_path):
    table, drawn = tmp_path / "curve.csv", tmp_path / "curve.svg"
    options = ("--steps", "10", "--every", "4", "--csv", str(table), "--plot", str(drawn), "--alphas", "1/4,1/8")
    assert ask("random-walk-dependent", *options)[0] == 0
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["updates"]) for row in rows] == [0, 4, 8, 10]
    assert float(rows[-1]["sqrt_mspbe"]) == pytest.approx(math.sqrt(float(rows[-1]["mspbe"])))
    assert {"mean_w2", "mean_h0", "cov_w0_w2", "cov_w2_w2"} <= set(rows[0])
    assert float(rows[-1]["cov_w1_w1"]) > 0
    assert "<title>Predicted: tdrc on random-walk-dependent" in drawn.read_text(encoding="utf-8")


def test_each_area_is_over_the_steps_that_it_says_it_is_over(ask):
    asked = ("two-state", "--steps", "10", "--alpha", "1/8", "--alphas", "1/8", "--initial-weights", "1")
    whole, some = (json.loads(ask(*asked, *every, "--json")[1]) for every in ((), ("--every", "4")))
    curve = whole["mspbe"]
    assert (some["area_over"], some["study"]["area_over"]) == ("recorded steps", "all steps")
    assert some["area"] == pytest.approx(sum(curve[n] for n in (0, 4, 8, 10)) / 4)
    assert some["study"]["rows"][0]["area"] == pytest.approx(sum(curve) / 11)
    assert "area: mean of E[MSPBE] over 11 steps, 0 to 10, recorded or not\n" in ask(*asked, "--every", "4")[1]


def test_an_own_algorithm_is_predicted_and_one_that_is_not_affine_refused(ask, tmp_path):
    file = tmp_path / "mine.py"
    head = "(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return"
    file.write_text(f"def td{head} rho * delta * x, 0\ndef bad{head} delta * abs(delta) * x, 0\n", encoding="utf-8")
    own, built_in = (
        ask("random-walk-dependent", "--algorithm", a, "--steps", "5", "--json")[1] for a in (f"{file}:td", "td")
    )
    assert json.loads(own)["mspbe"] == json.loads(built_in)["mspbe"]
    status, out, err = ask("boyan", "--algorithm", f"{file}:bad")
    assert (status, out) == (2, "")
    assert err == f"{PROG}: error: {file}:4: bad is not affine in (w, h): it branches on the sign of delta\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("two-state", "--sampling", "markov"), "--sampling: markov is not possible on 'two-state'"),
        (("boyan", "--alpha", "0"), "--alpha: 0 is not positive"),
        (("boyan", "--alphas", "1/2,-1"), "--alphas: -1 is not positive"),
        (("boyan", "--alphas", "1/2,"), "is not a number"),
        (("boyan", "--plot", "curve.gif"), "--plot: curve.gif: its name ends in none of .svg, .png, .pdf"),
        (("boyan", "--steps", "0"), "--steps: 0 is not from 1 to"),
        (("boyan", "--every", "0"), "--every: 0 is not from 1 to"),
        (("two-state", "--csv", "/no/such/folder/x.csv", "--steps", "1"), "cannot be written"),
    ],
)
def test_bad_input_is_one_line_and_status_2(ask, arguments, message):
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [("two-state",), ("baird", "--algorithm", "td", "--alpha", "1", "--sampling", "iid")]
)
def test_a_figure_is_drawn_of_what_is_all_zero_or_past_the_range_of_floats(ask, tmp_path, arguments):
    drawn = tmp_path / "curve.svg"
    assert ask(*arguments, "--steps", "1200", "--alphas", "1/16,1/2,1", "--plot", str(drawn))[0] == 0
    assert "</svg>" in drawn.read_text(encoding="utf-8")


def test_limits_that_may_take_minutes_are_searched_only_when_asked_for(ask):
    pytest.importorskip("gymnasium")
    status, out, _ = ask("gymnasium:FrozenLake-v1", "--steps", "2")
    assert status == 0
    assert out.count("not searched") == 2
    assert "--limits" in out


def test_limits_of_a_problem_with_long_numbers_are_searched_where_they_are_asked_for(ask, monkeypatch):
    monkeypatch.setattr(sys.modules[step_size_limits.__module__], "MOST_WORK", 0)
    left_out, sought = (json.loads(ask("two-state", "--json", *more)[1]) for more in ((), ("--limits",)))
    assert left_out["limit_evidence"]["mean"]["reason"].endswith(" digits take minutes; --limits searches")
    assert left_out["limits"] == {"mean": None, "mean_square": None}
    assert sought["limit_evidence"]["mean"]["proof"] == "exact"
