"""Problem files: TOML, every number exact."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tdrc_theory.cli.toml_file import toml_file
from tdrc_theory.errors import BadProblem
from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.reader import shown
from tdrc_theory.problems.averaged import averaged_process

_TOP = {"mdp": ("name", "gamma", "features"), "mrp": ("name", "gamma", "features"), "matrices": ("name",)}
_OPTIONAL = ("initial_weights", "interest", "normalise", "state_names")
_TABLES = {
    "mdp": (("transitions", "behaviour", "target"), ("terminal", "start", "state_weights")),
    "mrp": (("P", "r", "d"), ()),
    "matrices": (("A", "b", "C"), ()),
}


def load_problem(path: str | Path, normalise: bool = False) -> Problem | MatrixProblem:
    """Read a problem file.

    Args:
        path: of the file.
        normalise: as the file's own key: probabilities that sum to 1 up to 1e-6 are divided by their sum.

    Raises:
        BadProblem: it cannot be read, is not TOML, or does not describe a problem; the message names the file, the
            key, the state and the value.
    """
    with toml_file(path, BadProblem) as data:
        return parse_problem(data | {"normalise": True} if normalise and "matrices" not in data else data)


def parse_problem(data: Mapping[str, Any]) -> Problem | MatrixProblem:
    """Return the problem of a file's content, as `toml_file` returns it."""
    kinds = [kind for kind in _TABLES if kind in data]
    if len(kinds) != 1:
        _check_keys(data, "", _TOP["mdp"], (*_OPTIONAL, *_TABLES))
        which = " and ".join(kinds) or "neither"
        raise BadProblem(f"{which} given; exactly one of [mdp] and [mrp], or of [matrices], is needed")
    (kind,) = kinds
    optional = _OPTIONAL if kind != "matrices" else ("initial_weights",)
    _check_keys(data, "", _TOP[kind], (*optional, *_TABLES))
    table = data[kind]
    if not isinstance(table, dict):
        raise BadProblem(f"{kind}: is not a table")
    _check_keys(table, f"{kind}.", *_TABLES[kind])
    shared = {key: value for key, value in data.items() if key != kind}
    try:
        if kind == "matrices":
            return MatrixProblem(**shared, **table)
        return averaged_process(**shared, **table) if kind == "mrp" else _process(**shared, **table)
    except BadProblem as error:
        key = str(error).split(":")[0].split(",")[0]
        inside = key in sum(_TABLES[kind], ())
        raise BadProblem(f"{kind}.{error}" if inside else str(error)) from None


def _process(*, transitions: Any, terminal: Any = (), state_weights: Any = "stationary", **fields: Any) -> Problem:
    """Return the problem of [mdp], where episodes end in terminal states alone, never by a step to END."""
    over = terminal if isinstance(terminal, list) else ()
    for number, entry in enumerate(transitions if isinstance(transitions, list) else ()):
        if isinstance(entry, list) and len(entry) > 2 and entry[2] == END and entry[0] not in over:
            where = f"transitions, entry {number}: s_next is {END}"
            raise BadProblem(f"{where}, which is no index; indices are 0, 1, 2, ...")
    if isinstance(state_weights, str) and state_weights != "stationary":
        raise BadProblem(f'state_weights: {shown(state_weights)} is neither "stationary" nor a list of numbers')
    weights = None if state_weights == "stationary" else state_weights
    return Problem(transitions=transitions, terminal=terminal, state_weights=weights, **fields)


def _check_keys(table: Mapping[str, Any], prefix: str, needed: tuple[str, ...], also: tuple[str, ...]) -> None:
    for key in table:
        if key not in needed + also:
            raise BadProblem(f"{prefix}{_bare(key)}: unknown key; allowed: {', '.join(needed + also)}")
    for key in needed:
        if key not in table:
            raise BadProblem(f"{prefix}{key}: missing")


def _bare(key: str) -> str:
    """Return a key as it can be written; TOML lets a quoted one hold anything."""
    return key if key.isidentifier() and len(key) < 40 else shown(key)
