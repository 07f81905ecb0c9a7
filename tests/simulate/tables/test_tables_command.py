"""The command that makes the paper's tables again: its output, its exit status and what it refuses."""

from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from simulate.piece import Piece
from simulate.tables.__main__ import PROG, main


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


@pytest.mark.slow
def test_all_84_cells_are_as_printed(ask):
    status, out, _ = ask("--require", "--json")
    result = json.loads(out)["cells"]
    assert (status, len(result), sum(cell["matches"] for cell in result)) == (0, 84, 84)


def test_a_cell_in_which_everything_diverged_is_null_and_no_match(ask, monkeypatch):
    def diverge(piece):
        outcome = compute_really(piece)
        return outcome._replace(area=np.full_like(outcome.area, math.inf))

    compute_really = Piece.compute
    monkeypatch.setattr(Piece, "compute", diverge)
    wanted = ("--step-size", "constant", "--problem", "boyan", "--algorithm", "td", "--runs", "2")
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


@pytest.mark.thorough
def test_require_fails_where_a_cell_is_not_as_printed(ask):
    wanted = ("--step-size", "constant", "--problem", "random-walk-tabular", "--algorithm", "td", "--require")
    assert ask(*wanted)[0] == 0
    status, out, _ = ask("--variant", "as-stated", "--runs", "3", *wanted)
    assert status == 1
    assert re.search(r"as printed: 0 of 1 cells", out)


@pytest.mark.thorough
def test_the_number_of_workers_changes_nothing(ask):
    wanted = ("--step-size", "constant", "--problem", "random-walk-dependent", "--runs", "60", "--json")
    assert ask(*wanted, "--workers", "1") == ask(*wanted, "--workers", "3")


def test_what_is_in_the_store_is_not_computed_again(ask, tmp_path, monkeypatch):
    wanted = ("--step-size", "constant", "--algorithm", "td", "--runs", "4", "--store", str(tmp_path / "cells.sqlite"))
    before = ask(*wanted)
    monkeypatch.setattr(Piece, "compute", None)
    assert ask(*wanted) == before


@pytest.mark.thorough
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
    ("arguments", "message"),
    [
        (("--runs", "1"), "--runs: 1 is not from 2"),
        (("--runs", str(10**20)), "is not from 2"),
        (("--seed", "1"), "only corrected has a seed"),
        (("--algorithm", "tdc++"), "has no such cell without --more"),
        (("--algorithm", "htd", "--problem", "boyan"), "has no such cell"),
        (("--algorithm", "tdcc"), "unknown row 'tdcc' (did you mean tdc"),
        (("--workers", "0", "--runs", "2", "--algorithm", "td"), "--workers: 0"),
        (("--variant", "corrected", "--seed", "-1"), "--seed: -1"),
        (("--variant", "other"), "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(ask, arguments, message):
    status, out, err = ask(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
