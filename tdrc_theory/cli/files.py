"""Files are read up to a size, as text or as numbers, and written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tdrc_theory.errors import BadOption, BadProblem, TheoryError


def read_text(path: str | Path, most: int, refused: type[TheoryError]) -> str:
    """Return what is in a file, of which no more than `most` bytes are read.

    Raises:
        refused: it cannot be read, is larger, or is not UTF-8; the message names it.
    """
    where = " ".join(str(path).splitlines())
    try:
        with open(path, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:  # a ValueError is a path with a null character
        raise refused(f"{where}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise refused(f"{where}: is larger than the {most} bytes that are read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refused(f"{where}: is not UTF-8 text (byte {error.start})") from None


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file so that whoever reads the path sees the old one or the whole new one, even after a crash.

    Raises:
        BadOption: it cannot be written; nothing is left behind.
    """
    with _part_of(path) as (part, target):
        _fill(part, content, "wb")
        if target.exists():
            part.chmod(stat.S_IMODE(target.stat().st_mode))  # who may read it is the user's choice
        part.replace(target)


def write_new(path: str | Path, content: str | bytes) -> bool:
    """Write a file, whole, where there is none, and return whether there was none: what is there is left as it is.

    Raises:
        BadOption: it cannot be written; nothing is left behind.
    """
    with _part_of(path) as (part, target):
        try:
            _fill(part, content, "wb")
            os.link(part, target)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            try:  # a file system that has no links, where a kill in between leaves a part
                _fill(target, content, "xb")
            except FileExistsError:
                return False
    return True


_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


def _fill(path: Path, content: str | bytes, mode: str) -> None:
    with path.open(mode) as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())


def check_writable(*paths: str | Path | None, besides: Iterable[str | Path | None] = ()) -> None:
    """Check that files can be written, before long work; None is no file.

    `besides` are files that the same command reads or goes on from, and that are not to be lost.

    Raises:
        BadOption: one cannot, or two are the same file, of which one would be lost; nothing is left behind.
    """
    taken = {os.path.realpath(path) for path in besides if path is not None and os.path.isfile(path)}
    for path in paths:
        if path is not None:
            with _part_of(path) as (part, target):
                part.touch()
                if str(target) in taken:
                    raise OSError(0, "the same command needs it for something else")
                taken.add(str(target))


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


_MOST_BYTES = 2**28


def read_array(path: str, what: str) -> list[Any]:
    """Return the array of a file of NumPy (.npy) as nested lists; it is read as data, never as code.

    Raises:
        BadProblem: it cannot be read, is too large, or holds other things than numbers; `what` is put before that.
    """
    import numpy as np

    try:
        size = os.path.getsize(path)
        if size > _MOST_BYTES:
            raise BadProblem(f"{what}: {path}: {size} bytes; at most {_MOST_BYTES} are read")
        array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise BadProblem(f"{what}: cannot read {path}: {error.strerror or error}") from None
    except (ValueError, EOFError, MemoryError) as error:
        raise BadProblem(f"{what}: {path} is no array of numbers: {' '.join(str(error).split())}") from None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iuf" or not 1 <= array.ndim <= 3:
        raise BadProblem(f"{what}: {path} is no array of numbers with 1 to 3 axes")
    return list(array.tolist())
