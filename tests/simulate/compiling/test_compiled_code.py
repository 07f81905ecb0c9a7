"""Compiled code is kept between processes, survives accidents, and needs no lock."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from simulate.compiling.cache import compiled
from tdrc_theory import TheoryError
from tdrc_theory.cache_folder import cache_folder

TEXT = """
from numba import njit


@njit("float64(float64)", cache=True)
def double(value):
    return 2.0 * value
"""
PROGRAM = f"from simulate.compiling.cache import compiled; print(compiled({TEXT!r}).double(21.0))"


def started(folder):
    environment = {**os.environ, "TDRC_CACHE": str(folder)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-W", "error", "-c", PROGRAM], env=environment, text=True, **pipes)


def test_processes_that_compile_the_same_at_the_same_time_do_not_disturb_each_other(tmp_path):
    folder = tmp_path / "not there yet"
    processes = [started(folder) for _ in range(3)]
    assert [process.communicate(timeout=120) for process in processes] == [("42.0\n", "")] * 3
    assert len(list(folder.glob("*.py"))) == 1
    assert stat.S_IMODE(folder.stat().st_mode) & 0o077 == 0


def test_what_is_kept_is_used_and_what_is_damaged_is_made_again(tmp_path):
    assert started(tmp_path).communicate(timeout=120) == ("42.0\n", "")
    (machine_code,) = tmp_path.rglob("*.nbc")
    written = machine_code.stat().st_mtime_ns
    assert started(tmp_path).communicate(timeout=120) == ("42.0\n", "")
    assert machine_code.stat().st_mtime_ns == written
    for damage in (b"", machine_code.read_bytes()[:-7]):
        machine_code.write_bytes(damage)
        assert started(tmp_path).communicate(timeout=120) == ("42.0\n", "")
    (source,) = tmp_path.glob("*.py")
    source.write_text("raise SystemExit('somebody wrote into the folder')", encoding="utf-8")
    assert started(tmp_path).communicate(timeout=120) == ("42.0\n", "")


def test_a_folder_that_cannot_be_written_is_named_with_the_way_out(tmp_path, monkeypatch):
    file = tmp_path / "a file"
    file.write_text("", encoding="utf-8")
    monkeypatch.setenv("TDRC_CACHE", str(file))
    with pytest.raises(TheoryError, match="TDRC_CACHE") as refused:
        compiled(TEXT + "\n# of its own\n")
    assert "a file" in str(refused.value)


def test_the_folder_is_the_users_cache_unless_another_is_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TDRC_CACHE")
    assert cache_folder() == tmp_path / "tdrc-referee"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == Path(tmp_path) / ".cache" / "tdrc-referee"
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
