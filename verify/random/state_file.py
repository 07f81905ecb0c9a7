"""The state of a run on disk: a header with its parameters, then one line for each chunk that is done."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from tdrc_theory.errors import BadOption

FORMAT = 1


class StateFile:
    """Appends finished chunks, each as one line that is on the disk when `append` returns.

    Whoever is killed loses the chunks that were not finished: a last line that is not whole is dropped by the next run.

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
        try:
            self._file = self.path.open("a+b")
            self._lock()
            self._file.seek(0)
            self._read(self._file.read())
        except BaseException as error:
            self._close()
            if isinstance(error, BlockingIOError):
                raise self._refusal("is in use by another run") from None
            if isinstance(error, OSError | ValueError) and not isinstance(error, BadOption):
                raise self._refusal(f"cannot be opened: {getattr(error, 'strerror', None) or error}") from None
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def append(self, chunk: int, content: Any) -> None:
        """Store a finished chunk.

        Raises:
            BadOption: the disk is full, or the file is otherwise gone.
        """
        self._write({"chunk": chunk, "content": content})
        self.done[chunk] = content

    def _write(self, value: Any) -> None:
        assert self._file is not None
        try:
            self._file.write(json.dumps(value, allow_nan=False).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._refusal(f"cannot be written: {error.strerror or error}") from None

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # not on Windows, where two runs at once store the same chunks twice
            return
        assert self._file is not None
        fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _read(self, content: bytes) -> None:
        assert self._file is not None
        whole, _, torn = content.rpartition(b"\n")
        lines = whole.split(b"\n") if whole else []
        if torn:
            if not lines and not json.dumps(self._header).encode().startswith(torn):
                raise self._refusal("is not the state of a run")
            self._file.truncate(len(content) - len(torn))
        if not lines:
            self._write(self._header)
            return
        header = self._parsed(lines[0], 1)
        if header.get("format") != FORMAT:
            raise self._refusal("is not the state of a run")
        for key in sorted(header.keys() | self._header.keys()):
            if header.get(key) != self._header.get(key):
                raise self._refusal(
                    f"belongs to a run with {key} {_short(header.get(key))}, not {_short(self._header.get(key))}"
                )
        for number, line in enumerate(lines[1:], start=2):
            entry = self._parsed(line, number)
            if not isinstance(entry.get("chunk"), int):
                raise self._refusal(f"line {number} is no chunk")
            self.done[entry["chunk"]] = entry.get("content")

    def _parsed(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise self._refusal("is not the state of a run" if number == 1 else f"line {number} is no chunk")
        return value

    def _refusal(self, reason: str) -> BadOption:
        return BadOption(f"--store: {self._where}: {reason}")

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
