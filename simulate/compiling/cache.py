"""Compiled functions, kept on disk under the hash of their text and of what compiled it, so that none is ever stale.

Machine code that is read back is run, so it is read back only where its SHA-256 is the one that was written with it,
from a folder that only this user can write. Everything else is compiled again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tdrc_theory.cli.cache_folder import CACHE_VARIABLE, cache_folder, check_private
from tdrc_theory.cli.files import write_whole
from tdrc_theory.errors import BadAlgorithm, BadOption

_BEGINS = b"machine code by "
_NAME = re.compile(r"kernel_[0-9a-f]{32}\.o")
_lock = threading.Lock()


def compiled(text: str, name: str, types: Sequence[str], owner: str = "") -> Callable[..., float]:
    """Return a function, compiled; its machine code is kept between processes.

    Args:
        text: the source of the function and of those that it calls; with what compiles it, it decides everything.
        name: the function.
        types: of its arguments; see `lowered`.
        owner: whose text it is, for messages.

    Raises:
        BadOption: the folder cannot be written, or others can write it.
        BadAlgorithm: the function does what the part of Python that is compiled does not have.
    """
    with _lock:
        try:
            return _function(text, name, tuple(types), cache_folder())
        except BadAlgorithm as error:
            raise BadAlgorithm(f"{owner or name} cannot be compiled: {error}") from None


@functools.cache
def source_text(of: Callable[..., Any]) -> str:
    """Return the source text of a function or class, on which results depend.

    Python 3.11 fails where two threads parse at once: to look up a class, as here, or to compile a text.
    """
    with _lock:
        return inspect.getsource(of)


def compiled_by() -> bytes:
    """Return the first line of every file that this version and this processor can use."""
    from simulate.compiling.machine_code import versions

    return _BEGINS + f"{versions()}\n".encode()


def kept_files() -> dict[Path, bool]:
    """Return the files of compiled functions in the cache folder, and whether each can be used here.

    Raises:
        BadOption: the folder cannot be read.
    """
    folder, begins = cache_folder(), compiled_by()
    try:
        paths = sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name)) if folder.exists() else []
        heads = {path: _head(path) for path in paths}
    except OSError as error:
        raise BadOption(f"{folder}: cannot be read: {error.strerror}") from None
    return {path: head == begins for path, head in heads.items() if head.startswith(_BEGINS)}


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline(10_000)


@functools.lru_cache(maxsize=256)
def _function(text: str, name: str, types: tuple[str, ...], folder: Path) -> Callable[..., float]:
    from simulate.compiling.machine_code import loaded, machine_code

    begins = compiled_by()
    key = hashlib.sha256(begins + repr((name, types)).encode() + text.encode()).hexdigest()[:32]
    with _one_line(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    check_private(folder)
    path = folder / f"kernel_{key}.o"
    with _one_line(folder):
        code = _kept(path, begins)
        if code is None:
            code = machine_code(text, name, types)
            write_whole(path, begins + hashlib.sha256(code).digest() + code)
    return loaded(code, types)


def _kept(path: Path, begins: bytes) -> bytes | None:
    """Return the machine code of a file, None if there is none that is whole."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    at = len(begins) + hashlib.sha256().digest_size
    whole = begins + hashlib.sha256(content[at:]).digest()
    return content[at:] if content[:at] == whole else None


@contextlib.contextmanager
def _one_line(folder: Path) -> Iterator[None]:
    """Turn what a file system refuses into one line."""
    try:
        yield
    except (OSError, BadOption) as error:
        where, remedy = " ".join(str(folder).splitlines()), f"set {CACHE_VARIABLE} to a folder that can be written"
        raise BadOption(f"{where}: compiled code cannot be kept there ({error}); {remedy}") from None
