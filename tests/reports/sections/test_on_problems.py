from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

import pytest

from reports.page import slider
from reports.page.section import Missing
from reports.page.slider import begin_sliders, sliders
from reports.page.subject import OnComparison, OnProblem, Request
from reports.page.table import Table
from reports.sections import (
    algorithm,
    bounds,
    certificate,
    comparison,
    hypotheses,
    learning_curves,
    problem_card,
    stability_map,
    verdict,
)
from tdrc_theory import Problem
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.cli.workers import process_pool
from tdrc_theory.problem.key_matrices import key_matrices
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems import find_problem
from tdrc_theory.problems.averaged import averaged_process
from tdrc_theory.problems.problem_file import load_problem


def on(problem, algorithm="tdrc", beta=1, eta=1, **asked):
    """Return a subject."""
    return OnProblem(
        problem=find_problem(problem) if isinstance(problem, str) else problem,
        algorithm=find_algorithm(algorithm),
        parameters={"beta": Fraction(beta), "eta": Fraction(eta)},
        request=Request(**asked),
    )


def shown(section, subject, text=lambda _: None):
    return section.SECTION.collect(subject, text)


def card_of(*asked):
    """Return the card of a subject's problem."""
    subject = on(*asked)
    return shown(problem_card, OnComparison(request=subject.request, learners=(("part-1", subject),)))


def downloaded(link):
    """Return what a reader gets who follows a link that holds a file."""
    head, _, content = link.partition(",")
    assert head.startswith("data:")
    return unquote(content, errors="strict")


def column(table: Table, title):
    return [row[table.titles.index(title)] for row in table.rows]


@pytest.mark.parametrize("problem", ["baird", "random-walk-tabular", "two-state"])
def test_a_certificate_that_is_downloaded_is_accepted_by_the_checker(problem, tmp_path):
    content = shown(certificate, on(problem))
    file = tmp_path / content.file
    file.write_text(downloaded(content.link), encoding="utf-8")
    program, *words = content.command.split()
    asked = [str(Path(sys.executable).with_name(program)), *words]
    done = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split("\n")[0]) == (0, "accepted")
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["sha256"] == content.sha256
    document["claim"]["G"][0][0] = "12345"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert subprocess.run(asked, cwd=tmp_path, capture_output=True, check=False).returncode == 1


def test_what_has_no_certificate_says_why():
    unit = [[int(i == j) for j in range(65)] for i in range(65)]
    content = shown(certificate, on(MatrixProblem(name="large", A=unit, b=[0] * 65, C=unit)))
    assert isinstance(content, Missing)
    assert "G is 130 x 130, past exact arithmetic" in content.why


def test_the_problem_that_is_downloaded_is_the_same(tmp_path):
    for problem in ("baird", "two-state", "boyan"):
        card = card_of(problem)
        file = tmp_path / "problem.toml"
        file.write_text(downloaded(card.file_link), encoding="utf-8")
        assert key_matrices(load_problem(file)) == key_matrices(find_problem(problem))
        assert tomllib.loads(file.read_text(encoding="utf-8"))["name"] == problem


def test_a_card_shows_every_number_of_a_small_problem_exactly():
    card = card_of("baird")
    features, policies, steps = card.tables
    assert column(features, "x[7]") == ["1"] * 6 + ["2"]
    assert column(features, "weight d") == ["1/7 (0.142857)"] * 7
    assert policies.rows == (("0 to 6", "6/7 (0.857143)", "1/7 (0.142857)", "0", "1", "0", "7"),)
    A, b, C = card.matrices
    assert A.rows[0][1:3] == ("4/7 (0.571429)", "0")
    assert b.rows == (("value", *["0"] * 8),)
    assert C.rows[7][8] == "10/7 (1.42857)"  # (6 x 1 + 2 x 2) / 7
    assert len(card.graph.numbers.rows) == len(steps.rows) == 49


def test_a_large_problem_is_a_summary():
    states = 60
    large = Problem(
        name="large",
        gamma="1/2",
        features=[[int(i == s) for i in range(states)] for s in range(states)],
        transitions=[(s, 0, (s + 1) % states, 1, 0) for s in range(states)],
        behaviour=[[1]] * states,
        target=[[1]] * states,
    )
    card = card_of(large, "td")
    assert (card.graph, card.matrices) == (None, ())
    assert [table.caption[:8] for table in card.tables] == ["Policies", "Transiti"]
    assert len(card.left_out) == 4
    assert isinstance(shown(learning_curves, on(large, "td")), Missing)


