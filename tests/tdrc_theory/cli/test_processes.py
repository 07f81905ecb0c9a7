"""A computation within a limit of time gives what it gives, fails as it fails, or is ended; workers say why not."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import subprocess
import sys
import threading
import time

import pytest

from tdrc_theory.cli.workers import process_pool, within
from tdrc_theory.errors import BadOption
from tdrc_theory.papers.claim import BadClaim

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no fork")


def refused(_):
    raise BadClaim("no statement")


def test_what_is_done_in_time_is_returned_and_an_error_is_raised_here():
    assert within(1000, divmod_of, (17, 5)) == (3, 2)
    with pytest.raises(BadClaim, match="no statement"):
        within(1000, refused, None)


def divmod_of(pair):
    return divmod(*pair)


def test_what_takes_longer_is_ended(tmp_path):
    def slow(path):
        path.write_text(str(os.getpid()))
        time.sleep(1000)

    with pytest.raises(TimeoutError):
        within(0.5, slow, tmp_path / "pid")
    if (tmp_path / "pid").exists():
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "pid").read_text()), 0)


def test_a_computation_that_crashes_is_one_line():
    with pytest.raises(BadOption, match="ended by itself, perhaps for lack of memory"):
        within(1000, os._exit, 3)


def test_a_script_whose_workers_would_start_workers_is_told_what_it_lacks(tmp_path):
    script = tmp_path / "script.py"
    lines = (
        "from tdrc_theory.cli.workers import process_pool",
        "with process_pool(1) as pool:",
        "    pool.submit(abs, 1).result()",
    )
    script.write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    needed = 'no worker process could start; scripts call this under `if __name__ == "__main__":`'
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith(needed)


@pytest.mark.parametrize("early", [False, True])
def test_nothing_of_a_pool_is_left_after_its_block(early):
    before = threading.active_count(), set(multiprocessing.active_children())
    with contextlib.suppress(KeyError), process_pool(2) as pool:
        assert pool.submit(abs, -1).result() == 1
        if early:
            pool.submit(time.sleep, 1000)
            raise KeyError
        pool.submit(abs, -2)
    assert (threading.active_count(), set(multiprocessing.active_children())) == before
