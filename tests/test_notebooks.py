"""The notebooks run from the first cell to the last, and show what stands in them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
NEEDS = {"gymnasium_table_with_own_features": "gymnasium", "logged_data_of_mountain_car": "gymnasium"}


def test_there_is_a_notebook_for_each_way_to_bring_a_problem():
    assert set(NAMES) == {"chain_from_arrays", *NEEDS}


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_what_its_cells_print(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    done = subprocess.run(
        [sys.executable, "docs/notebooks/run.py", "--check", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_of_the_published_format(name):
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert {cell["cell_type"] for cell in notebook["cells"]} == {"markdown", "code"}
    assert any("image/svg+xml" in out.get("data", {}) for cell in notebook["cells"] for out in cell.get("outputs", []))


def test_a_notebook_that_shows_something_else_is_found_out(tmp_path):
    script = tmp_path / "run.py"
    script.write_text((FOLDER / "run.py").read_text(encoding="utf-8"), encoding="utf-8")
    shown = {"output_type": "stream", "name": "stdout", "text": ["2\n"]}
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": ["print(1)"], "outputs": [shown]}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    (tmp_path / "one.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    for arguments, status in ((["--check"], 1), ([], 0), (["--check"], 0)):
        assert (
            subprocess.run([sys.executable, script, *arguments], check=False, capture_output=True).returncode == status
        )
