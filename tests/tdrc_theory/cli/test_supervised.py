"""A command ends when it is to, even inside one call of a C library: one line, and an exit status that says why."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ENDLESS = "flint.fmpz(2**11213 - 1).is_prime()"
"""One call that takes hours, and acts on no signal."""
SCRIPT = """
import os, sys, flint
from tdrc_theory.cli import supervised
from tdrc_theory.cli.command import run

def main(_):
    print("begun", flush=True)
    exec(sys.argv[1])
    return 0

supervised.PATIENCE = 0.2
sys.exit(run(main, "tdrc long"))
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a command runs in the process itself")


@pytest.fixture
def start(tmp_path):
    """Return what starts a command that runs some Python, and waits until it has begun."""
    (tmp_path / "tdrc").write_text(SCRIPT)
    begun = []

    def start(code):
        process = subprocess.Popen(
            [sys.executable, "tdrc", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        begun.append(process)
        assert process.stdout.readline() == "begun\n"
        return process

    yield start
    for process in begun:
        process.kill()
        process.communicate()


def outcome(process):
    """Return exit status, output and error lines; the output ends only when the child has ended too."""
    output, error = process.communicate(timeout=50)
    return process.returncode, output, error


def test_an_interrupt_ends_a_call_that_acts_on_no_signal(start):
    process = start(ENDLESS)
    process.send_signal(signal.SIGINT)
    assert outcome(process) == (130, "", "tdrc long: interrupted\n")


@pytest.mark.parametrize("ended_by", [signal.SIGKILL, signal.SIGTERM])
def test_the_computation_ends_with_the_process_that_was_started(start, ended_by):
    process = start(ENDLESS)
    process.send_signal(ended_by)
    assert outcome(process) == (-ended_by, "", "")


@pytest.mark.parametrize("work", [ENDLESS, "while True: pass"])
@pytest.mark.parametrize(
    ("answer", "printed"),
    [
        ("", (2, "", "tdrc long: error: --limit-seconds 0.1: not done by then\n")),
        ("supervised.at_limit('undecided', 1); ", (1, "undecided\n", "")),
    ],
)
def test_a_time_limit_ends_it_with_an_error_line_or_with_the_answer_that_was_left(start, work, answer, printed):
    assert outcome(start(f"supervised.begin_limit(0.1)\n{answer}\n{work}")) == printed


def test_what_is_done_before_its_limit_is_as_without_one(start):
    assert outcome(start("supervised.begin_limit(1000); supervised.at_limit('undecided', 1)")) == (0, "", "")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("os.abort()", "the computation was ended by SIGABRT, perhaps for lack of memory; a smaller problem may do"),
        ("bytearray(1 << 60)", "out of memory; a smaller problem may do"),
        ("raise OSError(28, 'full', '/kept')", "/kept: full"),
    ],
)
def test_too_little_memory_or_disk_is_one_line(start, code, reason):
    assert outcome(start(code)) == (2, "", f"tdrc long: error: {reason}\n")
