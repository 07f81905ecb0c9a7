"""A store of outcomes: one SQLite file with a row for every configuration and block of runs."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simulate.work import RunOutcome
from tdrc_theory.cli.files import check_writable, write_new
from tdrc_theory.errors import BadOption, errors_at

SCHEMA = 2
"""2 has the version of each row, and calls `description` what 1 calls `told`; 1 is read too."""
_APPLICATION = 0x54445243  # "TDRC": marks the file as ours
_SQLITE, _HEAD, _VERSION_AT, _MARK_AT = b"SQLite format 3\0", 100, 60, 68
"""How a database begins, and where in its header user_version and application_id are (sqlite.org/fileformat.html)."""
_COLUMNS = ("mean", "m2", "area", "diverged")
_DESCRIBED = len(_COLUMNS) + 3
"""Columns of both schemas: the key before those, the checksum and the description after them."""
_VERSION = "version TEXT NOT NULL DEFAULT ''"
_TYPES = ("<f8", "<f8", "<f8", "<i8")
_PATIENCE = 60.0  # seconds that a run waits for another one that is writing


class NotStored(BadOption):
    """Something that a store lacks, and that is not to be computed."""


class Row(NamedTuple):
    """What is known of a row without its arrays.

    Attributes:
        key, checksum: of the row.
        description: of the configuration and the runs.
        version: by what it was computed (`simulate.work.Work.version`); empty in a row of schema 1.
        size: of its arrays, in bytes.
        intact: whether the checksum is that of the key and the arrays.
    """

    key: bytes
    checksum: bytes
    description: str
    version: str
    size: int
    intact: bool


class Store:
    """Outcomes by key. A killed program loses what it had not stored yet and nothing else; two may share a file.

    A row has one configuration over one block of runs: the arrays of a `RunOutcome` as little-endian 64-bit numbers, a
    checksum of them and the key, by what it was computed, and a description for whoever looks into the file. A store of
    schema 1 becomes one of schema 2, all of it or nothing, unless it is only read.

    Args:
        path: the file, made with the first outcome where there is none; None keeps everything in memory.
        complain: called with one line about a row whose checksum is wrong; the row then counts as missing.
        only_read: for whoever wants what is there and no computing: what is missing is an error, `NotStored`.
        option: what names the file, for errors.

    Raises:
        BadOption: the file cannot be opened or made, or is not such a store.
    """

    def __init__(
        self,
        path: str | Path | None,
        complain: Callable[[str], None] = lambda _: None,
        *,
        only_read: bool = False,
        option: str = "--store",
    ) -> None:
        self._option = option
        self.only_read = only_read
        self._where = "memory" if path is None else " ".join(str(path).splitlines())
        self._complain = complain
        self._path = ":memory:" if path is None else os.path.abspath(path)
        self._opened: sqlite3.Connection | None = None
        if path is not None and not only_read:
            with errors_at(BadOption, self._option):
                check_writable(path)
        if path is None or os.path.exists(self._path):
            self._file()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        if self._opened is not None:
            self._opened.close()

    def get(self, key: bytes) -> RunOutcome | None:
        """Return the outcome of one configuration, arrays one lane wide, or None where it is missing or damaged."""
        if self._opened is None and not os.path.exists(self._path):
            return None
        with self._one_line_errors():
            row = self._file().execute("SELECT * FROM outcomes WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        _, *blobs, checksum, description, _ = self._parts(row)
        if not _intact(key, blobs, checksum):
            self._complain(f"{self._where}: the stored outcome of {description} is damaged; it is computed again")
            return None
        arrays = [np.frombuffer(blob, kind)[:, None] for blob, kind in zip(blobs, _TYPES, strict=True)]
        return RunOutcome(*arrays)

    def put(self, keys: Sequence[bytes], descriptions: Sequence[str], outcome: RunOutcome, version: str) -> None:
        """Store an outcome, a key and a description for each lane: all of it, or, if interrupted, nothing."""
        rows = []
        for lane, (key, text) in enumerate(zip(keys, descriptions, strict=True)):
            columns = zip((array[:, lane] for array in outcome), _TYPES, strict=True)
            blobs = [np.ascontiguousarray(column, kind).tobytes() for column, kind in columns]
            rows.append((key, *blobs, _checksum(key, blobs), text, version))
        with self._one_line_errors(), self._file() as file:
            file.executemany("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def rows(self) -> Iterator[Row]:
        """Yield what is known of each row, in no particular order; all of the file is read."""
        with self._one_line_errors():
            for row in self._file().execute("SELECT * FROM outcomes"):
                key, *blobs, checksum, description, version = self._parts(row)
                size = sum(len(blob) for blob in blobs if isinstance(blob, bytes))
                yield Row(key, checksum, str(description), str(version), size, _intact(key, blobs, checksum))

    def remove(self, rows: Iterable[Row]) -> None:
        """Remove rows, all of them or, if interrupted, none, and make the file smaller.

        A row that another program has replaced since it was read stays.
        """
        with self._one_line_errors(), self._file() as file:
            keys = ((row.key, row.checksum) for row in rows)
            file.executemany("DELETE FROM outcomes WHERE key IS ? AND checksum IS ?", keys)
        try:
            self._file().execute("VACUUM")
        except sqlite3.Error as error:
            self._complain(f"{self._where}: the rows are removed, but the file keeps its size: {error}")

    def _parts(self, row: Sequence[Any]) -> Sequence[Any]:
        """Return the columns of schema 2 of a row of either schema."""
        if len(row) < _DESCRIBED:
            raise self._refusal("the table of outcomes is damaged")
        return [*row, ""][: _DESCRIBED + 1]

    def _file(self) -> sqlite3.Connection:
        """Return the file, opened with the first call."""
        if self._opened is None:
            if self._path != ":memory:":
                self._make_or_check()
            with self._one_line_errors():
                opened = sqlite3.connect(self._path, timeout=_PATIENCE)
                opened.text_factory = lambda data: data.decode(errors="backslashreplace")  # it may be damaged
                if self._path == ":memory:":
                    _lay_out(opened)
                elif not self.only_read:
                    _bring_up(opened)
            self._opened = opened
        return self._opened

    def _make_or_check(self) -> None:
        """Make the file, whole, where there is none; refuse one that is no store.

        Its first bytes are read for that: SQLite, once it has opened a database of another program, may change it.
        """
        with errors_at(BadOption, self._option):
            if not os.path.exists(self._path) and write_new(self._path, _empty()):
                return
        if not os.path.isfile(self._path):
            raise self._refusal("is no file")
        try:
            with open(self._path, "rb" if self.only_read else "r+b") as file:
                head = file.read(_HEAD)
        except OSError as error:
            raise self._refusal(f"cannot be opened: {error.strerror or error}") from None
        version, mark = (int.from_bytes(head[at : at + 4], "big") for at in (_VERSION_AT, _MARK_AT))
        if not head:
            raise self._refusal("is empty; a store is made where there is no file")
        if not head.startswith(_SQLITE) or mark != _APPLICATION:
            raise self._refusal("is not a store of outcomes")
        if not 1 <= version <= SCHEMA:
            raise self._refusal(f"is a store of version {version}; this program reads versions 1 to {SCHEMA}")

    @contextmanager
    def _one_line_errors(self) -> Iterator[None]:
        """Turn an error of SQLite into one line."""
        try:
            yield
        except UnicodeDecodeError:  # an error of SQLite that quotes a damaged schema
            raise self._refusal("the table of outcomes is damaged") from None
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
                raise self._refusal("is not a store of outcomes") from None
            raise self._refusal(str(error)) from None

    def _refusal(self, reason: str) -> BadOption:
        return BadOption(f"{self._option}: {self._where}: {reason}")


def _lay_out(file: sqlite3.Connection) -> None:
    blobs = ", ".join(f"{column} BLOB NOT NULL" for column in (*_COLUMNS, "checksum"))
    with file:
        file.execute(f"CREATE TABLE outcomes (key BLOB PRIMARY KEY, {blobs}, description TEXT NOT NULL, {_VERSION})")
        file.execute(f"PRAGMA application_id = {_APPLICATION}")
        file.execute(f"PRAGMA user_version = {SCHEMA}")


def _bring_up(file: sqlite3.Connection) -> None:
    """Make a store of schema 1 one of schema 2, in one transaction; another program may do so at the same time."""
    (schema,) = file.execute("PRAGMA user_version").fetchone()
    if schema == SCHEMA:
        return
    with file:
        file.execute("BEGIN IMMEDIATE")
        if file.execute("PRAGMA user_version").fetchone() == (1,):
            file.execute("ALTER TABLE outcomes RENAME COLUMN told TO description")
            file.execute(f"ALTER TABLE outcomes ADD COLUMN {_VERSION}")
            file.execute(f"PRAGMA user_version = {SCHEMA}")


def _empty() -> bytes:
    """Return a store without a row, as a file."""
    with contextlib.closing(sqlite3.connect(":memory:")) as file:
        _lay_out(file)
        return file.serialize()


def _intact(key: bytes, blobs: Sequence[bytes], checksum: bytes) -> bool:
    return all(isinstance(blob, bytes) for blob in (key, *blobs)) and checksum == _checksum(key, blobs)


def _checksum(key: bytes, blobs: Sequence[bytes]) -> bytes:
    digest = hashlib.sha256(key)
    for blob in blobs:
        digest.update(len(blob).to_bytes(8, "little") + blob)
    return digest.digest()
