"""Files of transitions, read a piece at a time: .npz, .csv and .parquet."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np

from tdrc_theory.cli.extras import importing
from tdrc_theory.errors import BadData
from verify.data.transitions import NUMBERS, VECTORS, Columns, Source, check_columns, check_lengths

SUFFIXES = (".npz", ".csv", ".parquet")
_MISNAMED = dict.fromkeys(("done", "dones", "terminal", "terminals", "terminations", "is_terminal"), "terminated")
_MISNAMED |= dict.fromkeys(("truncations", "timeout", "timeouts"), "truncated")
"""Names of others for ends of episodes; if they were not read, values of what follows would be counted."""


def open_file(path: str | Path) -> Source:
    """Return a file's transitions, by its suffix.

    Raises:
        BadData: it cannot be read, its suffix is none of `SUFFIXES`, or it lacks a column.
        MissingExtra: it is a .parquet, and pyarrow is not installed.
    """
    name, suffix = " ".join(str(path).splitlines()), Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise BadData(f"{name}: its name ends in {suffix or 'no suffix'}; allowed: {', '.join(SUFFIXES)}")
    with _readable(name):
        readers: dict[str, Callable[[Path, str], Source]] = {".npz": NpzFile, ".csv": CsvFile, ".parquet": ParquetFile}
        source = readers[suffix](Path(path), name)
    check_columns(name, source.columns)
    for key in source.ignored:
        if key in _MISNAMED:
            both = "terminated (no value follows: x_next counts as 0) or truncated (x_next counts)"
            raise BadData(
                f"{name}: column {key}: an episode's end is called {both}; here {_MISNAMED[key]}, or rename it"
            )
    return source


@contextmanager
def _readable(name: str, *besides: type[Exception]) -> Iterator[None]:
    """Turn what a file that cannot be read raises into one line."""
    kinds: tuple[type[Exception], ...] = (OSError, zipfile.BadZipFile, UnicodeDecodeError, EOFError, *besides)
    try:
        yield
    except kinds as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or " ".join(str(error).split())
        raise BadData(f"{name}: cannot be read: {reason}") from None


class NpzFile:
    """Arrays by name, whether or not they are compressed; pickled ones are refused."""

    def __init__(self, path: Path, name: str) -> None:
        """Read the headers."""
        self.path, self.name = path, name
        with zipfile.ZipFile(path) as archive:
            there = [entry.removesuffix(".npy") for entry in archive.namelist()]
            self.columns = tuple(name for name in there if name in (*VECTORS, *NUMBERS))
            self.ignored = tuple(name for name in there if name not in self.columns)
            check_columns(name, self.columns)
            shapes = {}
            for key in self.columns:
                with archive.open(f"{key}.npy") as file:
                    shapes[key] = _npy_header(file, name, key)[0]
        check_lengths(name, shapes)
        self.rows = shapes["reward"][0]

    def chunks(self, rows: int) -> Iterator[Columns]:
        """Read so many rows of each array."""
        with _readable(self.name), zipfile.ZipFile(self.path) as archive, ExitStack() as stack:
            opened = {key: stack.enter_context(archive.open(f"{key}.npy")) for key in self.columns}
            pieces = {key: _npy_rows(file, self.name, key, rows) for key, file in opened.items()}
            for _ in range(0, self.rows, rows):
                yield {key: next(piece) for key, piece in pieces.items()}


def _npy_header(file: IO[bytes], name: str, key: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return shape, whether it is in Fortran's order, and type of an array, and leave the file at its first byte."""
    try:
        is_first = np.lib.format.read_magic(file) == (1, 0)
        read = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
        shape, fortran, kind = read(file)
    except ValueError as error:
        raise BadData(f"{name}: array {key} cannot be read: {' '.join(str(error).split())}") from None
    if kind.hasobject:
        raise BadData(f"{name}: array {key} is pickled, and loading it would run code; allowed: arrays of numbers")
    return shape, fortran, kind


def _npy_rows(file: IO[bytes], name: str, key: str, rows: int) -> Iterator[np.ndarray]:
    shape, fortran, kind = _npy_header(file, name, key)
    width = int(np.prod(shape[1:], dtype=np.int64)) * kind.itemsize
    if fortran and len(shape) > 1:  # its columns stand one after the other, so that no part of it is some rows
        whole = np.frombuffer(file.read(), dtype=kind).reshape(shape[::-1]).T
        yield from (whole[first : first + rows] for first in range(0, shape[0], rows))
        return
    for first in range(0, shape[0], rows):
        count = min(rows, shape[0] - first)
        data = file.read(count * width)
        if len(data) < count * width:
            raise BadData(f"{name}: array {key} ends before row {first + count}")
        yield np.frombuffer(data, dtype=kind).reshape(count, *shape[1:])


