"""An interrupt before a command has begun, and while its processes start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tdrc_theory.cli.workers import _Context, process_pool

ROOT = Path(__file__).parents[3]
INTERRUPTS_ITSELF = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n"


@pytest.fixture
def start(tmp_path):
    """Return what runs Python with a flint in whose import an interrupt comes."""
    (tmp_path / "flint.py").write_text(INTERRUPTS_ITSELF)
    (tmp_path / "tdrc").write_text("import sys\nfrom reports.command import main\nsys.exit(main())\n")

    def start(*arguments):
        environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
        texts = [sys.executable, *arguments]
        ran = subprocess.run(texts, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=50)
        return ran.returncode, ran.stderr

    return start


@pytest.mark.parametrize("package", ["verify.conditions", "simulate.run", "reports.build", "tdrc_theory.derive"])
def test_an_interrupt_amid_a_commands_imports_is_one_line_and_exit_status_130(start, package):
    assert start("-m", package, "two-state") == (130, f"python -m {package}: interrupted\n")


def test_so_it_is_under_the_name_for_all(start):
    assert start("tdrc", "conditions", "two-state") == (130, "tdrc: interrupted\n")


def test_a_program_that_imports_a_package_is_interrupted_as_it_would_be_without(start):
    status, text = start("-c", "try:\n import verify\nexcept KeyboardInterrupt:\n raise SystemExit(7)")
    assert (status, text) == (7, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no mask of signals")
def test_a_process_is_deaf_to_interrupts_from_its_start_on_and_what_it_starts_is_not():
    blocked = "signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])"
    started = _Context().Process(target=exec, args=(f"import os, signal; os._exit(40 + ({blocked}))",))
    started.start()
    started.join()
    assert started.exitcode == 41
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with process_pool(1) as pool:
        signal_there = "__import__('signal')"
        assert pool.submit(eval, f"{signal_there}.getsignal(2) == {signal_there}.SIG_IGN").result()
        assert not pool.submit(eval, blocked.replace("signal.", f"{signal_there}.")).result()
