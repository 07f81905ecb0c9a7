"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from tdrc_theory.errors import BadOption


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file so that whoever reads the path sees the old one or the whole new one, even after a crash.

    Raises:
        BadOption: it cannot be written; nothing is left behind.
    """
    with _part_of(path) as (part, target):
        with part.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)


def check_writable(*paths: str | Path | None) -> None:
    """Return if files can be written, before long work whose outcome they are to keep; None is no file.

    Raises:
        BadOption: one cannot; nothing is left behind.
    """
    for path in paths:
        if path is not None:
            with _part_of(path) as (part, _):
                part.touch()


@contextlib.contextmanager
def _part_of(path: str | Path) -> Iterator[tuple[Path, Path]]:
    """Give where a file is written until it is whole and the file itself, and turn what fails into one line."""
    part = None
    try:
        target = Path(os.path.realpath(path))  # a link stays a link
        if target.exists() and not target.is_file():
            raise OSError(0, "it is there, and is no file")  # a device must not be replaced
        part = target.parent / f".{target.name[:60]}.{os.getpid()}.part"
        yield part, target
    except (OSError, ValueError) as error:  # a ValueError is a path with a null character
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        where = " ".join(str(path).splitlines())
        raise BadOption(f"{where}: cannot be written: {reason}") from None
    finally:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink()