class CsvFile:
    """A table with a line of names: x_0, x_1, ... and x_next_0, ... for vectors; True and False are 1 and 0."""

    def __init__(self, path: Path, name: str) -> None:
        """Read the names, and count the lines."""
        self.path, self.name = path, name
        with path.open(encoding="utf-8-sig") as file:
            header = [text.strip().strip('"') for text in file.readline().split(",")]
        self._places, self.ignored = _places(header, name)
        self.columns = tuple(self._places)
        with path.open("rb") as binary:
            self.rows = max(1, sum(block.count(b"\n") for block in iter(lambda: binary.read(1 << 20), b"")) - 1)
        self._header = header

    def chunks(self, rows: int) -> Iterator[Columns]:
        """Read so many lines at a time."""
        used = sorted({place for places in self._places.values() for place in places})
        columns = {key: [used.index(place) for place in places] for key, places in self._places.items()}
        with _readable(self.name), self.path.open(encoding="utf-8-sig") as file:
            file.readline()
            first = 0
            filled = (line for line in file if line.strip())
            while lines := list(islice(filled, rows)):
                table = self._table(lines, used, first)
                yield {
                    key: table[:, places] if key in VECTORS else table[:, places[0]] for key, places in columns.items()
                }
                first += len(lines)

    def _table(self, lines: list[str], used: list[int], first: int) -> np.ndarray:
        plain = [line.replace("True", "1").replace("False", "0") for line in lines]
        try:
            return np.loadtxt(plain, delimiter=",", ndmin=2, usecols=used, comments=None, quotechar='"')
        except ValueError:
            self._explain(plain, used, first)
            raise BadData(f"{self.name}: from row {first}: is no table of numbers") from None

    def _explain(self, lines: Iterable[str], used: list[int], first: int) -> None:
        """Raise what is wrong with the first line that is."""
        for row, line in enumerate(lines, start=first):
            cells = [text.strip().strip('"') for text in line.rstrip("\r\n").split(",")]
            for place in used:
                column = self._header[place]
                if place >= len(cells):
                    raise BadData(f"{self.name}: column {column}, row {row}: the line has {len(cells)} cells only")
                try:
                    float(cells[place])
                except ValueError:
                    got = f"{cells[place]!r}" if cells[place] else "nothing"
                    raise BadData(f"{self.name}: column {column}, row {row}: {got} is no number") from None


class ParquetFile:
    """A table whose vectors are lists of one length, or columns x_0, x_1, ..."""

    def __init__(self, path: Path, name: str) -> None:
        """Read the schema."""
        with importing("a .parquet file needs", "pyarrow", "parquet"):
            import pyarrow
            import pyarrow.parquet
        self.path, self.name = path, name
        with _readable(name, pyarrow.ArrowException):
            file = pyarrow.parquet.ParquetFile(path)
        self._header = list(file.schema_arrow.names)
        self._places, self.ignored = _places(self._header, name)
        self.columns = tuple(self._places)
        self.rows = file.metadata.num_rows

    def chunks(self, rows: int) -> Iterator[Columns]:
        """Read so many rows at a time."""
        import pyarrow
        import pyarrow.parquet

        names = [self._header[place] for places in self._places.values() for place in places]
        first = 0
        with _readable(self.name, pyarrow.ArrowException):
            for batch in pyarrow.parquet.ParquetFile(self.path).iter_batches(batch_size=rows, columns=names):
                yield {key: self._column(batch, key, places, first) for key, places in self._places.items()}
                first += batch.num_rows

    def _column(self, batch: Any, key: str, places: list[int], first: int) -> np.ndarray:
        import pyarrow

        parts = [batch.column(self._header[place]) for place in places]
        for place, part in zip(places, parts, strict=True):
            if part.null_count:
                row = first + int(np.argmax(part.is_null().to_numpy(zero_copy_only=False)))
                raise BadData(f"{self.name}: column {self._header[place]}, row {row}: there is no value")
        if len(parts) > 1:
            return np.stack([part.to_numpy(zero_copy_only=False) for part in parts], axis=1)
        (part,) = parts
        if not pyarrow.types.is_nested(part.type):
            return np.asarray(part.to_numpy(zero_copy_only=False))
        lengths = np.asarray(part.value_lengths().to_numpy(zero_copy_only=False))
        if (lengths != lengths[0]).any():
            row = int(np.argmax(lengths != lengths[0]))
            wrong = f"{lengths[row]} entries, but row {first} has {lengths[0]}"
            raise BadData(f"{self.name}: column {key}, row {first + row}: {wrong}")
        inner = part.flatten()
        if inner.null_count:
            row = first + int(np.argmax(inner.is_null().to_numpy(zero_copy_only=False))) // int(lengths[0])
            raise BadData(f"{self.name}: column {key}, row {row}: an entry has no value")
        return np.asarray(inner.to_numpy(zero_copy_only=False)).reshape(len(part), -1)


def _places(header: list[str], name: str) -> tuple[dict[str, list[int]], tuple[str, ...]]:
    """Return {column: where its parts are}, of vectors in their order, and the names that mean nothing here."""
    twice = next((text for text in header if header.count(text) > 1), None)
    if twice is not None:
        raise BadData(f"{name}: two columns are called {twice!r}")
    places = {text: [place] for place, text in enumerate(header) if text in (*VECTORS, *NUMBERS)}
    parts: dict[str, dict[int, int]] = {}
    for place, text in enumerate(header):
        if result := re.fullmatch(rf"({'|'.join(VECTORS)})_(\d+)", text):
            parts.setdefault(result[1], {})[int(result[2])] = place
    for key, numbered in parts.items():
        if key in places:
            raise BadData(f"{name}: both {key} and {key}_{min(numbered)}; a vector is one column of lists or several")
        absent = next((i for i in range(len(numbered)) if i not in numbered), None)
        if absent is not None:
            raise BadData(f"{name}: no column {key}_{absent}, but {key}_{max(numbered)}; they count from 0")
        places[key] = [numbered[i] for i in range(len(numbered))]
    used = {place for each in places.values() for place in each}
    return places, tuple(text for place, text in enumerate(header) if place not in used)
