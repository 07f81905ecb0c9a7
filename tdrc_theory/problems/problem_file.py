"""Problem files: TOML, every number exact."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tdrc_theory.cli.toml_file import toml_file
from tdrc_theory.errors import BadNumber, BadProblem
from tdrc_theory.exact.number import ALLOWED, parse_number
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.parts import ENTRY
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
    if not isinstance(data["name"], str):
        raise BadProblem(f"name: {shown(data['name'])} is not text")
    shared = {key: _numbers(data[key], key) for key in ("gamma", "initial_weights", "interest") if key in data}
    shared |= {"features": _features(data["features"])} if kind != "matrices" else {}
    shared |= {key: data[key] for key in ("name", "normalise", "state_names") if key in data}
    try:
        if kind == "mdp":
            return _mdp(table, shared)
        if kind == "matrices":
            return MatrixProblem(**shared, **{key: _numbers(table[key], key, ("row", "entry")) for key in table})
        fields = {key: rows if rows == "stationary" else _numbers(rows, key) for key, rows in table.items()}
        return averaged_process(**shared, **fields)
    except BadProblem as error:
        key = str(error).split(":")[0].split(",")[0]
        inside = key in sum(_TABLES[kind], ())
        raise BadProblem(f"{kind}.{error}" if inside else str(error)) from None


def _mdp(table: Mapping[str, Any], shared: dict[str, Any]) -> Problem:
    terminal = table.get("terminal", [])
    ended = set(terminal) if isinstance(terminal, list) and all(_is_index(s) for s in terminal) else set()
    fields: dict[str, Any] = {"terminal": terminal}
    for key in ("behaviour", "target"):
        fields[key] = _policy(table[key], key, ended)
    fields["transitions"] = _entries(table["transitions"], ended)
    if "start" in table:
        fields["start"] = _numbers(table["start"], "start")
    weights = table.get("state_weights", "stationary")
    if isinstance(weights, str) and weights != "stationary":
        raise BadProblem(f'state_weights: {shown(weights)} is neither "stationary" nor a list of numbers')
    fields["state_weights"] = None if weights == "stationary" else _numbers(weights, "state_weights")
    return Problem(**shared, **fields)


def _policy(policy: Any, key: str, ended: set[int]) -> Any:
    """Return a policy with exact numbers, in the form that it has; the rows of terminal states are not read."""
    if isinstance(policy, dict):
        parts = {name: (isinstance(part, list), part) for name, part in policy.items()}
        return {
            name: _policy(part, key, ended) if by_state else _numbers(part, f"{key}, {_bare(name)}")
            for name, (by_state, part) in parts.items()
        }
    if not isinstance(policy, list):
        raise BadProblem(f"{key}: is not a list of rows or actions, one a state")
    return [[] if s in ended else _numbers(row, f"{key}, state {s}") for s, row in enumerate(policy)]


def _features(rows: Any) -> Any:
    """Return the features of each state, or of each state and action, exactly."""
    if not isinstance(rows, list):
        raise BadProblem("features: is not a list of rows, one a state")
    by_action = bool(rows) and isinstance(rows[0], list) and bool(rows[0]) and isinstance(rows[0][0], list)
    return _numbers(rows, "features", ("state", "action" if by_action else "entry", "entry"))


def _entries(entries: Any, ended: set[int]) -> list[list[Any]]:
    if not isinstance(entries, list):
        raise BadProblem(f"transitions: is not a list of {ENTRY}")
    read = []
    for index, entry in enumerate(entries):
        where = f"transitions, entry {index}"
        if not isinstance(entry, list) or len(entry) not in (5, 6):
            raise BadProblem(f"{where}: {shown(entry)} is not {ENTRY}")
        if _is_index(entry[0]) and entry[0] in ended:
            continue
        for name, value in zip(("s", "a", "s_next"), entry[:3], strict=True):
            if not _is_index(value):
                raise BadProblem(f"{where}: {name} is {shown(value)}, which is no index; indices are 0, 1, 2, ...")
        names = ("probability", "reward", "gamma")
        numbers = [_numbers(v, f"{where}: {n}") for n, v in zip(names, entry[3:], strict=False)]
        read.append([*entry[:3], *numbers])
    return read


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _numbers(value: Any, where: str, levels: tuple[str, ...] = ("state", "entry")) -> Any:
    """Return a number, or nested lists of them, exactly; lists keep their shape.

    Args:
        value: as it was read.
        where: the key, and what is known of the place in it.
        levels: what the lists of each depth are by.
    """
    if isinstance(value, list):
        if set(map(type, value)) == {int}:  # most lists of a large file, and nothing is wrong with any of them
            return value
        depth = min(where.count(","), len(levels) - 1)
        return [_numbers(v, f"{where}, {levels[depth]} {i}", levels) for i, v in enumerate(value)]
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise BadProblem(f"{where}: {shown(value)} is not a number; {ALLOWED}")
    try:
        if isinstance(value, str) and "_" in value:  # TOML's own numbers come without
            raise BadNumber(f"{shown(value)} is not a number; {ALLOWED}")
        return parse_number(value) if isinstance(value, str) else value
    except BadNumber as error:
        raise BadProblem(f"{where}: {error}") from None


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
