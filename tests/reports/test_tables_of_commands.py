from __future__ import annotations

import csv
import importlib
import json

import numpy as np
import pytest

from reports.command import COMMANDS, main

STUDY = """
name = "small"
problems = ["random-walk-tabular"]
steps = 20
runs = 3

[[learners]]
algorithms = ["tdrc", "td"]
alpha = ["1/16", "1/8"]

[figure]
along = "alpha"
"""
TABLES = {
    "conditions": (["conditions", "baird", "--explain"], 4),
    "borkar-meyn": (["borkar-meyn", "two-state"], 1),
    "region": (["region", "baird"], 1),
    "region over two": (["region", "two-state", "--over", "beta,eta"], 1),
    "region with a map": (["region", "two-state", "--map", "map.svg"], 1),
    "predict": (["predict", "two-state", "--steps", "20", "--alphas", "1/16,1/8"], 2),
    "predict to first order": (
        ["predict", "random-walk-tabular", "--algorithm", "td-lambda", "--set", "lam=1/2", "--steps", "500"],
        1,
    ),
    "predict means": (["predict", "matrices.toml", "--steps", "20"], 1),
    "data": (["data", "rows.npz", "--algorithm", "td", "--gamma", "9/10"], 2),
    "random": (["random", "--problems", "3", "--workers", "1"], 2),
    "run": (["run", "two-state", "--steps", "20", "--runs", "3"], 1),
    "sweep": (["sweep", "study.toml"], 1),
    "compare": (["compare", "two-state", "--steps", "20", "--runs", "3"], 1),
    "compare runs": (["compare", "two-state", "--algorithm", "mine.py:greedy", "--steps", "20", "--runs", "3"], 1),
    "derive": (["derive", "--list"], 1),
}
"""Commands that print tables, and how many."""
LONG = {"paper", "tables", "experiments", "control", "last-layer"}
"""Commands whose tables other tests look at, since each takes long."""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "matrices.toml").write_text('name = "m"\n[matrices]\nA = [[1]]\nb = [1]\nC = [[1]]\n')
    code = "def greedy(x, x_next, h, delta, delta_hat, rho, gamma, beta):\n    return rho * delta * abs(delta) * x, 0\n"
    (tmp_path / "mine.py").write_text(code)
    s = np.arange(400) % 2
    rows = {"x": np.eye(2)[s], "x_next": np.eye(2)[1 - s], "reward": 1.0 * s, "rho": np.ones(400)}
    np.savez(tmp_path / "rows.npz", **rows)


def test_every_command_that_prints_columns_writes_them():
    having = set()
    for name, module, _ in COMMANDS:
        parser = getattr(importlib.import_module(module), "parser", None)
        if parser is not None and any("--table" in action.option_strings for action in parser()._actions):
            having.add(name)
    assert having == {arguments[0] for arguments, _ in TABLES.values()} | LONG


@pytest.mark.quick(6)
@pytest.mark.parametrize("which", TABLES)
def test_the_table_that_is_written_is_the_one_that_is_printed(which, tmp_path, capsys):
    arguments, count = TABLES[which]
    assert main([*arguments, "--table", "table.csv"]) == 0
    printed = capsys.readouterr().out.splitlines()
    parts = (tmp_path / "table.csv").read_text(encoding="utf-8").split("\n\n")
    assert len(parts) == count
    for part in parts:
        for row in list(csv.reader(part.splitlines()))[1:]:
            cells = [cell.removeprefix("'") for cell in row if cell]
            assert any(all(cell in line for cell in cells) for line in printed) or which.startswith("region"), row


@pytest.mark.parametrize("which", ["conditions", "region", "run"])
def test_json_and_latex_have_the_same_rows(which, tmp_path):
    arguments, count = TABLES[which]
    for form in ("csv", "json", "tex"):
        assert main([*arguments, "--table", f"table.{form}"]) == 0
    parts = (tmp_path / "table.csv").read_text(encoding="utf-8").split("\n\n")
    result = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))["tables"]
    latex = (tmp_path / "table.tex").read_text(encoding="utf-8")
    assert len(result) == latex.count(r"\toprule") == count
    for part, table in zip(parts, result, strict=True):
        titles, *rows = csv.reader(part.splitlines())
        assert (titles, len(rows)) == (table["columns"], len(table["rows"]))
    assert latex.count(r" \\") == sum(len(table["rows"]) + 1 for table in result)


def test_checks_are_in_the_table_of_a_verdict_unexplained_too(tmp_path):
    assert main(["conditions", "two-state", "--table", "table.json"]) == 0
    result = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))["tables"]
    assert [table["name"] for table in result] == ["bounds", "checks"]


def test_region_rows_have_exact_ends(tmp_path):
    assert main(["region", "baird", "--table", "table.csv"]) == 0
    _, *rows = csv.reader((tmp_path / "table.csv").read_text(encoding="utf-8").splitlines())
    assert rows[0] == ["[0, 0.022178107)", "0", "root of 4900*t^2 - 1281*t + 26"]
    assert len(rows) == 2


@pytest.mark.parametrize("name", ["table.xlsx", "table"])
def test_another_ending_is_refused_in_one_line_that_lists_these(name, capsys):
    with pytest.raises(SystemExit) as left:
        main(["conditions", "two-state", "--table", name])
    text = capsys.readouterr().err
    assert (left.value.code, text.count("\n")) == (2, 1)
    assert f"--table: {name}: its name ends in none of .csv, .json, .tex" in text


def test_derive_has_a_table_of_its_list_alone(capsys):
    assert main(["derive", "--table", "table.csv"]) == 2
    assert capsys.readouterr().err == "tdrc derive: error: --table: --list alone prints a table\n"
