"""The benchmarks run, and what they compare agrees; how fast they are is not tested."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_exact_verdicts_and_float_eigenvalues_agree_on_a_thousand_random_problems():
    script = Path(__file__).with_name("conditions.py")
    done = subprocess.run(
        [sys.executable, str(script), "--problems", "1000", "--pairs", "1"],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert "1000 random problems" in done.stdout
    assert ": 0 disagreements" in done.stdout
    assert "48 features" in done.stdout
    assert "(enclosed)" not in done.stdout
