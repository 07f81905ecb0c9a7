"""The state of a run on disk: a header with its parameters, then one line for each chunk that is done."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import IO, Any

from tdrc_theory.cli.files import write_new
from tdrc_theory.errors import BadOption, errors_at

FORMAT = 2
_LONGEST_HEADER = 10_000


class StateFile:
    """Appends finished chunks, each as one line that is on the disk when `append` returns.

    Whoever is killed loses the chunks that were not finished: a last line that is not whole is dropped by the next run.
    A file is made, header and all, where there is none; nothing is written into one that is not the state of this run.
    Each line has the SHA-256 of the header, its number and its content.

    Attributes:
        done: chunk number -> what was stored for it.

    Raises:
        BadOption: the file cannot be read or written, is no state file, belongs to a run with other parameters, or is
            in use by another run.
    """

    def __init__(self, path: str | Path, parameters: dict[str, Any]) -> None:
        self.path = Path(path)
        self._where = " ".join(str(path).splitlines())
        self._header = {"format": FORMAT, **parameters}
        self._file: IO[bytes] | None = None
        self.done: dict[int, Any] = {}

    def __enter__(self) -> StateFile:
        with contextlib.ExitStack() as stack:
            stack.push(self.__exit__)
            try:
                self._make()
                if not self.path.is_file():
                    raise self._refusal("is no file")
                # A file that is there: `open` alone would make one.
                self._file = open(self.path, "a+b", opener=lambda path, flags: os.open(path, flags & ~os.O_CREAT))
                self._lock()
                self._file.seek(0)
                self._read()
            except BlockingIOError:
                raise self._refusal("is in use by another run") from None
            except BadOption:
                raise
            except (OSError, ValueError) as error:
                raise self._refusal(f"cannot be opened: {getattr(error, 'strerror', None) or error}") from None
            stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # a full disk, which `append` has reported
                self._file.close()

    def _make(self) -> None:
        """Write the file and its header, whole, if there is none."""
        with errors_at(BadOption, "--store"):
            if not self.path.exists():
                write_new(self.path, json.dumps(self._header) + "\n")

    def append(self, chunk: int, content: Any) -> None:
        """Store a finished chunk.

        Raises:
            BadOption: the disk is full, or the file is otherwise gone.
        """
        assert self._file is not None
        entry = {"chunk": chunk, "content": content, "sum": self._sum(chunk, content)}
        try:
            self._file.write(json.dumps(entry, allow_nan=False).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._refusal(f"cannot be written: {error.strerror or error}") from None
        self.done[chunk] = content

    def _sum(self, chunk: Any, content: Any) -> str:
        return hashlib.sha256(json.dumps([self._header, chunk, content]).encode()).hexdigest()

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on Windows, where two runs at once store the same chunks twice
            return
        assert self._file is not None
        fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _read(self) -> None:
        """Read all, and drop a last line that is not whole, once everything before it is known to be of this run."""
        assert self._file is not None
        self._check_header(self._file.readline(_LONGEST_HEADER))
        content = self._file.read()
        whole, newline, torn = content.rpartition(b"\n")
        for number, line in enumerate(whole.split(b"\n") if newline else [], start=2):
            entry = self._parsed(line)
            chunk, result = entry.get("chunk"), entry.get("content")
            if type(chunk) is not int or entry.get("sum") != self._sum(chunk, result):
                raise self._refusal(f"line {number} is damaged; without that line, its chunk is computed again")
            self.done[chunk] = result
        if torn:
            self._file.truncate(self._file.tell() - len(torn))

    def _check_header(self, line: bytes) -> None:
        header = self._parsed(line) if line.endswith(b"\n") else {}
        version = header.pop("format", None)
        if type(version) is not int or not header.keys() & self._header.keys():
            result = "" if line else ": it is empty, and a state is made where there is no file"
            raise self._refusal(f"is not the state of a run{result}")
        if version != FORMAT:
            raise self._refusal(f"has format {version}; this program reads and writes format {FORMAT}")
        for key in sorted(header.keys() | self._header.keys() - {"format"}):
            if header.get(key) != self._header.get(key):
                raise self._refusal(
                    f"belongs to a run with {key} {_short(header.get(key))}, not {_short(self._header.get(key))}"
                )

    @staticmethod
    def _parsed(line: bytes) -> dict[str, Any]:
        with contextlib.suppress(ValueError, RecursionError):
            value = json.loads(line)
            if isinstance(value, dict):
                return value
        return {}

    def _refusal(self, reason: str) -> BadOption:
        return BadOption(f"--store: {self._where}: {reason}")


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
