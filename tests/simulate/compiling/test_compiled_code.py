"""Compiled code is kept between processes, survives accidents, and needs no lock."""

from __future__ import annotations

import gc
import hashlib
import inspect
import os
import random
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from simulate.compiling import cache
from simulate.compiling.cache import compiled, compiled_by, source_text
from simulate.compiling.machine_code import machine_code
from simulate.environment import SecondSampler
from tdrc_theory import TheoryError
from tdrc_theory.cli.cache_folder import cache_folder
from tdrc_theory.errors import BadOption

TEXT = """
def double(value):
    return 2.0 * value
"""
DOUBLE = TEXT, "double", ("float",)
DAMAGES = f"""
import sys
from pathlib import Path
from simulate.compiling import cache

for line in sys.stdin:
    name, place, bit = line.split()
    file = Path(name)
    content = bytearray(file.read_bytes())
    at = int(place) % len(content)
    content[at] ^= 1 << int(bit)
    file.write_bytes(content)
    cache._function.cache_clear()
    print(file.suffix, at, bit, cache.compiled(*{DOUBLE!r})(21.0), file.read_bytes() == content, flush=True)
"""
PROGRAM = f"from simulate.compiling.cache import compiled; print(compiled(*{DOUBLE!r})(21.0))"


def started(folder, program=PROGRAM, **variables):
    environment = {**os.environ, "TDRC_CACHE": str(folder), **variables}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-W", "error", "-c", program], env=environment, text=True, **pipes)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Return what reads the entry in this process, as the first to ask for it; it is compiled there already."""
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path))

    def here():
        cache._function.cache_clear()
        return compiled(*DOUBLE)(21.0)

    assert here() == 42.0
    return here


def kept_file(folder):
    """Return the file of the one entry."""
    (file,) = (path for path in folder.rglob("*") if path.is_file())
    return file


@pytest.mark.thorough
def test_processes_that_compile_the_same_at_the_same_time_do_not_disturb_each_other(tmp_path):
    folder = tmp_path / "not there yet"
    processes = [started(folder) for _ in range(3)]
    assert [process.communicate(timeout=120) for process in processes] == [("42.0\n", "")] * 3
    assert len(list(folder.iterdir())) == 1
    assert stat.S_IMODE(folder.stat().st_mode) & 0o077 == 0


def test_what_is_kept_is_used_and_what_is_damaged_is_made_again(tmp_path, here):
    file = kept_file(tmp_path)
    whole, written = file.read_bytes(), file.stat().st_mtime_ns
    assert started(tmp_path).communicate(timeout=120) == ("42.0\n", "")
    assert file.stat().st_mtime_ns == written
    for damage in (b"", whole[:-7], whole.replace(b"llvmlite", b"llvmlita"), whole.split(b"\n", 1)[1]):
        file.write_bytes(damage)
        assert here() == 42.0
        assert file.read_bytes() == whole


@pytest.mark.parametrize("flips", [20, pytest.param(400, marks=pytest.mark.slow)])
def test_no_flipped_bit_of_the_kept_file_is_ever_run(tmp_path, flips):
    assert started(tmp_path).communicate(timeout=120) == ("42.0\n", "")
    places, file = random.Random(flips), kept_file(tmp_path)
    damages = [f"{file} {places.randrange(10**9)} {places.randrange(8)}\n" for _ in range(flips)]
    process = started(tmp_path, DAMAGES)
    out, err = process.communicate("".join(damages), timeout=1200)
    assert (process.returncode, err) == (0, ""), (out.splitlines()[-1:], len(damages))
    outcomes = [line.split() for line in out.splitlines()]
    assert len(outcomes) == len(damages)
    assert {(value, stays) for *_, value, stays in outcomes} == {("42.0", "False")}


def test_code_that_somebody_else_left_is_not_run(tmp_path, here):
    file = kept_file(tmp_path)
    other = machine_code("def double(value):\n    return 3.0 * value\n", *DOUBLE[1:])
    head, digest = compiled_by(), hashlib.sha256(other).digest()
    file.write_bytes(head + digest + other)
    assert here() == 63.0  # whoever can write here can have anything run, so that the folder has to be this user's own
    file.write_bytes(head + digest[::-1] + other)
    assert here() == 42.0


def test_code_of_other_sources_of_the_compiler_is_not_run(tmp_path, here, monkeypatch):
    kept = kept_file(tmp_path)
    kept.unlink()
    monkeypatch.setattr("simulate.compiling.machine_code.source_hash", lambda folder: f"{len(str(folder)):064d}")
    assert here() == 42.0
    assert kept_file(tmp_path).name != kept.name


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no modes here")
def test_a_folder_into_which_others_can_write_is_refused_with_the_way_out(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o720)
    monkeypatch.setenv("TDRC_CACHE", str(folder))
    with pytest.raises(
        BadOption, match=rf"{folder}: .*other users can write into it \(mode 720\).*; remove it, or set"
    ):
        compiled(TEXT + "\n# of its own\n", *DOUBLE[1:])
    assert not list(folder.rglob("*.*"))
    folder.chmod(0o700)
    assert compiled(TEXT + "\n# of its own\n", *DOUBLE[1:])(21.0) == 42.0


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owners here")
def test_a_folder_of_another_user_is_refused(tmp_path, monkeypatch):
    own = os.getuid()
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path))
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    with pytest.raises(BadOption, match=rf"belongs to another user \(uid {own}\)"):
        compiled(TEXT + "\n# of another\n", *DOUBLE[1:])


def test_a_folder_that_cannot_be_written_is_named_with_the_way_out(tmp_path, monkeypatch):
    file = tmp_path / "a file"
    file.write_text("", encoding="utf-8")
    monkeypatch.setenv("TDRC_CACHE", str(file))
    with pytest.raises(TheoryError, match="TDRC_CACHE") as refused:
        compiled(TEXT + "\n# of its own\n", *DOUBLE[1:])
    assert "a file" in str(refused.value)


def test_a_folder_that_can_only_be_read_is_named_and_no_other_is_used_in_its_place(tmp_path, monkeypatch):
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "users"))

    def refuse(*_, **__):  # root can write everywhere but on a file system of that kind
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(
        BadOption, match=r"own: compiled code cannot be kept there \(.*Permission denied.*set TDRC_CACHE"
    ):
        compiled(TEXT + "\n# read only\n", *DOUBLE[1:])
    assert not list(tmp_path.rglob("*.*"))


def test_the_folder_is_the_users_cache_unless_another_is_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TDRC_CACHE")
    assert cache_folder() == tmp_path / "tdrc-referee"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == Path(tmp_path) / ".cache" / "tdrc-referee"
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"


def test_threads_read_the_source_of_a_class_one_at_a_time():
    def read(depth):
        return read(depth - 1) if depth else source_text.__wrapped__(SecondSampler)

    def pause(phase, info):  # the collector runs code of Python, and so other threads, in the middle of a parse
        time.sleep(1e-4)

    threshold = gc.get_threshold()
    gc.set_threshold(100)
    gc.callbacks.append(pause)
    try:
        with ThreadPoolExecutor(4) as threads:
            sources = set(threads.map(read, [n % 7 for n in range(60)]))
    finally:
        gc.callbacks.remove(pause)
        gc.set_threshold(*threshold)
    assert sources == {inspect.getsource(SecondSampler)}