def test_regions_that_would_take_minutes_are_left_to_their_own_command(monkeypatch):
    for module in (slider, stability_map, bounds):
        monkeypatch.setattr(module, "LARGEST", 15)  # Baird's G is 16 x 16
    assert "would take long" in shown(stability_map, on("baird")).why
    assert shown(stability_map, on("random-walk-tabular")).map.svg  # a theorem says it all, whatever the size
    content = shown(bounds, on("baird"))
    assert (content.regions, len(content.why_no_region)) == (None, 1)
    assert content.bounds is not None


def test_bounds_stand_beside_exact_region_ends_and_the_papers_settings():
    content = shown(bounds, on("baird"))
    assert column(content.bounds, "exactly")[:2] == ["-4/7", "root of 1430947*t^2 + 2562*t - 52"]
    assert "converges in [0, 0.022178107)" in column(content.regions, "where")
    assert "root of 4900*t^2 - 1281*t + 26" in column(content.regions, "upper end")
    settings = dict(zip(column(content.settings, "beta"), column(content.settings, "verdict"), strict=True))
    # A root of 4900 b^2 - 1281 b + 26 lies between 2/5 and 1/5, and none above but far beyond 32/5.
    failing = [beta for beta, verdict in settings.items() if verdict == "not-convergent (exact)"]
    assert failing == ["1/10", "1/5"]
    assert set(column(content.settings, "case (ii) corrected")) == {"fails"}


def test_what_the_theorem_does_not_speak_of_has_regions_only():
    content = shown(bounds, on("two-state", "gtd2"))
    assert (content.bounds, content.settings) == (None, None)
    assert column(content.regions, "parameter") == ["eta"]
    assert isinstance(shown(bounds, on("two-state", "td")), Missing)


def test_a_map_has_the_paper_s_settings_and_every_interval_in_its_table():
    texts = []
    result = shown(stability_map, on("two-state"), texts.append).map
    assert texts == list(range(1, 40))
    assert len(set(column(result.numbers, "eta"))) == len(result.numbers.rows) < 39  # at small eta nothing converges
    assert "its default, beta = eta = 1" in result.svg
    assert shown(stability_map, on("two-state", "tdc")).map is None
    assert shown(stability_map, on("two-state", "td")) is None


def test_every_condition_of_a_report_is_listed():
    subject = on("baird")
    content = shown(hypotheses, subject)
    assert [check for check, _ in content.checks] == list(subject.conditions.checks)
    assert sum(count for _, count in content.counts) == len(content.checks)
    assert any("z = " in evidence for _, evidence in content.checks)


def test_without_a_simulation_the_prediction_stands_alone_and_says_so():
    content = shown(learning_curves, on("random-walk-tabular", steps=60))
    assert (content.verdicts, content.remedy) == ((), "--with-simulation")
    assert "alpha = 1/16: the largest power" in content.chosen
    assert len(content.figure.numbers.rows) == 61


@pytest.mark.parametrize("scale", [1, 4, 9])
def test_the_step_size_that_is_chosen_is_within_the_limit_that_is_proven(scale):
    # Features that are so many times as large take step sizes that are the square of that smaller.
    arguments = {"gamma": "0.99", "P": [[0, 1]] * 2, "r": [0, 0], "d": ["1/2", "1/2"]}
    problem = averaged_process(name="scaled", features=[[scale], [2 * scale]], **arguments)
    content = shown(learning_curves, on(problem, "tdc", steps=10))
    alpha = Fraction(re.match(r"alpha = (\S+): the largest power", content.chosen)[1])
    assert content.facts[1][0].endswith("mean square")
    limit = float(re.match(r"[0-9.]+", content.facts[1][1])[0])
    assert alpha < limit / 2
    assert alpha == Fraction(1, 16) or 2 * alpha > limit / 2


def test_where_memory_leads_to_too_many_modes_there_is_a_curve_up_to_a_horizon_only():
    content = shown(learning_curves, on("random-walk-tabular", "emphatic-td", steps=60))
    assert isinstance(content, Missing)
    assert "up to which emphatic-td is predicted exactly on random-walk-tabular" in content.why
    short = shown(learning_curves, on("random-walk-tabular", "emphatic-td", steps=6))
    assert "updates drawn along the chain" in short.chosen
    assert ["undecided" in value for _, value in short.facts] == [True, True]


def test_where_no_step_size_is_stable_the_choice_says_so():
    assert "no step size is stable" in shown(learning_curves, on("two-state", steps=10)).chosen
    assert shown(learning_curves, on("two-state", steps=10, alpha=Fraction(1, 3))).chosen == "alpha = 1/3: as asked for"


def test_runs_that_nothing_predicts_say_why_their_step_size_was_chosen(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "def clipped(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return rho * delta * abs(delta) * x, 0\n"
    )
    asked = {"steps": 20, "runs": 4, "simulate": True}
    chosen, given = (
        shown(learning_curves, on("random-walk-tabular", f"{file}:clipped", **asked, **more)).chosen
        for more in ({}, {"alpha": Fraction(1, 8)})
    )
    assert chosen == "alpha = 1/16: which step sizes are stable was not estimated"
    assert given == "alpha = 1/8: as asked for"


