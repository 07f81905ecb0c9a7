"""What a store holds, an older one, and `tdrc store`."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import numpy as np
import pytest

from reports.command import main
from simulate.store import Store
from simulate.work import RunOutcome, versions
from tdrc_theory.errors import BadOption

HERE = ", ".join(["prediction 1", *versions("llvmlite", "numpy")])
OLD = "prediction 1, llvmlite 0.1, numpy 2.0.0"
VERSIONS = {b"here": HERE, b"old": OLD, b"foreign": "prediction 1, no-such-package 3", b"later": "kernels 9", b"no": ""}


def outcome(value):
    return RunOutcome(
        np.full((3, 1), value), np.zeros((3, 1)), np.full((2, 1), value), np.full((2, 1), -1, dtype=np.int64)
    )


@pytest.fixture
def path(tmp_path):
    """Return a store with a row for each of VERSIONS."""
    with Store(tmp_path / "s") as store:
        for number, (key, version) in enumerate(VERSIONS.items()):
            store.put([key], [f"walk, tdrc, number {number}"], outcome(float(number)), version)
    return tmp_path / "s"


def change(path, *statements):
    with closing(sqlite3.connect(path)) as file, file:
        for statement in statements:
            file.execute(statement)


def make_older(path):
    """Make it a store as versions of schema 1 wrote it."""
    change(
        path,
        "ALTER TABLE outcomes DROP COLUMN version",
        "ALTER TABLE outcomes RENAME COLUMN description TO told",
        "PRAGMA user_version = 1",
    )


def held(path):
    with Store(path, only_read=True) as store:
        return {row.key: row for row in store.rows()}


def test_an_older_store_is_read_as_it_is_and_brought_up_when_it_is_written(path):
    make_older(path)
    before = path.read_bytes()
    assert {row.version for row in held(path).values()} == {""}
    with Store(path, only_read=True) as store:
        assert store.get(b"old").mean[0, 0] == 1.0
    assert path.read_bytes() == before
    with Store(path) as first, Store(path) as second:
        first.put([b"new"], ["walk"], outcome(7.0), HERE)
        assert second.get(b"new").mean[0, 0] == 7.0
        assert second.get(b"later").mean[0, 0] == 3.0
    rows = held(path)
    assert {key: row.version for key, row in rows.items()} == dict.fromkeys(VERSIONS, "") | {b"new": HERE}
    assert rows[b"old"].description == "walk, tdrc, number 1"
    assert all(row.intact for row in rows.values())


def test_an_older_store_that_cannot_be_brought_up_stays_as_it_is(path):
    make_older(path)
    change(path, "ALTER TABLE outcomes ADD COLUMN version TEXT")  # so that the second change fails, after the first
    before = path.read_bytes()
    with pytest.raises(BadOption, match=r"^--store: .*: duplicate column name: version$"):
        Store(path)
    assert path.read_bytes() == before


def test_what_stands_under_anothers_key_is_not_served(path):
    change(
        path,
        "UPDATE outcomes SET key = x'00' WHERE key = CAST('here' AS BLOB)",
        "UPDATE outcomes SET key = CAST('here' AS BLOB) WHERE key = CAST('old' AS BLOB)",
        "UPDATE outcomes SET key = CAST('old' AS BLOB) WHERE key = x'00'",
        "UPDATE outcomes SET (mean, m2, area, diverged, checksum) = (SELECT mean, m2, area, diverged, checksum "
        "FROM outcomes WHERE key = CAST('later' AS BLOB)) WHERE key = CAST('no' AS BLOB)",
    )
    complaints = []
    with Store(path, complaints.append) as store:
        assert [store.get(key) is None for key in VERSIONS] == [True, True, False, False, True]
    assert len(complaints) == 3
    assert [row.intact for row in (held(path)[key] for key in VERSIONS)] == [False, False, True, True, False]


def test_pruning_removes_what_is_damaged_or_of_other_versions_and_nothing_else(path, capsys):
    change(path, "UPDATE outcomes SET area = x'00' WHERE key = CAST('later' AS BLOB)")
    assert main(["store", str(path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["store"]
    assert {(group["version"], group["use"], group["damaged"]) for group in shown["groups"]} == {
        (HERE, "current", 0),
        (OLD, "outdated", 0),
        (VERSIONS[b"foreign"], "unknown", 0),
        (VERSIONS[b"later"], "unknown", 1),
        (None, "unknown", 0),
    }
    assert main(["store", str(path), "--prune"]) == 0
    assert capsys.readouterr().out.startswith(f"2 rows removed\n{path}: 3 rows, ")
    assert set(held(path)) == {b"here", b"foreign", b"no"}
    before = path.read_bytes()
    assert main(["store", str(path), "--prune"]) == 0
    assert path.read_bytes() == before


def test_a_row_that_was_computed_anew_meanwhile_is_not_removed(path):
    with Store(path) as store:
        rows = [row for row in store.rows() if row.key == b"old"]
        with Store(path) as other:
            other.put([b"old"], ["walk"], outcome(9.0), HERE)
        store.remove(rows)
        assert store.get(b"old").mean[0, 0] == 9.0


def test_kernels_of_other_versions_are_removed_and_other_files_are_not(tmp_path, monkeypatch, capsys):
    from simulate.compiling.cache import compiled, compiled_by

    monkeypatch.setenv("TDRC_CACHE", str(tmp_path))
    compiled("def nothing():\n    return\n", "nothing", ())
    (current,) = tmp_path.iterdir()
    assert current.read_bytes().startswith(compiled_by())
    old, foreign = (tmp_path / f"kernel_{digit * 32}.o" for digit in "01")
    old.write_bytes(compiled_by().rstrip() + b"1\ncode")  # 0.50.01 is not 0.50.0
    foreign.write_bytes(b"mine")
    assert main(["store", "--kernels", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["kernels"]
    assert (shown["kernels"], shown["outdated"], shown["removed"]) == (2, 1, 0)
    assert main(["store", "--kernels", "--prune"]) == 0
    assert "1 compiled kernel, " in capsys.readouterr().out
    assert [path.exists() for path in (current, old, foreign)] == [True, False, True]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "FILE: give a store, or --kernels, or both"),
        (["--prune"], "FILE: give a store, or --kernels, or both"),
        (["nowhere"], "FILE: nowhere: there is no such file"),
        (["nowhere", "--prune"], "FILE: nowhere: there is no such file"),
    ],
)
def test_what_names_no_store_is_one_line(arguments, reason, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["store", *arguments]) == 2
    assert capsys.readouterr().err == f"tdrc store: error: {reason}\n"
    assert list(tmp_path.iterdir()) == []
