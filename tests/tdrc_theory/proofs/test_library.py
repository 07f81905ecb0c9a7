"""The compiled checker in the user's cache: read back only as it was compiled."""

from __future__ import annotations

import json

import pytest

from tdrc_theory.errors import BadOption
from tdrc_theory.proofs import coq

SOURCES = {"one.v": "Definition one := 1.", "judged_tables.v": "From tdrc Require Import one."}


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(coq, "checker_sources", lambda: SOURCES)
    monkeypatch.setattr(coq, "coq_version", lambda: "any")
    return tmp_path / "cache"


@pytest.fixture
def compiled(cache, monkeypatch):
    """Return the folders that were compiled so far."""
    folders = []

    def compile_sources(folder, sources, tell):
        folders.append(folder)
        for file in sources:
            (folder / file).with_suffix(".vo").write_bytes(b"compiled " + file.encode())
        return {}

    monkeypatch.setattr(coq, "compile_sources", compile_sources)
    return folders


def contents():
    with coq.compiled_checker() as folder:
        return {file.name: file.read_bytes() for file in folder.glob("*.vo")}


def test_the_checker_is_compiled_once_and_kept(cache, compiled):
    first = contents()
    assert first == {"one.vo": b"compiled one.v", "judged_tables.vo": b"compiled judged_tables.v"}
    assert contents() == first
    assert len(compiled) == 1
    assert len(list(cache.iterdir())) == 1


def test_a_checker_that_was_compiled_with_all_sources_is_not_compiled_again(cache, compiled, tmp_path):
    for name in ("one", "judged_tables", "of_no_use_to_it"):
        (tmp_path / f"{name}.vo").write_bytes(f"compiled {name}.v".encode())
    coq.keep_checker(tmp_path)
    assert contents() == {"one.vo": b"compiled one.v", "judged_tables.vo": b"compiled judged_tables.v"}
    assert compiled == []


def plant(kept):
    (kept / "one.vo").write_bytes(b"foreign")


def plant_another(kept):
    (kept / "fractions.vo").write_bytes(b"foreign")


def swap(kept):
    names = [kept / "one.vo", kept / "judged_tables.vo"]
    texts = [name.read_bytes() for name in names]
    for name, text in zip(names, reversed(texts), strict=True):
        name.write_bytes(text)


def remove(kept):
    (kept / "judged_tables.vo").unlink()


def spoil_the_sums(kept):
    (kept / coq.SUMS).write_bytes(b"[" * 100_000)


@pytest.mark.parametrize("damage", [plant, plant_another, swap, remove, spoil_the_sums])
def test_what_is_not_as_it_was_compiled_is_compiled_again(cache, compiled, damage):
    first = contents()
    (kept,) = cache.iterdir()
    damage(kept)
    assert contents() == first
    assert len(compiled) == 2
    assert json.loads((kept / coq.SUMS).read_bytes()).keys() == first.keys()
    assert contents() == first
    assert len(compiled) == 2


def test_a_cache_that_others_can_write_is_not_believed(cache, compiled):
    contents()
    cache.chmod(0o777)
    with pytest.raises(BadOption, match="other users can write into it"):
        contents()
    cache.chmod(0o700)