def test_a_simulation_stands_beside_its_prediction_with_one_joint_test():
    asked = {"alpha": Fraction(1, 16), "steps": 60, "runs": 50, "simulate": True}
    content = shown(learning_curves, on("random-walk-tabular", **asked))
    assert content.remedy == ""
    assert "chi-square" in content.verdicts[0]
    assert "mean of 50 runs" in content.figure.svg
    first, last = content.figure.numbers.rows[0], content.figure.numbers.rows[-1]
    assert first[1] == first[4]  # before any update nothing varies
    assert float(last[8]) < float(last[7]) < float(last[9])
    by_name = dict(zip(content.checkpoints.titles, content.checkpoints.rows[-1], strict=True))
    distance = (float(by_name["mean of runs"]) - float(by_name["E[MSPBE]"])) / float(by_name["std. error"])
    assert by_name["updates"] == "60"
    assert float(by_name["z"]) == pytest.approx(distance, abs=0.1)


def varied():
    """Return a problem whose discount and interest vary, and one of action values."""
    fields = {
        "transitions": [(0, 0, 1, 1, 1), (0, 1, 0, 1, 0, "1/3"), (1, 0, 0, 1, 2), (1, 1, 0, 1, 2)],
        "behaviour": [["1/2", "1/2"]] * 2,
        "target": [["1/4", "3/4"]] * 2,
    }
    states = Problem(name="varied", gamma=["1/2", 0], interest=[1, "5/2"], features=[[1, 2], [3, 4]], **fields)
    pairs = Problem(name="pairs", gamma="1/2", features=[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], **fields)
    return states, pairs


def test_what_varies_by_state_or_transition_is_in_the_tables():
    states, pairs = varied()
    card = card_of(states, "td")
    assert ("discount gamma", "depends on the state that is entered; some transitions have their own") in card.facts
    text, _, steps = card.tables
    assert (column(text, "gamma"), column(text, "interest")) == (["1/2 (0.5)", "0"], ["1", "5/2 (2.5)"])
    assert column(steps, "gamma") == ["0", "1/3 (0.333333)", "1/2 (0.5)", "1/2 (0.5)"]
    weights, features, *_ = card_of(pairs, "expected-sarsa").tables
    assert weights.titles == ("state", "weight d")
    assert features.rows == (("0", "0", "1", "2"), ("0", "1", "3", "4"), ("1", "0", "5", "6"), ("1", "1", "7", "8"))


@pytest.mark.parametrize("problem", varied(), ids=lambda problem: problem.name)
def test_a_varied_problem_that_is_downloaded_is_the_same(problem, tmp_path):
    file = tmp_path / "problem.toml"
    file.write_text(downloaded(card_of(problem, "expected-sarsa" if problem.action_values else "td").file_link))
    assert load_problem(file) == problem


def test_the_equations_of_a_page_say_what_gamma_is_where_it_varies():
    assert "discount of that transition" in shown(algorithm, on(varied()[0], "td")).letters
    assert shown(algorithm, on("baird", "td")).letters == ""


@pytest.mark.parametrize(
    ("asked", "alpha", "warning"),
    [
        (("theta-2theta", "emphatic-td"), None, "The mean weight of emphatic-td on theta-2theta is unbounded at"),
        (("two-state", "tdc"), Fraction(8), "alpha = 8 is above the mean-square limit 0.42 (exact): errors grow"),
        (("two-state", "tdc"), None, ""),
        (("two-state", "tdrc"), Fraction(8), ""),  # the verdict itself says so
    ],
)
def test_that_errors_grow_though_the_expected_update_converges_comes_first(asked, alpha, warning):
    subject = on(*asked, alpha=alpha)
    (row,) = comparison.SECTION.collect(OnComparison(request=subject.request, learners=(("p", subject),)), id).rows
    for text in (subject.headline.reason, shown(verdict, subject).headline.reason, row.verdict.reason):
        assert text.startswith(warning or "The expected update" if text is not row.verdict.reason else warning)
        assert text.count(": errors grow without bound") + text.count("is unbounded at") == bool(warning)


def test_limits_and_curves_of_another_process_are_those_of_this_one():
    here, there = on("two-state"), on("two-state")
    with process_pool(1) as pool:
        begin_sliders(there, pool)
        there.begin_limits(pool)
        assert set(there.begun) == {"beta", "eta", "limits"}
        assert there.limits == here.limits
        assert list(sliders(there)) == list(sliders(here))
    assert on("baird").takes_long
    assert not here.takes_long
