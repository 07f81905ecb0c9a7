"""The benchmarks run, and what they compare agrees; how fast they are is not tested."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NO_SCRIPTS = {"__main__", "conftest", "quote", "row", "test_benchmarks"}


@pytest.fixture
def collector(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    yield runpy.run_path(str(HERE / "__main__.py"))
    for name in ("quote", "row"):
        sys.modules.pop(name)


def test_every_script_of_the_folder_is_run_by_make_bench(collector):
    assert set(collector["SCRIPTS"]) == {file.stem for file in HERE.glob("*.py")} - NO_SCRIPTS


def test_readmes_quote_the_stored_table_as_it_is(collector):
    for path, names in collector["QUOTED"].items():
        text = path.read_text(encoding="utf-8")
        assert "\n| what | ours | before | memory | baseline | ratio |\n" in text
        changed = set(text.splitlines()) ^ set(collector["requoted"](text, collector["kept"](), names).splitlines())
        assert changed == set(), f"{path} is behind reports/benchmarks.csv: run `python tests/benchmarks --quote`"


def test_no_two_rows_of_the_stored_table_are_about_the_same(collector):
    names = [(row["benchmark"], row["what"], row["against"]) for row in collector["kept"]()]
    assert len(set(names)) == len(names)


SHORT = [
    ("kernels", "--rounds 1 --steps 500"),
    ("traces", "--rounds 1 --steps 500"),
    ("control", "--rounds 1 --steps 5"),
    ("pictures", "--rounds 1"),
    ("scale", "--features 20 --states 1000"),
    ("processes", "--only Taxi"),
]


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("cc") is None, reason="baselines in C need a compiler")
@pytest.mark.parametrize(("script", "options"), SHORT)
def test_a_short_run_of_a_script_agrees_with_its_baselines(script, options):
    command = [sys.executable, str(HERE / f"{script}.py"), *options.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


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
