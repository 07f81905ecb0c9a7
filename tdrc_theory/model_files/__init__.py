"""Model files of other tools, chosen by suffix: PRISM's explicit files, Storm's DRN, and Cassandra's MDP files."""

from __future__ import annotations

import os.path
from collections.abc import Callable

from tdrc_theory.errors import BadProblem
from tdrc_theory.model_files import cassandra, drn, prism
from tdrc_theory.model_files.model import Model
from tdrc_theory.problem.decision_table import DecisionTable

READERS: tuple[tuple[str, Callable[[str], Model]], ...] = (
    (".tra", prism.read),
    (".drn", drn.read),
    (".mdp", cassandra.read),
    (".pomdp", cassandra.read),
)
"""By suffix, in lower case."""
SUFFIXES = tuple(suffix for suffix, _ in READERS)


def is_model_file(path: str) -> bool:
    """Return whether a path names a model file, by its suffix."""
    return path.lower().endswith(SUFFIXES)


def load_model(path: str) -> DecisionTable:
    """Return the table of a model file; nothing in it is evaluated.

    Raises:
        BadProblem: it cannot be read, or holds no finite decision process; the message names the file and the line.
    """
    read = next(read for suffix, read in READERS if path.lower().endswith(suffix))
    try:
        return read(path).table(os.path.basename(path))
    except RecursionError:
        raise BadProblem(f"{path}: is nested too deeply") from None
