"""The benchmarks run, and what they compare agrees; how fast they are is not tested."""

from __future__ import annotations

import csv
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NO_SCRIPTS = {"__main__", "conftest", "quote", "row", "test_benchmarks"}
SCRIPT = """
from row import row
row("a loop", 2.0, "ms", against="a slower loop", baseline=6.0, wanted="ratio above 1")
row("a loop alone", 1 / 3, "s", before="2 s", peak=4096.0)
"""


QUOTING = """
| what | ours | before | memory | baseline | ratio |
|---|---|---|---|---|---|
| a loop | 9 ms | | | a slower loop: 9 ms | 1 |

Measured 2020.
"""


@pytest.fixture
def collector(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    yield runpy.run_path(str(HERE / "__main__.py"))
    for name in ("quote", "row"):
        sys.modules.pop(name)


def table(file):
    with file.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


def ran(collector, monkeypatch, folder, *scripts):
    """Run the collector over scripts of its own."""
    main = collector["main"]
    changed = {
        "HERE": folder,
        "SCRIPTS": ("one", "other"),
        "TABLE": folder / "table.csv",
        "QUOTED": {folder / "README.md": ("a loop alone", "a loop")},
    }
    for name, value in changed.items():
        monkeypatch.setitem(main.__globals__, name, value)
    monkeypatch.setenv("PYTHONPATH", str(HERE), prepend=":")
    (folder / "README.md").write_text(QUOTING, encoding="utf-8")
    return main(scripts)


def test_every_script_of_the_folder_is_run_by_make_bench(collector):
    assert set(collector["SCRIPTS"]) == {file.stem for file in HERE.glob("*.py")} - NO_SCRIPTS


def test_rows_of_all_scripts_are_one_table_and_those_of_scripts_not_run_stay(collector, monkeypatch, tmp_path, capfd):
    (tmp_path / "one.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "other.py").write_text(SCRIPT, encoding="utf-8")
    ran(collector, monkeypatch, tmp_path)
    rows = table(tmp_path / "table.csv")
    assert [(row["benchmark"], row["what"], row["ratio"]) for row in rows] == [
        ("one", "a loop", "3"),
        ("one", "a loop alone", ""),
        ("other", "a loop", "3"),
        ("other", "a loop alone", ""),
    ]
    assert rows[1]["ours"] == "0.333"
    assert all(row["date"] and "numpy" in row["machine"] for row in rows)
    assert rows[1]["memory"] == "4100 MiB"
    told = re.search(r"a loop: 2 ms; a slower loop 6 ms, 3 times ours; (\S+ MiB) \(wanted", capfd.readouterr().out)
    assert told[1] == rows[0]["memory"]
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    alone, each = (
        "| a loop alone | 0.333 s | 2 s | 4100 MiB |  |  |",
        f"| a loop | 2 ms |  | {told[1]} | a slower loop: 6 ms | 3 |",
    )
    assert f"|---|\n{alone}\n{alone}\n{each}\n" in text
    assert f"\nMeasured {rows[0]['date']} on {rows[0]['machine']}.\n" in text
    (tmp_path / "one.py").write_text(SCRIPT.replace("6.0", "8.0"), encoding="utf-8")
    ran(collector, monkeypatch, tmp_path, "one")
    assert [row["ratio"] for row in table(tmp_path / "table.csv")] == ["4", "", "3", ""]


@pytest.mark.parametrize("failing", ["from row import row; row('half of it', 1.0, 's'); raise SystemExit(1)", "pass"])
def test_a_script_that_fails_or_tells_nothing_keeps_its_rows_and_costs_the_others_nothing(
    collector, monkeypatch, tmp_path, capfd, failing
):
    for name in ("one", "other"):
        (tmp_path / f"{name}.py").write_text(SCRIPT, encoding="utf-8")
    assert ran(collector, monkeypatch, tmp_path) == 0
    before = table(tmp_path / "table.csv")
    (tmp_path / "one.py").write_text(failing, encoding="utf-8")
    (tmp_path / "other.py").write_text(SCRIPT.replace("6.0", "8.0"), encoding="utf-8")
    assert ran(collector, monkeypatch, tmp_path) == 1
    after = table(tmp_path / "table.csv")
    assert [row["ratio"] for row in after] == ["3", "", "4", ""]
    assert after[:2] == before[:2]
    assert "one failed, or told of nothing; its rows are as they were" in capfd.readouterr().err


def test_what_was_measured_before_an_interrupt_is_stored(collector, monkeypatch, tmp_path):
    (tmp_path / "one.py").write_text(SCRIPT, encoding="utf-8")
    measured = collector["measured"]

    def interrupted(script):
        if script == "other":
            raise KeyboardInterrupt
        return measured(script)

    monkeypatch.setitem(collector["main"].__globals__, "measured", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ran(collector, monkeypatch, tmp_path)
    assert [row["benchmark"] for row in table(tmp_path / "table.csv")] == ["one", "one"]


def test_readmes_quote_the_stored_table_as_it_is(collector):
    for path, names in collector["QUOTED"].items():
        text = path.read_text(encoding="utf-8")
        assert "\n| what | ours | before | memory | baseline | ratio |\n" in text
        changed = set(text.splitlines()) ^ set(collector["requoted"](text, collector["kept"](), names).splitlines())
        assert changed == set(), f"{path} is behind reports/benchmarks.csv: run `python tests/benchmarks --quote`"


def test_a_readme_behind_the_table_is_brought_up_to_date_without_measuring(collector, monkeypatch, tmp_path):
    (tmp_path / "one.py").write_text(SCRIPT, encoding="utf-8")
    ran(collector, monkeypatch, tmp_path, "one")
    stored = (tmp_path / "table.csv").read_text(encoding="utf-8")
    assert ran(collector, monkeypatch, tmp_path, "--quote") == 0
    assert "| a slower loop: 6 ms | 3 |" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert (tmp_path / "table.csv").read_text(encoding="utf-8") == stored


def test_no_two_rows_of_the_stored_table_are_about_the_same(collector):
    names = [(row["benchmark"], row["what"], row["against"]) for row in collector["kept"]()]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_exact_verdicts_and_float_eigenvalues_agree_on_a_thousand_random_problems():
    done = subprocess.run(
        [sys.executable, str(HERE / "conditions.py"), "--problems", "1000", "--pairs", "1"],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert "1000 random problems" in done.stdout
    assert ": 0 disagreements" in done.stdout
    assert "48 features" in done.stdout
    assert "(enclosed)" not in done.stdout
