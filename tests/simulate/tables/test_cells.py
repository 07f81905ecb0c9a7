"""Cells against a slow loop written here, against the printed ones, and how the best configuration is chosen."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from simulate.compute import compute
from simulate.piece import Piece
from simulate.store import Store
from simulate.tables.__main__ import PROG, main
from simulate.tables.areas import Areas, Setting
from simulate.tables.cell import Cell, cells
from simulate.tables.environments import ERROR_WEIGHTS, replayed
from simulate.tables.grids import Grids, Wanted
from simulate.tables.published import PROBLEMS, STEP_SIZES, Place, printed_like, published
from simulate.tables.variant import AS_RUN, AS_STATED, CORRECTED, find_variant
from tdrc_theory.errors import UnknownName

NEARLY = {"rtol": 1e-9, "atol": 1e-12}


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


def found(variant, *wanted, runs=200, more=False):
    grids = Grids(variant, 0)
    chosen = (grids.further if more else grids.published)(Wanted(*wanted))
    with Store(None) as store:
        return cells(chosen, variant, store, runs=runs)


# The RMSPBE of the published cells: matrices over the target policy, and the printed weights.
WALK = {
    "random-walk-tabular": np.eye(5),
    "random-walk-inverted": (np.ones((5, 5)) - np.eye(5)) / 2,
    "random-walk-dependent": np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1], [0, 0, 1]])
    / np.sqrt([[1], [2], [3], [2], [1]]),
}


def by_hand(name):
    """Return X, P, r, the weights d, gamma and the first weights."""
    if name in WALK:
        P = np.diag([0.6] * 4, 1) + np.diag([0.4] * 4, -1)
        d = np.array([0.111111, 0.222222, 0.333333, 0.222222, 0.111111])
        return WALK[name], P, np.array([-0.4, 0, 0, 0, 0.6]), d, 1.0, np.zeros(len(WALK[name][0]))
    if name == "boyan":
        P = np.diag([0.5] * 12, 1) + np.diag([0.5] * 11, 2)
        P[11, 12] = 1
        X = np.array([[max(0.0, 1 - abs(s / 4 - i)) for i in range(4)] for s in range(13)])
        return X, P, np.array([-3.0] * 12 + [-2.0]), np.array(ERROR_WEIGHTS["boyan"], float), 1.0, np.zeros(4)
    X = np.hstack([2 * np.eye(7), np.ones((7, 1))])
    X[6] = [0, 0, 0, 0, 0, 0, 1, 2]
    P = np.zeros((7, 7))
    P[:, 6] = 1
    return X, P, np.zeros(7), np.full(7, 1 / 7), 0.99, np.array([1, 1, 1, 1, 1, 1, 10, 1.0])


def rmspbe(name):
    X, P, r, d, gamma, _ = by_hand(name)
    A, b, C = X.T @ np.diag(d) @ (X - gamma * P @ X), X.T @ (d * r), X.T @ np.diag(d) @ X
    inverse = np.linalg.pinv(C, rcond=1e-10)
    return lambda w: math.sqrt((b - A @ w) @ inverse @ (b - A @ w))


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_error_is_that_of_the_printed_weights(name):
    error = replayed(name, 10, error_weights=True).error
    rng = np.random.default_rng(2)
    for _ in range(5):
        w = rng.normal(size=by_hand(name)[0].shape[1])
        assert float(error(w)) == pytest.approx(rmspbe(name)(w), rel=1e-9)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_exact_weights_are_those_of_the_chain(name):
    own, printed = (replayed(name, 10, error_weights=weights) for weights in (False, True))
    w = np.arange(1.0, 1 + len(own.initial_weights))
    close = pytest.approx(float(printed.error(w)), rel=1e-6)
    assert (float(own.error(w)) == close) == (name != "boyan")
    assert (own.key == printed.key) == (name == "baird")


def slow_run(name, algorithm, rule, setting, steps, run):
    """One run, vector by vector; returns the RMSPBE after updates 1, 11, 21, ..."""
    X, _, _, _, gamma, w = by_hand(name)
    X = np.vstack([X, np.zeros(X.shape[1])])
    w, h, errors, error = w.copy(), np.zeros(X.shape[1]), [], rmspbe(name)
    alpha, eta, beta = (float(v) for v in setting[:3])
    b1, b2 = (float(setting.parameters.get(b, 0)) for b in ("b1", "b2"))
    state = [[np.zeros_like(w), np.zeros_like(w), np.full_like(w, 1e-8)] for _ in range(2)]

    def step(which, size, g):
        m, s, v = state[which]
        if rule == "constant":
            return size * g
        if rule == "adagrad":
            s += g**2
            return size * g / (np.sqrt(s) + 1e-8)
        m[:], s[:] = b1 * m + (1 - b1) * g, b2 * s + (1 - b2) * g**2
        v[:] = np.maximum(v, s)
        return size * m / np.sqrt(v) + (size * g if rule == "double-update" else 0)

    for t, (s, s_next, rho, reward) in enumerate(
        zip(*replayed(name, steps, error_weights=True).trajectory(run), strict=True)
    ):
        x, y = X[s], X[s_next]
        delta, delta_hat = reward + gamma * w @ y - w @ x, h @ x
        dh = (rho * delta - delta_hat) * x - beta * h
        dw = rho * (delta * x - gamma * delta_hat * y)
        if algorithm == "gtd2":
            dw = rho * delta_hat * (x - gamma * y)
        if algorithm == "td":
            dw, dh = rho * delta * x, 0 * h
        w, h = w + step(0, alpha, dw), h + step(1, eta * alpha, dh)
        if t % 10 == 0:
            errors.append(error(w))
    return errors


@pytest.mark.parametrize(
    ("step_size", "row", "name"),
    [
        ("constant", "tdrc", "random-walk-dependent"),
        ("constant", "gtd2", "boyan"),
        ("adagrad", "tdc", "baird"),
        ("adam", "tdrc", "baird"),
    ],
)
def test_configurations_give_what_a_slow_loop_gives(step_size, row, name):
    steps, runs = 151, 3
    (grid,) = Grids(AS_RUN, 0).published(Wanted(step_size, row, name))
    grid = replace(grid, environment=replayed(name, steps, error_weights=True))
    with Store(None) as store:
        (outcome,) = compute([grid.areas_piece(runs, 10)], store)
        for lane in range(2, len(grid.settings), max(1, len(grid.settings) // 4)):
            setting = grid.settings[lane]
            curves = [slow_run(name, row, grid.rule.name, setting, steps, run) for run in range(runs)]
            if np.max(curves) > 1e6:  # it diverges, and rounding with it
                continue
            np.testing.assert_allclose(outcome.area[:, lane], np.mean(curves, axis=1), **NEARLY)
            (points,) = compute([grid.points_piece(setting, runs, 10)], store)
            np.testing.assert_allclose(points.mean[:, 0], np.mean(curves, axis=0), **NEARLY)
            error = np.std(curves, axis=0, ddof=1) / math.sqrt(runs)
            np.testing.assert_allclose(points.standard_error()[:, 0], error, rtol=1e-6, atol=1e-12)


def test_every_cell_of_the_paper_is_there_and_one_of_each_column_is_bold():
    assert len(published()) == 84
    for step_size in STEP_SIZES:
        for problem in PROBLEMS:
            column = {p.row: c for p, c in published().items() if (p.step_size, p.problem) == (step_size, problem)}
            assert len(column) == (4 if problem == "boyan" else 6)
            lowest = min(float(cell.mean) for cell in column.values())
            assert [float(cell.mean) for cell in column.values() if cell.bold] == [lowest]


@pytest.mark.parametrize(
    "wanted",
    [
        ("constant", "tdrc"),
        ("constant", "td"),
        ("constant", "vtrace"),
        ("adagrad", "tdc", "boyan"),
    ],
)
def test_cells_are_as_printed(wanted):
    made = found(AS_RUN, *wanted)
    assert len(made) >= 1
    assert [(cell.place, cell.matches) for cell in made if not cell.matches] == []


def test_fewer_runs_are_not_as_printed():
    assert [cell.matches for cell in found(AS_RUN, "constant", "td", "baird", runs=20)] == [False]


@pytest.mark.parametrize(
    ("step_size", "row", "name", "value"),
    [
        ("constant", "tdc++", "baird", "0.213"),
        ("constant", "tdrc, beta = 1", "baird", "0.2301"),
    ],
)
def test_rows_that_the_paper_lacks_have_their_known_values(step_size, row, name, value):
    (cell,) = found(AS_RUN, step_size, row, name, more=True)
    assert printed_like(cell.mean, value) == value
    assert cell.printed is cell.matches is cell.difference is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step_size", "row", "values"),
    [
        ("constant", "tdrc, beta = 1", ".0631 .0664 .0353 .2174 .2301"),
        ("constant", "tdc++", ".112 .192 .072 1.035 .213"),
        ("adagrad", "tdc++", ".112 .206 .129 2.120 1.772"),
        ("adam", "tdrc, single update", ".0611 .0481 .0299 .2050 .3001"),
    ],
)
def test_further_rows_have_their_known_values_on_every_problem(step_size, row, values):
    made = found(AS_RUN, step_size, row, more=True)
    for cell, value in zip(made, values.split(), strict=True):
        assert printed_like(cell.mean, value).lstrip("0") == value, cell.place


@pytest.mark.parametrize(
    ("row", "alpha", "value"),
    [("tdc", 4, "0.210"), ("tdrc", 2, "0.155"), pytest.param("td", 2, "0.173", marks=pytest.mark.slow)],
)
def test_boyans_cells_under_adagrad_were_bad_because_alpha_was_capped(row, alpha, value):
    (cell,) = found(AS_RUN.without_cap(), "adagrad", row, "boyan")
    assert (cell.areas.setting.alpha, printed_like(cell.mean, value), cell.areas.edge) == (alpha, value, 0)


@pytest.mark.slow
def test_td_and_vtrace_coincide_on_baird_where_steps_do_not_depend_on_scale():
    td, vtrace = (found(AS_RUN, "adagrad", row, "baird", runs=10)[0] for row in ("td", "vtrace"))
    np.testing.assert_allclose(td.areas.runs, vtrace.areas.runs, rtol=1e-6)


@pytest.mark.slow
def test_all_84_cells_are_as_printed(ask):
    status, out, _ = ask("--require", "--json")
    made = json.loads(out)["cells"]
    assert (status, len(made), sum(cell["matches"] for cell in made)) == (0, 84, 84)


@pytest.mark.slow
@pytest.mark.parametrize(("step_size", "means"), [("constant", 13), ("adagrad", 12)])
def test_what_the_text_states_gives_fewer_than_half_of_the_published_means(step_size, means):
    made = found(AS_STATED, step_size)
    assert sum(cell.mean_matches for cell in made) == means
    assert not any(cell.mean_matches for cell in made if cell.place.problem in ("boyan", "baird"))


def test_corrected_cells_are_near_the_published_ones_where_nothing_was_wrong():
    for cell in found(CORRECTED, "constant", "td", runs=100):
        if cell.place.problem.startswith("random-walk"):
            assert abs(cell.difference) < 4
            assert cell.standard_error < 0.001


def fake(means, alphas):
    settings = [Setting(Fraction(2) ** alpha, Fraction(1), Fraction(0), {}) for alpha in alphas]
    return Areas(settings, np.array(means, float))


def test_the_best_is_the_lowest_among_configurations_of_which_no_run_diverged():
    areas = fake([[3, 1, 5], [3, math.inf, 5]], [-2, -1, 0])
    assert (areas.best, areas.mean, areas.edge, areas.diverged) == (0, 3, -1, 1)
    assert areas.at("alpha", Fraction(1)).mean == 5
    assert areas.values("alpha") == [Fraction(1, 4), Fraction(1, 2), 1]


@pytest.mark.parametrize(("means", "edge"), [([2, 1, 3], 0), ([1, 2, 3], -1), ([3, 2, 1], 1)])
def test_the_end_of_the_grid_is_told(means, edge):
    assert fake([means, means], [-1, 0, 1]).edge == edge


def test_a_cell_in_which_everything_diverged_is_null_and_no_match(ask, monkeypatch):
    def diverge(piece):
        outcome = compute_really(piece)
        return outcome._replace(area=np.full_like(outcome.area, math.inf))

    compute_really = Piece.compute
    monkeypatch.setattr(Piece, "compute", diverge)
    wanted = ("--step-size", "adagrad", "--problem", "boyan", "--algorithm", "tdrc", "--runs", "2")
    status, out, _ = ask("--variant", "corrected", *wanted, "--json")
    (cell,) = json.loads(out)["cells"]
    assert (status, cell["mean"], cell["standard_error"], cell["matches"], cell["difference"]) == (
        0,
        None,
        None,
        False,
        None,
    )
    status, out, _ = ask("--variant", "corrected", *wanted)
    assert "diverged" in out


def test_the_json_is_the_contracts(ask):
    status, out, _ = ask("--step-size", "adagrad", "--algorithm", "tdrc", "--problem", "boyan", "--json")
    (cell,) = json.loads(out)["cells"]
    assert status == 0
    assert {
        k: cell[k]
        for k in ("stepsize", "algorithm", "problem", "published_mean", "published_standard_error", "matches")
    } == {
        "stepsize": "adagrad",
        "algorithm": "tdrc",
        "problem": "boyan",
        "published_mean": "0.222",
        "published_standard_error": "0.002",
        "matches": True,
    }
    assert cell["mean"] == pytest.approx(0.222, abs=5e-4)
    assert cell["alpha"] == "1"
    assert cell["alpha_at_edge"]
    assert cell["standard_error_of_area"] < cell["standard_error"]


def test_require_fails_where_a_cell_is_not_as_printed(ask):
    wanted = ("--step-size", "constant", "--problem", "random-walk-tabular", "--algorithm", "td", "--require")
    assert ask(*wanted)[0] == 0
    status, out, _ = ask("--variant", "as-stated", "--runs", "3", *wanted)
    assert status == 1
    assert re.search(r"as printed: 0 of 1 cells", out)


def test_the_number_of_workers_changes_nothing(ask):
    wanted = ("--step-size", "constant", "--problem", "random-walk-dependent", "--runs", "60", "--json")
    assert ask(*wanted, "--workers", "1") == ask(*wanted, "--workers", "3")


def test_what_is_in_the_store_is_not_computed_again(ask, tmp_path, monkeypatch):
    wanted = ("--step-size", "constant", "--algorithm", "td", "--runs", "4", "--store", str(tmp_path / "cells.sqlite"))
    before = ask(*wanted)
    monkeypatch.setattr(Piece, "compute", None)
    assert ask(*wanted) == before


def test_a_seed_gives_fresh_experience_and_nothing_else(ask):
    wanted = (
        "--variant",
        "corrected",
        "--step-size",
        "constant",
        "--problem",
        "boyan",
        "--algorithm",
        "td",
        "--runs",
        "4",
    )
    one, two, again = (ask(*wanted, "--seed", seed, "--json")[1] for seed in ("1", "2", "1"))
    assert one == again != two


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--runs", "1"), "--runs: 1 is not from 2"),
        (("--runs", str(10**20)), "is not from 2"),
        (("--seed", "1"), "only corrected has a seed"),
        (("--algorithm", "tdc++"), "has no such cell without --more"),
        (("--algorithm", "htd", "--problem", "boyan"), "has no such cell"),
        (("--workers", "0", "--runs", "2", "--algorithm", "td"), "--workers: 0"),
        (("--variant", "corrected", "--seed", "-1"), "--seed: -1"),
        (("--variant", "other"), "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(ask, arguments, said):
    status, out, err = ask(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_variant_is_found_by_name():
    assert find_variant("as-run") is AS_RUN
    with pytest.raises(UnknownName, match="did you mean as-run"):
        find_variant("as-rum")


def test_the_difference_is_in_standard_errors_of_both():
    grid = Grids(AS_RUN, 0).published(Wanted("constant", "tdc", "boyan"))[0]
    cell = Cell(grid, fake([[1], [2]], [0]), 0.309 + 0.01, 0.003)
    assert grid.place == Place("constant", "tdc", "boyan")
    assert cell.difference == pytest.approx(0.01 / 0.005)
    assert (cell.mean_matches, cell.error_matches, cell.matches) == (False, False, False)
