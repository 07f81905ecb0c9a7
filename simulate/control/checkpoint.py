"""Where runs under way are kept, as arrays in one file: no code is in it, and none is run by reading it."""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simulate.control.settings import Settings
from tdrc_theory.cli.files import write_whole
from tdrc_theory.errors import BadOption

State = dict[str, dict[str, np.ndarray]]
"""Parts of what is under way, each a number of arrays by name."""

PERIOD = 60.0
SHARE = 20
"""Seconds between two checkpoints; or so many times what one takes to write, if that is longer."""
_ABOUT = "about"
_KIND = "tdrc-referee control 1"


class Kept(NamedTuple):
    """A checkpoint: which runs, and where they are."""

    settings: Settings
    seed: int
    runs: range
    state: State


class Checkpoint:
    """The file of some runs.

    Raises:
        BadOption: it cannot be read or written, or is of other runs.
    """

    def __init__(self, path: str | Path, settings: Settings, runs: range, seed: int) -> None:
        self.path = Path(path)
        self._about = about(settings, runs, seed)
        self._due = time.monotonic() + PERIOD

    def is_due(self) -> bool:
        """Return whether it is time to write it."""
        return time.monotonic() >= self._due

    def write(self, state: State) -> None:
        """Write all; whoever is killed meanwhile leaves the file before."""
        began = time.monotonic()
        arrays = {f"{part}.{name}": array for part, arrays in state.items() for name, array in arrays.items()}
        out = io.BytesIO()
        everything: dict[str, Any] = {_ABOUT: np.array(json.dumps(self._about)), **arrays}
        np.savez(out, **everything)
        write_whole(self.path, out.getvalue())
        ended = time.monotonic()
        self._due = ended + max(PERIOD, SHARE * (ended - began))

    def read(self) -> State | None:
        """Return what was written, or None where there is no file yet."""
        if not self.path.exists():
            return None
        if not self.path.is_file():
            raise _refusal(self.path, "is no file")
        contents = read_checkpoint(self.path)
        there = about(contents.settings, contents.runs, contents.seed)
        for name, value in self._about.items():
            if there[name] != value:
                raise _refusal(self.path, f"is of other runs: {name} is {there[name]} there and {value} here")
        return contents.state


def about(settings: Settings, runs: range, seed: int) -> dict[str, Any]:
    """Return which runs, as JSON has it."""
    stored = json.loads(json.dumps(settings.to_json()))  # a tuple becomes the list that will be read
    return {"kind": _KIND, **stored, "first_run": runs.start, "runs": len(runs), "seed": seed}


def read_checkpoint(path: str | Path) -> Kept:
    """Return what a checkpoint has: weights are `state["agents"]["weight0"]`, ..., transitions `state["replay"]`.

    Raises:
        BadOption: it cannot be read, or is no checkpoint.
    """
    try:
        arrays = _arrays(path)
        description = json.loads(str(arrays.pop(_ABOUT)))
        if description.pop("kind") != _KIND:
            raise ValueError
        first, count, seed = (description.pop(name) for name in ("first_run", "runs", "seed"))
        settings = Settings.from_json(description)
        state: State = {}
        for name, array in arrays.items():
            part, _, rest = name.partition(".")
            state.setdefault(part, {})[rest] = array
    except OSError as error:
        raise _refusal(path, f"cannot be read: {error.strerror or error}") from None
    except Exception:  # archives, arrays and JSON that somebody else wrote fail in too many ways to list
        raise _refusal(path, "is no checkpoint of control runs") from None
    return Kept(settings, seed, range(first, first + count), state)


def _arrays(path: str | Path) -> dict[str, np.ndarray]:
    """Return the arrays of a file, which are not compressed: so it claims no more than there is."""
    with open(path, "rb") as opened, zipfile.ZipFile(opened) as archive:  # closed even where it is no archive
        if sum(member.file_size for member in archive.infolist()) > os.fstat(opened.fileno()).st_size:
            raise ValueError
        with np.load(opened, allow_pickle=False) as file:
            arrays = dict(file)
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise ValueError
    return arrays


def _refusal(path: str | Path, reason: str) -> BadOption:
    return BadOption(f"{' '.join(str(path).splitlines())}: {reason}")
