"""The compiled kernels that are kept, and the removal of those that other packages compiled."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import NamedTuple

from simulate.compiling.cache import GENERATED, generated_by
from tdrc_theory.cli.cache_folder import cache_folder
from tdrc_theory.errors import BadOption

_NAME = re.compile(r"kernel_[0-9a-f]{32}\.py")


class Entry(NamedTuple):
    """One compiled module.

    Attributes:
        files: its source, what Numba keeps beside it, and their checksums.
        size: of the files, in bytes.
        current: whether the versions of Numba and NumPy that are installed here compiled it.
    """

    files: list[Path]
    size: int
    current: bool


def entries() -> list[Entry]:
    """Return the compiled modules in the cache folder.

    Raises:
        BadOption: the folder cannot be read.
    """
    folder, begins = cache_folder(), generated_by()
    try:
        sources = sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name)) if folder.exists() else []
        return [_entry(source, head, begins) for source in sources if (head := _head(source)).startswith(GENERATED)]
    except OSError as error:
        raise BadOption(f"{folder}: cannot be read: {error.strerror}") from None


def remove(entry: Entry) -> None:
    """Remove a module, its machine code first: without it, the source compiles again.

    Raises:
        BadOption: a file cannot be removed.
    """
    for file in reversed(entry.files):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise BadOption(f"{file}: cannot be removed: {error.strerror}") from None


def _head(source: Path) -> str:
    with source.open(encoding="utf-8", errors="replace") as file:
        return file.readline(1000)


def _entry(source: Path, head: str, begins: str) -> Entry:
    beside = sorted((source.parent / "__pycache__").glob(f"{source.stem}.*.nb[ci]"))
    files = [source, source.with_suffix(".json"), *beside]
    size = 0
    for file in files:
        with contextlib.suppress(FileNotFoundError):  # none yet, or removed meanwhile by another program
            size += file.stat().st_size
    return Entry(files, size, re.match(rf"{re.escape(begins)}(,|\n|$)", head) is not None)
