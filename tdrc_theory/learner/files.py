"""Algorithms from a user's Python file, which is executed."""

from __future__ import annotations

import contextlib
import inspect
import linecache
import sys
import traceback
from pathlib import Path
from types import ModuleType

from tdrc_theory.cli.files import read_text
from tdrc_theory.errors import BadAlgorithm, TheoryError
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.recording import one_line, time_limit

_MOST_BYTES = 2**24
"""Of a file that is run."""


def load_algorithm(spec: str) -> Algorithm:
    """Return the algorithm that `FILE.py:NAME` names: a function with SIGNATURE, or an Algorithm.

    The file is run, as Python would run it: name only files that you trust.

    Raises:
        BadAlgorithm: the file cannot be read or run, or has no such algorithm in it.
    """
    file, _, name = spec.rpartition(":")
    source = read_text(file, _MOST_BYTES, BadAlgorithm)
    module = ModuleType(f"{Path(file).stem} (an algorithm file)")
    module.__file__ = file
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    folder = str(Path(file).resolve().parent)
    sys.modules[module.__name__] = module
    sys.path.insert(0, folder)
    try:
        with contextlib.redirect_stdout(sys.stderr), time_limit():
            exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        message = str(error) if isinstance(error, TheoryError) else f"cannot be run: {one_line(error)}"
        lines = [f":{f.lineno}" for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
        placed = message.startswith(f"{file}:")
        raise BadAlgorithm(message if placed else f"{file}{(lines or [''])[-1]}: {message}") from None
    finally:
        sys.path.remove(folder)
    named = module.__dict__.get(name)
    if isinstance(named, Algorithm):
        return named
    if named is None or not callable(named):
        offered = [n for n, v in vars(module).items() if inspect.isfunction(v) and v.__module__ == module.__name__]
        raise BadAlgorithm(f"{file}: has no function {name!r}; it has {', '.join(offered) or 'none'}")
    return Algorithm(name=name, direction=named, source=file)
