"""Generated modules, compiled once and kept on disk under the hash of their text, so that none is ever stale."""

from __future__ import annotations

import functools
import hashlib
import linecache
import os
import sys
import threading
from pathlib import Path
from types import ModuleType

from tdrc_theory.cache_folder import CACHE_VARIABLE, cache_folder
from tdrc_theory.errors import BadOption
from tdrc_theory.files import write_whole

_lock = threading.Lock()


def compiled(text: str) -> ModuleType:
    """Return the module with this text, in which Numba's functions keep their machine code between processes.

    Args:
        text: the module's source; with the versions of Numba and NumPy it decides everything.

    Raises:
        BadOption: the folder cannot be written.
    """
    with _lock:
        return _module(text, cache_folder())


@functools.lru_cache(maxsize=256)
def _module(text: str, folder: Path) -> ModuleType:
    import numba
    import numpy as np

    everything = f"# Generated; Numba {numba.__version__}, NumPy {np.__version__}\n{text}"
    name = "kernel_" + hashlib.sha256(everything.encode()).hexdigest()[:32]
    path = folder / f"{name}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != everything:
        _write(path, everything)
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # Numba looks up the module of code that it reads back
    code = compile(everything, str(path), "exec", dont_inherit=True)
    try:
        exec(code, module.__dict__)
    except numba.core.errors.NumbaError:
        raise
    except Exception:  # what was kept is damaged, in one of many ways
        for file in (folder / "__pycache__").glob(f"{name}.*"):
            file.unlink(missing_ok=True)
        exec(code, module.__dict__)
    return module


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(path, text)
        # Numba takes code for outdated by its source's time; here the name says all, also between two processes
        # that write the same file.
        os.utime(path, (0, 0))
    except (OSError, BadOption) as error:
        told = f"set {CACHE_VARIABLE} to a folder that can be written"
        raise BadOption(f"{path.parent}: compiled code cannot be kept there ({error}); {told}") from None
    linecache.checkcache(str(path))
