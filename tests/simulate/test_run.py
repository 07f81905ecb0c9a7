"""`simulate.run`: learning curves, the same bits for any worker count, with intervals that cover what they claim to."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from simulate.run.__main__ import PROG, main
from simulate.run.learning_curve import learning_curve
from simulate.run.output import picture, plain_text, to_csv, to_json
from tdrc_theory import TheoryError
from tdrc_theory.figures.figure import svg
from tdrc_theory.learner import Step, dot, learner
from tdrc_theory.problems.garnet import garnet


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def curve(**options):
    return learning_curve(**{"problem": "boyan", "steps": 40, "runs": 7, "every": 8, "alpha": "1/4", **options})


@pytest.mark.parametrize("learner", ["tdrc", "emphatic-td"])
def test_a_curve_is_the_same_bits_whatever_the_number_of_workers(learner):
    alone = curve(algorithm=learner, workers=1)
    for workers in (2, 5):
        assert (curve(algorithm=learner, workers=workers).errors == alone.errors).all()
    assert (curve(algorithm=learner, seed=1).errors != alone.errors).any()


def test_any_parameter_of_a_learner_can_be_set_and_is_shown(ask):
    asked = ("boyan", "--algorithm", "emphatic-td", "--steps", "20", "--runs", "3", "--json")
    fields = {lam: json.loads(ask(*asked, "--set", f"lam={lam}")[1]) for lam in ("0", "1/2")}
    assert fields["1/2"]["algorithm"]["parameters"] == {"lam": "1/2"}
    assert fields["0"]["rmspbe"] == json.loads(ask(*asked)[1])["rmspbe"] != fields["1/2"]["rmspbe"]
    status, out, err = ask(*asked, "--set", "mu=1")
    assert (status, out) == (2, "")
    assert "emphatic-td has no parameter mu; it has lam" in err


def test_a_default_of_the_function_counts_where_its_option_is_not_given():
    @learner(weights="w")
    def mine(x, w, reward, beta=0.25):
        return Step(w=(reward - dot(w, x)) * x - beta * w)

    own, quarter, one = curve(algorithm=mine), curve(algorithm=mine, beta="1/4"), curve(algorithm=mine, beta=1)
    assert own.parameters == {"beta": Fraction(1, 4)}
    assert (own.errors == quarter.errors).all()
    assert (own.errors != one.errors).any()


def test_run_i_is_the_same_run_whatever_else_is_asked_for():
    many, few = curve(runs=9), curve(runs=2, every=4)
    assert (many.errors[:2] == few.errors[:, ::2]).all()


@pytest.mark.parametrize(("every", "points"), [(15, [0, 15, 30, 40]), (41, [0, 40]), (40, [0, 40])])
def test_the_last_update_is_read_whatever_is_between(every, points):
    all_read = curve(every=1)
    result = curve(every=every)
    assert result.steps.tolist() == points
    assert (result.errors == all_read.errors[:, points]).all()


def test_a_result_is_frozen():
    result = curve()
    with pytest.raises(ValueError, match="read-only"):
        result.errors[0, 0] = 0
    with pytest.raises(AttributeError):
        result.seed = 3


def test_means_errors_and_intervals_are_those_of_the_runs():
    result = curve()
    for band, values in ((result.rmspbe, result.errors), (result.mspbe, result.errors**2)):
        np.testing.assert_allclose(band.mean, values.mean(axis=0), rtol=1e-13)
        np.testing.assert_allclose(band.standard_error[1:], stats.sem(values, axis=0)[1:], rtol=1e-11)
        lower, upper = stats.t.interval(0.95, 6, loc=band.mean[1:], scale=stats.sem(values, axis=0)[1:])
        np.testing.assert_allclose([band.lower[1:], band.upper[1:]], [lower, upper], rtol=1e-11)
    assert result.rmspbe.standard_error[0] == 0  # before any update all runs are alike
    assert result.area.mean == pytest.approx(result.errors[:, 1:].mean())


@pytest.mark.thorough
def test_ninety_five_percent_of_intervals_hold_the_mean_of_a_long_study():
    """Of right intervals one study in a million is refused, for too few that hold it, and for too many."""
    long = learning_curve("boyan", alpha="1/4", steps=30, every=30, runs=6000, seed=1).rmspbe.mean[-1]
    errors = learning_curve("boyan", alpha="1/4", steps=30, every=30, runs=12_000, seed=2).errors
    groups = errors[:, -1].reshape(300, 40)
    half = stats.t.ppf(0.975, 39) * stats.sem(groups, axis=1)
    covered = (np.abs(groups.mean(axis=1) - long) <= half).sum()
    assert stats.binom.cdf(covered, 300, 0.95) > 1e-6
    assert stats.binom.sf(covered - 1, 300, 0.95) > 1e-6


def test_a_single_run_has_no_interval():
    result = curve(runs=1)
    assert np.isnan(result.rmspbe.upper).all()
    assert np.isfinite(result.rmspbe.mean).all()
    assert "no interval from a single run" in plain_text(result)
    assert to_json(result)["rmspbe"]["standard_error"] == [None] * 6


def test_a_run_that_diverges_is_told_and_its_row_is_kept():
    result = learning_curve("baird", "td", alpha=2000, steps=800, runs=3, every=100)
    assert len(result.errors) == 3
    assert len(result.diverged_runs) >= 2
    text = to_json(result)
    json.dumps(text, allow_nan=False)
    assert text["diverged_runs"] == len(result.diverged_runs)
    assert text["rmspbe"]["mean"][-1] is None
    first = min(update for _, update in result.diverged_runs)
    assert all(v is not None for v, n in zip(text["rmspbe"]["mean"], text["steps"], strict=True) if n < first)
    assert f"left the range of floats: {len(result.diverged_runs)} of 3 runs (run 0 at update" in plain_text(result)
    rows = list(csv.DictReader(to_csv(result).splitlines()))
    assert [row["diverged_runs"] for row in rows][-1] == str(len(result.diverged_runs))
    assert rows[-1]["rmspbe_mean"] == ""
    ET.fromstring(svg(*picture(result)))


def test_json_has_every_point_and_how_it_was_run(ask):
    status, out, err = ask("two-state", "--steps", "30", "--runs", "5", "--every", "10", "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert answer["steps"] == [0, 10, 20, 30]
    for key in ("rmspbe", "mspbe"):
        assert len(answer[key]["mean"]) == len(answer[key]["standard_error"]) == 4
    assert answer["diverged_runs"] == 0
    assert answer["runs"] == 5
    assert answer["sampling"] == "iid"  # it has no chain


def test_every_output_says_how_many_runs(ask, tmp_path):
    drawn, table = tmp_path / "curve.svg", tmp_path / "curve.csv"
    status, out, _ = ask(
        "boyan", "--steps", "20", "--runs", "6", "--every", "10", "--plot", str(drawn), "--csv", str(table)
    )
    assert status == 0
    assert "6 runs of 20 updates, seed 0" in out
    assert "mean of 6 runs" in drawn.read_text(encoding="utf-8")
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [(row["updates"], row["runs"]) for row in rows] == [("0", "6"), ("10", "6"), ("20", "6")]
    assert float(rows[1]["rmspbe_lower"]) < float(rows[1]["rmspbe_mean"]) < float(rows[1]["rmspbe_upper"])


@pytest.mark.parametrize(
    ("power", "expected"),
    [("1", "as Theorem 3.1 asks"), ("1/2", "squares infinite"), ("3/2", "their sum is finite"), ("0.51", "as Theorem")],
)
def test_the_conditions_on_step_sizes_are_told(ask, power, expected):
    chosen = ["--step-size", "decaying", "--parameter", f"power={power}", "--parameter", "tau=10"]
    status, out, _ = ask("boyan", "--steps", "3", "--runs", "2", *chosen)
    assert status == 0
    assert expected in out


def test_step_sizes_that_depend_on_the_data_are_not_the_theorems(ask):
    status, out, _ = ask("boyan", "--steps", "3", "--runs", "2", "--step-size", "adagrad")
    assert status == 0
    assert "step sizes depend on the data; Theorem 3.1 does not speak of such" in out


def test_batches_are_drawn_from_the_data_that_are_asked_for(ask):
    status, out, _ = ask(
        "boyan", "--sampling", "batch", "--batch", "3", "--data", "1000", "--steps", "4", "--runs", "2"
    )
    assert status == 0
    assert "batch: independent draws from 1,000 samples that are drawn once a run, 3 samples an update" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["two-state", "--sampling", "markov"], "--sampling: markov is not possible on 'two-state'"),
        (["boyan", "--alpha", "0"], "--alpha: 0 is not positive"),
        (["boyan", "--alpha", "nan"], "'nan' is not a number"),
        (["boyan", "--beta", "-1"], "--beta"),
        (["boyan", "--eta", "0"], "--eta"),
        (["boyan", "--runs", "0"], "--runs: 0 is less than 1"),
        (["boyan", "--every", "0"], "--every: 0 is less than 1"),
        (["boyan", "--workers", "0"], "--workers"),
        (["boyan", "--steps", "-3"], "--steps"),
        (["boyan", "--seed", "-3"], "--seed"),
        (["boyan", "--step-size", "adagard"], "did you mean adagrad?"),
        (["boyan", "--step-size", "adam", "--parameter", "b1=1"], "b1 is 1; it is at least 0 and below 1"),
        (["boyan", "--step-size", "adam", "--parameter", "tau=1"], "adam has no parameter tau; it has b1, b2"),
        (["boyan", "--parameter", "tau"], "'tau' is not NAME=VALUE"),
        (["boyan", "--runs", "1000000000"], "are more than the"),
        (["boyan", "--algorithm", "tdcr"], "unknown algorithm"),
        (["nowhere"], "unknown problem"),
    ],
)
def test_bad_input_is_one_line_and_status_2(ask, arguments, message):
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_any_problem_can_be_run_and_its_name_is_harmless():
    problem = garnet(6, 2, 3, 4, seed=1, gamma="9/10")
    result = learning_curve(problem, "htd", steps=30, runs=3)
    assert np.isfinite(result.errors).all()
    with pytest.raises(TheoryError):
        learning_curve(problem, alpha="x")


def test_an_interrupted_run_ends_on_one_line_without_doing_the_rest(ask, monkeypatch):
    texts = []

    @contextmanager
    def impatient(title, total):
        def progress(done):
            texts.append(done)
            if done >= 20:
                raise KeyboardInterrupt

        yield progress

    monkeypatch.setattr("simulate.run.__main__.progress_bar", impatient)
    status, out, err = ask("boyan", "--steps", "200", "--runs", "100000", "--every", "200", "--workers", "2")
    assert (status, out, err) == (130, "", f"{PROG}: interrupted\n")
    assert 20 <= texts[-1] < 30
