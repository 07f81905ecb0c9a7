"""Papers' experiments: a folder of a user's own, Figures 3 and 4 of emphatic TD, and what is wrong in a file."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from simulate.environment import environment
from simulate.error_measure import value_error_measure
from simulate.paper.__main__ import PROG, main
from simulate.paper.conclusions import Asked, claims_on_runs, conclusions, experiments
from simulate.piece import Piece
from simulate.store import Store
from simulate.sweep.experiment_file import find_experiment, load_variants
from tdrc_theory.errors import BadExperiment
from tdrc_theory.evidence import Status
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.published import TABLES, paper_settings

PAPER = """
title = "Mine"
authors = ["Me"]
year = 2026
link = "https://example.org"
[definitions]
comparable = "9/8"
[[claims]]
id = "td-learns"
title = "TD learns"
source = "Section 1"
kind = "experiment"
sweep = "small"
printed = 'error("td", after=100) < start("td") and as_good(area("td"), area("tdc", eta=2))'
"""
EXPERIMENT = """
name = "small"
problems = ["random-walk-tabular"]
steps = 100
runs = 20
first = 10
every = 10
[[learners]]
algorithms = ["td", "tdc"]
alpha = [0.1, 0.2]
eta = [1, 2]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "small.toml").write_text(EXPERIMENT, encoding="utf-8")
    (tmp_path / "paper.toml").write_text(PAPER, encoding="utf-8")
    return tmp_path


def test_a_folder_of_ones_own_is_judged_through_the_store(folder, asker, monkeypatch):
    ask = asker(main, PROG)
    wanted = (str(folder), "--store", str(folder / "runs.sqlite"), "--json")
    status, out, _ = ask(*wanted)
    (claim,) = json.loads(out)["claims"]
    assert (status, claim["claim"], claim["settings"]["small"]["status"]) == (0, "td-learns", "holds")
    monkeypatch.setattr(Piece, "compute", None)
    assert ask(*wanted)[1] == out


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ("after=100", "after=5", "the error is not read after 5 updates; allowed: 10, 20, ... 100"),
        ('area("td")', 'area("tdd")', "no runs of tdd are as asked; those of one are needed, of: td on random-walk"),
        ("eta=2", "eta=3", "eta = 3 was not tried; allowed: 1, 2"),
        ("eta=2", "lam=2", "lam = 2 was not tried; allowed: it has no such parameter"),
        ('sweep = "small"', 'sweep = "smal"', "unknown experiment 'smal'"),
        ('sweep = "small"', 'sweep = "../small"', "unknown experiment '../small'"),
        ('comparable = "9/8"', 'alike = "9/8"', 'needs a number "comparable" in [definitions]'),
        ('kind = "experiment"', 'kind = "words"', "paper.toml"),
        ('sweep = "small"', "", "has no claim that is judged on runs"),
    ],
)
def test_what_is_wrong_in_a_folder_is_said_in_one_line(folder, asker, was, now, message):
    (folder / "paper.toml").write_text(PAPER.replace(was, now), encoding="utf-8")
    status, out, err = asker(main, PROG)(str(folder))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_the_error_of_values_is_the_distance_from_the_values_of_the_target_policy():
    there = environment(experiment_of("figure-4").places[0].problem, steps=1)
    measure = value_error_measure(experiment_of("figure-4").places[0].problem)
    w, d, v = np.array([1.0, 2.0, -1.0]), np.array([16, 8, 4, 2, 1]) / 31, np.array([4, 3, 2, 1, 1])
    X = there.features[:5]
    assert float(measure(w)) == pytest.approx(np.sqrt(d @ (v - X @ w) ** 2), rel=1e-12)


def experiment_of(name):
    return find_experiment(str(find_paper("emphatic-td").folder / "experiments" / f"{name}.toml"))


def test_figure_4_has_the_papers_errors_in_the_end():
    # The least error of values, and those at the fixed points of TD and emphatic TD: exact, by hand.
    problem = experiment_of("figure-4").places[0].problem
    X = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]], float)
    d, v = np.array([16, 8, 4, 2, 1]) / 31, np.array([4, 3, 2, 1, 1], float)
    P = np.eye(5, k=1)  # of the target policy, times the discount on arrival
    P[3, 4] = 0
    f = np.linalg.solve(np.eye(5) - P.T, d)
    measure, result = value_error_measure(problem), []
    for weights in (d, f):
        A = X.T @ np.diag(weights) @ (np.eye(5) - P) @ X
        result.append(float(measure(np.linalg.solve(A, X.T @ weights))) ** 2)
    assert result == pytest.approx([2.877, 1.729], abs=5e-4)
    best = np.linalg.solve(X.T @ np.diag(d) @ X, X.T @ (d * v))
    assert float(measure(best)) ** 2 == pytest.approx(0.665, abs=5e-4)


@pytest.mark.thorough
def test_figures_3_and_4_show_what_their_claims_say():
    paper = find_paper("emphatic-td")
    with Store(None) as store:
        result = conclusions(paper, store, Asked())
    assert [one.claim.id for one in result] == [claim.id for claim in claims_on_runs(paper)]
    assert {each.status for one in result for each in one.findings.values()} == {Status.HOLDS}


def test_every_experiment_of_a_paper_is_spoken_of():
    for name in ("tdrc", "emphatic-td"):
        paper = find_paper(name)
        assert sorted(experiments(paper)) == sorted(file.stem for file in (paper.folder / "experiments").glob("*.toml"))


def test_variants_put_their_values_in_the_place_of_others(tmp_path):
    file = tmp_path / "some.toml"
    text = EXPERIMENT + "[variants.long]\nsteps = 1000\n[variants.short]\n[full]\nruns = 40\n"
    file.write_text(text, encoding="utf-8")
    plain, full = load_variants(file), load_variants(file, full=True)
    assert {name: one.steps for name, one in plain.items()} == {"long": (1000,), "short": (100,)}
    assert full["long"].runs == 40
    file.write_text(text.replace("steps = 1000", "stepps = 1000"), encoding="utf-8")
    with pytest.raises(BadExperiment, match=r"variants.'long': stepps: unknown key"):
        load_variants(file)
    file.write_text(EXPERIMENT.replace("first = 10", "first = 101"), encoding="utf-8")
    with pytest.raises(BadExperiment, match="first: 101 is more than the 100 updates of a run"):
        load_variants(file)


def test_bounds_and_tables_read_the_same_settings():
    from simulate.tables.cell import AS_RUN, AS_STATED

    def betas(variant, row):
        (result,) = {areas for place, case in variant.cases(2).items() if place.row == row for areas in [tried(case)]}
        return set(result)

    def tried(case):
        return tuple(dict.fromkeys(setting.value("beta") for setting in case.configurations))

    fields = {setting.beta: setting.origin for setting in paper_settings()}
    assert fields.keys() == betas(AS_RUN, "tdrc over beta") | betas(AS_STATED, "tdrc")
    assert betas(AS_RUN, "tdrc") == {Fraction(4, 5)}
    assert "used in the tables" in fields[Fraction(4, 5)]
    assert betas(AS_STATED, "tdrc") == {1}
    assert fields[Fraction(1)].startswith("the default")
    assert TABLES.is_file()
