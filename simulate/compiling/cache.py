"""Generated modules, compiled once and kept on disk under the hash of their text, so that none is ever stale.

Machine code that is read back is run, so it is read back only where its SHA-256 is what was noted when it was compiled,
from a folder that only this user can write. Everything else is compiled again.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import json
import linecache
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from tdrc_theory.cli.cache_folder import CACHE_VARIABLE, cache_folder, check_private
from tdrc_theory.cli.files import write_whole
from tdrc_theory.errors import BadOption

GENERATED = "# Generated; "
_lock = threading.Lock()


def compiled(text: str, shared: str = "") -> ModuleType:
    """Return the module with this text, in which Numba's functions keep their machine code between processes.

    Args:
        text: the module's source; with the versions of Numba and NumPy it decides everything. Its functions that are
            cached have explicit signatures, so that all of them are compiled when it is executed.
        shared: another module's source, all of whose names this one knows: what many modules call is compiled once.

    Raises:
        BadOption: the folder cannot be written, or others can write it.
    """
    with _lock:
        return _module(text, shared, cache_folder())


def generated_by() -> str:
    """Return how every source begins that the packages installed here compile."""
    import numba
    import numpy as np

    return f"{GENERATED}Numba {numba.__version__}, NumPy {np.__version__}"


@functools.lru_cache(maxsize=256)
def _module(text: str, shared: str, folder: Path) -> ModuleType:
    known_names, beside = {}, ""
    if shared:
        other = _module(shared, "", folder)
        known_names = {name: value for name, value in vars(other).items() if not name.startswith("__")}
        beside = f", beside {other.__name__}"
    everything = f"{generated_by()}{beside}\n{text}"
    name = "kernel_" + hashlib.sha256(everything.encode()).hexdigest()[:32]
    path = folder / f"{name}.py"
    code = compile(everything, str(path), "exec", dont_inherit=True)
    module = ModuleType(name)
    module.__dict__.update(known_names)
    module.__file__ = str(path)
    sys.modules[name] = module  # Numba looks up the module of code that it reads back
    entry = _Entry(folder, name)
    with _kept_in(folder):
        entry.make_folders()
    entry.check_folders()
    with _kept_in(folder):
        entry.write_source(everything)
        known = entry.keep_what_is_intact()
        with _beside_the_source():
            exec(code, module.__dict__)
        entry.note(known)
    return module


class _Entry:
    """One module's files: its source, what Numba keeps beside it, and the SHA-256 of each of those."""

    def __init__(self, folder: Path, name: str) -> None:
        self._source = folder / f"{name}.py"
        self._sums = folder / f"{name}.json"
        self._machine_code = folder / "__pycache__"  # where Numba keeps it
        self._pattern = f"{name}.*.nb[ci]"

    def make_folders(self) -> None:
        """Make the folders that are not there, for this user alone."""
        self._source.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._machine_code.mkdir(exist_ok=True, mode=0o700)
        for folder in (self._source.parent, self._machine_code):
            if not os.access(folder, os.W_OK):  # Numba would look for another one
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))

    def check_folders(self) -> None:
        """Return if only this user can write into them."""
        check_private(self._source.parent)
        check_private(self._machine_code)

    def write_source(self, text: str) -> None:
        """Write the source, if it is not there."""
        if self._source.is_file() and self._source.read_bytes() == text.encode():
            return
        write_whole(self._source, text)
        # Older versions of Numba take code for outdated by its source's time; here the name says all, also between two
        # processes that write the same file.
        os.utime(self._source, (0, 0))
        linecache.checkcache(str(self._source))

    def keep_what_is_intact(self) -> dict[str, str]:
        """Return the sums of the files, all as they were noted; otherwise remove the files, to be made again."""
        there = self._sums_of_files()
        if there and there == self._noted():
            return there
        for file in self._machine_code.glob(self._pattern):
            file.unlink(missing_ok=True)
        return {}

    def note(self, known: dict[str, str]) -> None:
        """Write down the sums of files that are not those that are known.

        Another process may be writing the same entry. Whatever the order, what is noted in the end is what one of them
        compiled, or does not match, and then the next process compiles once more.
        """
        there = self._sums_of_files()
        if there != known:
            write_whole(self._sums, json.dumps(there))

    def _noted(self) -> object:
        try:
            return json.loads(self._sums.read_bytes())
        except (FileNotFoundError, ValueError, RecursionError):  # none, or damaged
            return None

    def _sums_of_files(self) -> dict[str, str]:
        sums = {}
        for file in sorted(self._machine_code.glob(self._pattern)):
            with contextlib.suppress(FileNotFoundError):  # removed meanwhile by another process
                sums[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
        return sums


@contextlib.contextmanager
def _beside_the_source() -> Iterator[None]:
    """Let Numba keep machine code beside its source, whatever the user's settings: elsewhere nobody checks it."""
    from numba.core import config

    wanted = {"CACHE_DIR": "", "CACHE_LOCATOR_CLASSES": "InTreeCacheLocator"}
    before = {name: getattr(config, name) for name in wanted if hasattr(config, name)}
    for name in before:
        setattr(config, name, wanted[name])
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(config, name, value)


@contextlib.contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """Turn what a file system refuses into one line."""
    try:
        yield
    except (OSError, BadOption) as error:
        where, remedy = " ".join(str(folder).splitlines()), f"set {CACHE_VARIABLE} to a folder that can be written"
        raise BadOption(f"{where}: compiled code cannot be kept there ({error}); {remedy}") from None
