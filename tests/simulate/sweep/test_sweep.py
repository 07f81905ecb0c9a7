from __future__ import annotations

import csv
import io
import json
import math
import re
import signal
import sqlite3
import statistics
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from simulate.environment import environment
from simulate.kernels import kernel, lanes
from simulate.step_sizes import CONSTANT
from simulate.sweep.__main__ import PROG, main
from simulate.sweep.experiment_file import built_in
from tdrc_theory import find_algorithm, find_problem

SMALL = f"""
name = "small"
problems = ["random-walk-tabular", "baird"]
steps = 60
runs = 6
seed = 5
every = 2

[[learners]]
algorithms = ["tdrc", "td"]
alpha = ["1/4", "1/2", "{10**150}"]
beta = ["1/2", 1]

[figure]
along = "beta"
"""
SCALED = """
name = "scaled"
problems = ["random-walk-inverted"]
reward_scale = ["1/100", 1, 1000]
steps = 200
runs = 8

[[learners]]
algorithms = ["td", "tdrc"]
alpha = ["1/8", "1/4"]
beta = ["1/4", 4]

[figure]
along = "reward_scale"
by = "beta"
baseline = "td"
"""
LONG = """
name = "long"
problems = ["random-walk-tabular", "boyan"]
steps = 4000
runs = 400
every = 1

[[learners]]
algorithms = ["tdrc", "tdc"]
alpha = { base = "9/10", from = 1, to = 32 }
"""


def exported(ask, tmp_path, *options):
    status, _, err = ask(SMALL, "--export", "rows.csv", *options)
    assert (status, err) == (0, "")
    return list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text())))


def test_errors_that_vanish_are_told_and_kept_with_what_is_stored(ask, tmp_path):
    (tmp_path / "still.toml").write_text(
        'name = "still"\ngamma = "1/2"\nfeatures = [[1]]\ninitial_weights = [1]\n[mdp]\n'
        "transitions = [[0, 0, 0, 1, 0]]\nbehaviour = [[1]]\ntarget = [[1]]\n"
    )
    study = SMALL.replace('["random-walk-tabular", "baird"]', '["still.toml"]').replace("steps = 60", "steps = 1500")
    study = study.replace(f'["1/4", "1/2", "{10**150}"]', '["1/2", "1/64"]').replace('["tdrc", "td"]', '"td"')
    study = study.replace('beta = ["1/2", 1]', "").replace('along = "beta"', 'along = "alpha"')
    text = "; 1 configuration had errors in some run that fell below 3e-151 and read as 0 or lost digits\n"
    assert text in ask(study)[1]
    status, out, _ = ask(study, "--json")
    rows = json.loads(out)["configurations"]
    assert (status, [(row["alpha"], row["vanished_runs"]) for row in rows]) == (0, [(0.5, 6), (1 / 64, 0)])


def test_a_row_holds_the_mean_area_of_runs_done_by_hand_and_its_error(ask, tmp_path):
    rows = exported(ask, tmp_path)
    walk = environment(find_problem("random-walk-tabular"), steps=60, seed=5)
    update = kernel(find_algorithm("tdrc"), CONSTANT)
    chosen = lanes(CONSTANT, 0.5, eta=1, beta=0.5)
    areas = [float(update(walk, walk.trajectory(run), chosen, range(1, 61, 2)).errors.mean()) for run in range(6)]
    (row,) = [
        r
        for r in rows
        if (r["problem"], r["algorithm"], r["alpha"], r["beta"]) == ("random-walk-tabular", "tdrc", "0.5", "0.5")
    ]
    error = statistics.stdev(areas) / math.sqrt(6)
    assert float(row["area_mean"]) == pytest.approx(statistics.mean(areas), rel=1e-13)
    assert float(row["area_standard_error"]) == pytest.approx(error, rel=1e-10)
    assert float(row["area_upper"]) - float(row["area_mean"]) == pytest.approx(2.570582 * error, rel=1e-6)
    assert row["runs"] == "6"
    assert len(rows) == 2 * (3 * 2 + 3)


