"""How many threads the libraries under NumPy use, seen where NumPy is first imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("arguments", "asked", "used"),
    [
        (["-m", "verify.predict", "baird"], None, "1"),
        (["-m", "verify.predict", "baird"], "3", "3"),
        (["-m", "verify.conditions", "baird"], None, "1"),
        (["-m", "reports.build", "baird", "-o", "page.html"], None, "1"),
        (["-m", "simulate.run", "baird"], None, "None"),
        (["-c", "import verify.predict"], None, "None"),
    ],
    ids=["predict", "predict, and the user says 3", "conditions", "build", "another command", "another program"],
)
def test_matrices_take_one_thread_unless_the_user_or_another_program_decides(arguments, asked, used, tmp_path):
    (tmp_path / "numpy.py").write_text("import os\nprint(os.environ.get('OMP_NUM_THREADS'), flush=True)\nos._exit(0)\n")
    environment = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}
    environment["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{ROOT}"
    if asked is not None:
        environment["OMP_NUM_THREADS"] = asked
    ran = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True
    )
    assert ran.stdout.split()[0] == used
