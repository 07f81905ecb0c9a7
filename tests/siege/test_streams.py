"""Standard streams that are closed, full, or that nobody reads: the exit status is still the answer."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

FEW, ALL = 2, 60

ROOT = Path(__file__).parent.parent.parent
COMMANDS = {
    "conditions two-state": 0,
    "conditions two-state --json": 0,
    "conditions two-state --require convergent": 1,
    "conditions no-such-problem": 2,
    "region two-state": 0,
    "search 'tdrc = convergent, tdrc = not-convergent' --tries 2": 2,
    "--help": 0,
    "--version": 0,
    "conditions --help": 0,
    "nonsense": 2,
}
"""Each with its exit status where no stream is lost."""
LOST = {">/dev/full": 2, ">&-": 2, "| true": None, "2>&-": None, "2>/dev/full": None, "<&-": None}
"""Streams, and the exit status of a command that has something to print; None is as without."""

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")


def test_lost_streams_change_no_answer_and_what_is_not_printed_is_an_error(count, tmp_path):
    (tmp_path / "tdrc").write_text("import sys\nfrom reports.command import main\nsys.exit(main())\n")
    wrong = []
    for (command, status), (stream, lost) in itertools.islice(itertools.product(COMMANDS.items(), LOST.items()), count):
        asked = ["bash", "-c", f"'{sys.executable}' tdrc {command} {stream}; exit ${{PIPESTATUS[0]}}"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=60)
        expected = status if lost is None or status == 2 else lost
        if done.returncode != expected or "Traceback" in done.stderr or done.stderr.count("\n") > 1:
            wrong.append(f"{command} {stream}: {done.returncode}, not {expected}: {done.stderr!r}")
    assert not wrong, "\n".join(wrong)
