"""`python -m verify.data` from the outside: the answer in words, its JSON, and what it refuses."""

import json
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from verify.data.__main__ import PROG, main
from verify.data.files import open_file
from verify.data.intervals import LEVEL
from verify.data.numbers import SQUARE_STEP
from verify.data.report import check_data
from verify.data.terminal import changes


@pytest.fixture
def ask(asker):
    return asker(main, PROG)


@pytest.fixture
def doubling(tmp_path):
    """Return a file of the chain of features 1 and 2 that behaviour leaves either way and the target to the right."""
    generator = np.random.default_rng(0)
    state, action = generator.integers(0, 2, (2, 20_000))
    columns = {"x": 1.0 + state[:, None], "x_next": 1.0 + action[:, None], "reward": 0.0 * state, "rho": 2.0 * action}
    path = tmp_path / "doubling.npz"
    np.savez(path, **columns)
    return path


def test_what_diverges_is_explained_and_what_to_change_is_named(doubling, ask):
    status, out, err = ask(str(doubling), "--gamma", "9/10", "--algorithm", "td")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "td diverges on these data, however small the step size (95% confidence)."
    assert lines[1] == f"not-convergent (sampled): {doubling}, 20,000 rows, 1 feature, gamma 9/10"
    assert lines[3].startswith("  A is not positive definite: z^T A z is -0.")
    assert "tdrc, beta = 1, eta = 1       fails" in out
    (changed,) = (line for line in lines if line.startswith("  Learners whose expected update is stable here: "))
    assert "tdc, beta = 0, eta = 1" in changed
    assert "tdrc, beta = 1, eta = 1" not in changed


@pytest.mark.thorough
def test_what_is_suggested_is_stable_and_meets_the_theorem(doubling, ask):
    asked = (str(doubling), "--gamma", "9/10", "--json")
    answer = json.loads(ask(*asked)[1])
    assert answer["algorithm"]["name"] == "tdrc"
    (better,) = (each for each in answer["alternatives"] if each["name"] == "tdrc")
    assert better["stable"] == "holds"
    again = json.loads(ask(*asked, "--beta", better["beta"], "--eta", better["eta"])[1])
    assert again["verdict"]["status"] == "convergent"
    within = {check["claim"]: check["status"] for check in again["checks"]}
    assert within["beta-below-bound"] == within["eta-above-bound"] == "holds"


def test_json_has_what_the_contract_names_and_its_interval_holds_the_exact_rate(doubling, ask):
    status, out, _ = ask(str(doubling), "--gamma", "9/10", "--algorithm", "td", "--json", "--seed", "3")
    answer = json.loads(out)
    assert (status, answer["rows"], answer["features"], answer["episodes"]) == (0, 20_000, 1, None)
    assert answer["estimates"]["A"][0][0] == pytest.approx(-0.2, abs=0.05)
    assert answer["estimates"]["C"][0][0] == pytest.approx(2.5, abs=0.1)
    assert set(answer["estimates"]) == {"A", "b", "C", "G", "g"}
    assert {check["proof"] for check in answer["checks"]} == {answer["verdict"]["proof"]} == {"sampled"}
    ends = answer["verdict"]["spectral_abscissa"]
    assert 0 < ends["lower"] < 0.2 < ends["upper"]
    assert (answer["intervals"]["level"], answer["intervals"]["seed"]) == (LEVEL, 3)
    assert ask(str(doubling), "--gamma", "9/10", "--algorithm", "td", "--json", "--seed", "3")[1] == out


def test_ratios_that_do_not_average_1_are_the_first_thing_to_change(doubling, ask):
    with np.load(doubling) as columns:
        np.savez(doubling, **{**columns, "rho": np.minimum(columns["rho"], 1)})
    out = ask(str(doubling), "--gamma", "9/10", "--algorithm", "td")[1]
    assert "The importance ratios do not average 1" in out
    assert out.splitlines()[out.splitlines().index("What to change:") + 1].startswith("  Check rho first")


def test_few_rows_leave_it_undecided(tmp_path, ask):
    path = tmp_path / "few.csv"
    path.write_text("x_0,x_next_0,reward,rho\n" + "1,2,0,1\n2,1,0,1\n" * 20, encoding="utf-8")
    out = ask(str(path))[1]
    assert "\nundecided (sampled): " in out
    assert "no interval" in out


def test_a_parameter_that_a_learner_lacks_a_seed_and_a_discount_out_of_range_are_refused(doubling, ask, tmp_path):
    for arguments, text in (
        ((str(doubling), "--set", "lam=1"), "tdrc has no parameter lam"),
        ((str(doubling), "--gamma", "2"), "--gamma: 2 is not from 0 to 1"),
        ((str(doubling), "--seed", "-1"), "--seed: at least 0"),
        ((str(doubling), "--resamples", "5"), "--resamples: at least 100"),
        ((str(doubling), "--algorithm", "td-lambda"), "td-lambda remembers earlier rows"),
        ((str(tmp_path / "absent.npz"),), "absent.npz: cannot be read: No such file or directory"),
    ):
        status, out, err = ask(*arguments)
        assert (status, out, err.count("\n")) == (2, "", 1), err
        assert text in err


def test_bars_show_rows_and_draws(doubling, ask, monkeypatch):
    shown = []

    @contextmanager
    def bar(title, total):
        shown.append((title.split()[0], total))
        yield lambda done: shown.append(done)

    monkeypatch.setattr("tdrc_theory.cli.progress.progress_bar", bar)
    ask(str(doubling), "--resamples", "100", "--algorithm", "td")
    assert shown[:2] == [("rows", 20_000), 20_000]
    assert shown[2] == ("resamples", 201)
    assert shown[3:204] == list(range(1, 202))


@pytest.mark.thorough
def test_a_step_size_whose_interval_reaches_zero_is_not_recommended_as_a_bound(doubling):
    report = check_data(open_file(doubling), gamma=Fraction(9, 10), algorithm="tdc")
    assert any(line.startswith("Keep a constant step size below 0.") for line in changes(report))
    numbers = {**report.numbers, SQUARE_STEP: replace(report.numbers[SQUARE_STEP], lower=0.0)}
    (step,) = (line for line in changes(replace(report, numbers=numbers)) if "step size" in line)
    assert step.startswith("The largest constant step size is about 0.")
    assert step.endswith("but its interval reaches 0: begin well below it, or bring more rows.")