def test_a_configuration_that_diverges_keeps_its_row_without_an_area(ask, tmp_path):
    rows = exported(ask, tmp_path)
    far = [row for row in rows if float(row["alpha"]) == 1e150]
    assert len(far) == 6
    assert {(row["area_mean"], row["area_standard_error"], row["diverged_runs"]) for row in far} == {("", "", "6")}
    assert all(1 < int(row["diverged_at"]) < 60 for row in far)
    assert {(row["diverged_runs"], row["diverged_at"]) for row in rows if row not in far} == {("0", "")}


def test_a_second_call_computes_nothing_and_says_the_same(ask):
    _, first, _ = ask(SMALL)
    _, second, _ = ask(SMALL)
    assert "108 learning curves computed, 0 found in sweep.sqlite" in first
    assert "0 learning curves computed, 108 found in sweep.sqlite" in second
    assert first.splitlines()[2:] == second.splitlines()[2:]


def test_what_is_stored_is_shown_without_a_compiler(ask, tmp_path):
    ask(SMALL)
    shown = "main(['study.toml']); print(*sys.modules, file=sys.stderr)"
    program = f"import sys; from simulate.sweep.__main__ import main; {shown}"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "108 found" in done.stdout
    assert not {"llvmlite", "matplotlib", "sympy", "distributed", "pyarrow"} & set(done.stderr.split())


def test_a_larger_study_reuses_what_a_smaller_one_stored(ask):
    ask(SMALL)
    _, out, _ = ask(SMALL.replace('["1/4"', '["1/8", "1/4"'))
    assert "36 learning curves computed, 108 found" in out


def test_json_names_the_best_and_holds_no_number_that_is_none(ask):
    status, out, _ = ask(SMALL, "--json")
    answer = json.loads(out, parse_constant=pytest.fail)
    assert status == 0
    for best in answer["best"]:
        same = [
            row
            for row in answer["configurations"]
            if all(row[k] == best[k] for k in ("problem", "algorithm", "step_size"))
        ]
        assert best["best_of"] == len(same)
        assert best["area_mean"] == min(row["area_mean"] for row in same if row["area_mean"] is not None)
    assert any(row["area_mean"] is None and row["diverged_runs"] == 6 for row in answer["configurations"])


def test_the_held_out_area_is_of_the_first_halfs_choice_on_the_second_half(ask):
    _, out, _ = ask(SMALL.replace("runs = 6", "runs = 4"), "--json")
    (best,) = [b for b in json.loads(out)["best"] if (b["problem"], b["algorithm"]) == ("random-walk-tabular", "td")]
    walk = environment(find_problem("random-walk-tabular"), steps=60, seed=5)
    update = kernel(find_algorithm("td"), CONSTANT)
    chosen = lanes(CONSTANT, [0.25, 0.5])
    points = range(1, 61, 2)
    areas = np.array([update(walk, walk.trajectory(run), chosen, points).errors.mean(axis=0) for run in range(4)])
    expected = areas[2:, areas[:2].mean(axis=0).argmin()]
    assert best["held_out"]["mean"] == pytest.approx(expected.mean(), rel=1e-12)


def test_parquet_holds_the_same_rows(ask, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = exported(ask, tmp_path)
    assert ask(SMALL, "--export", "rows.parquet")[0] == 0
    result = parquet.read_table(tmp_path / "rows.parquet").to_pylist()
    assert [{key: "" if v is None else str(v) for key, v in row.items()} for row in result] == rows


def test_curves_hold_every_point_of_every_configuration(ask, tmp_path):
    assert ask(SMALL, "--curves", "curves.csv")[0] == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "curves.csv").read_text())))
    assert len(rows) == 18 * 30
    walk = environment(find_problem("random-walk-tabular"), steps=60, seed=5)
    assert rows[0]["updates"] == "1"
    update = kernel(find_algorithm("tdrc"), CONSTANT)
    chosen, points = lanes(CONSTANT, 0.25, beta=0.5), range(1, 61, 2)
    errors = [update(walk, walk.trajectory(run), chosen, points).errors for run in range(6)]
    shown = [float(row["rmspbe_mean"]) for row in rows[:30]]
    assert shown == pytest.approx(np.mean(errors, axis=0)[:, 0], rel=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--export", "rows.txt"), "rows.txt: its name ends in none of .csv, .parquet"),
        (("--store", "study.toml"), "--store: study.toml: is not a store of outcomes"),
        (("--workers", "0"), "--workers: 0 is not from 1 to 1024"),
        (("--full",), "study.toml: --full is given, but there is no table [full] in the file"),
    ],
)
def test_bad_input_is_one_line_and_status_2(ask, options, message):
    assert ask(SMALL, *options) == (2, "", f"{PROG}: error: {message}\n")


def test_without_pyarrow_one_line_says_what_to_install(ask, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, _, err = ask(SMALL, "--export", "rows.parquet")
    assert (status, err.count("\n")) == (2, 1)
    assert "pip install 'tdrc-referee[parquet]'" in err


def test_deviations_do_not_depend_on_the_rewards_but_those_plotted_do(ask):
    _, out, _ = ask(SCALED, "--json")
    result = json.loads(out)["deviations"]
    assert len(result) == 6
    for beta in (0.25, 4.0):
        right = [row["deviations"] for row in result if row["beta"] == beta]
        plotted = [row["as_plotted"] for row in result if row["beta"] == beta]
        assert right == pytest.approx([right[0]] * 3, rel=1e-9)
        assert plotted[2] / plotted[1] == pytest.approx(math.sqrt(1000), rel=1e-9)


@pytest.mark.parametrize(("text", "panels"), [(SMALL, 2), (SCALED, 2)])
def test_the_figure_says_how_many_runs_it_is_of(ask, tmp_path, text, panels):
    assert ask(text, "--plot", "study.svg")[0] == 0
    drawn = (tmp_path / "study.svg").read_text()
    title = ET.fromstring(drawn)[0].text
    assert re.search(r"\([68] runs", title)
    assert drawn.count('id="axes_') == panels


@pytest.mark.slow
@pytest.mark.parametrize("name", built_in())
def test_an_experiment_that_comes_along_ends_in_data_and_a_figure(asker, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    status, out, err = asker(main, PROG)(name, "--plot", "drawn.svg", "--export", "rows.csv", "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out, parse_constant=pytest.fail)
    panels = {(row["problem"], row["step_size"]) for row in answer["configurations"]}
    assert (tmp_path / "drawn.svg").read_text().count('id="axes_') == len(panels) * (2 if "deviations" in answer else 1)
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 1 + len(answer["configurations"])
    assert all(best["area_mean"] is not None for best in answer["best"])


def rows_of(path):
    with sqlite3.connect(path) as file:
        result = file.execute("SELECT key, mean, m2, area, diverged FROM outcomes ORDER BY key").fetchall()
    file.close()
    return result


def count(path, mode="ro"):
    """Return the number of rows; what a killed process left half-written is undone only by who may write."""
    try:
        with sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True) as file:  # which makes no file
            result = file.execute("SELECT count(*) FROM outcomes").fetchone()[0]
        file.close()
        return result
    except sqlite3.OperationalError:  # not made yet, or just being written
        return 0


@pytest.mark.thorough
def test_a_sweep_that_is_killed_again_and_again_goes_on_and_ends_with_the_same_bits(ask, tmp_path):
    ask(LONG, "--store", "whole.sqlite")
    whole = rows_of(tmp_path / "whole.sqlite")
    assert len(whole) == 2 * 2 * 32 * 8
    command = [sys.executable, "-m", "simulate.sweep", "study.toml", "--store", "killed.sqlite", "--workers", "2"]
    path, seen = tmp_path / "killed.sqlite", []
    for _ in range(3):
        before = count(path)
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
        while process.poll() is None and count(path) <= before:
            time.sleep(0.005)
        least = count(path)
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen.append(count(path, "rw"))
        assert least <= seen[-1]
        assert seen[-1] % 32 == 0  # whole tasks, of 32 configurations each
    assert 0 < seen[0] < seen[1] < seen[2] < len(whole)
    _, out, _ = ask(LONG, "--store", "killed.sqlite")
    assert f"{seen[2] * 50:,} found in killed.sqlite" in out
    assert rows_of(path) == whole
