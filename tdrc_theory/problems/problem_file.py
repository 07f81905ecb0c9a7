"""Problem files, read and written: TOML, every number exact."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from tdrc_theory.cli.files import write_whole
from tdrc_theory.cli.toml_file import toml_file
from tdrc_theory.errors import BadProblem
from tdrc_theory.exact.number import LONGEST, Surd, number_text
from tdrc_theory.problem import END, Problem, Transition
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.reader import shown, shown_key
from tdrc_theory.problems.averaged import averaged_process

_TOP = {"mdp": ("name", "gamma", "features"), "mrp": ("name", "gamma", "features"), "matrices": ("name",)}
_OPTIONAL = ("initial_weights", "interest", "normalise", "state_names")
_TABLES = {
    "mdp": (("transitions", "behaviour", "target"), ("terminal", "start", "state_weights")),
    "mrp": (("P", "r", "d"), ()),
    "matrices": (("A", "b", "C"), ()),
}


def load_problem(path: str | Path, normalise: bool = False) -> Problem | MatrixProblem:
    """Read a problem file; `normalise` is as the file's own key.

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
        return averaged_process(**shared, **table) if kind == "mrp" else _of_mdp(**shared, **table)
    except BadProblem as error:
        key = str(error).split(":")[0].split(",")[0]
        inside = key in sum(_TABLES[kind], ())
        raise BadProblem(f"{kind}.{error}" if inside else str(error)) from None


def _of_mdp(*, transitions: Any, terminal: Any = (), state_weights: Any = "stationary", **fields: Any) -> Problem:
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
            raise BadProblem(f"{prefix}{shown_key(key)}: unknown key; allowed: {', '.join(needed + also)}")
    for key in needed:
        if key not in table:
            raise BadProblem(f"{prefix}{key}: missing")


_PLAIN_INTEGER = 2**63
"""Integers from here on are written as text; other readers of TOML hold 64 bits."""
_SHORT = {'"': '\\"', "\\": "\\\\"}


def problem_text(problem: Problem | MatrixProblem, comments: Iterable[str] = ()) -> str:
    """Return a problem as the text of a problem file.

    What is read back equals `in_file_form(problem)`, but for `normalised` and its notes, which become comments.

    Args:
        problem: what to write; one for independent samples only is written as [mrp], any other process as [mdp].
        comments: lines to put first.

    Raises:
        BadProblem: a feature is irrational, a number or the name cannot be written, or the problem is for independent
            samples only and not of the form that [mrp] has.
    """
    lines = [f"# {_escaped(line)}".rstrip() for line in (*comments, *problem.notes)]
    lines.append(f"name = {_quoted(problem.name)}")
    if isinstance(problem, MatrixProblem):
        heading, table = "matrices", _matrices(problem)
    else:
        written = in_file_form(problem)
        heading = "mrp" if written.independent_only else "mdp"
        table = _averaged(written) if written.independent_only else _process(written)
        gamma = written.gamma
        discount = _number(gamma, "gamma") if isinstance(gamma, Fraction) else _row(gamma, "gamma")
        lines += [f"gamma = {discount}", f"features = {_features(written)}"]
        if written.state_names is not None:
            lines.append(f"state_names = [{', '.join(map(_quoted, written.state_names))}]")
        if any(value != 1 for value in written.interest):
            lines.append(f"interest = {_row(written.interest, 'interest')}")
    if any(problem.initial_weights):
        lines.append(f"initial_weights = {_row(problem.initial_weights, 'initial_weights')}")
    lines += ["", f"[{heading}]", *(f"{key} = {value}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def in_file_form(problem: Problem) -> Problem:
    """Return the problem with a terminal state in the place of END, which [mdp] does not have.

    It is the first terminal state there is, or a new last one. Expectations, and the verdicts with them, stay the
    same. A problem that never steps to END, or that [mrp] holds, is returned as it is.
    """
    if problem.independent_only or not any(t.s_next == END for t in problem.transitions):
        return problem
    added = [] if problem.terminal else [problem.states]
    last = (problem.terminal or added)[0]
    n, none = len(added), [[0] * problem.actions]
    start, weights = (row and (*row, *[Fraction(0)] * n) for row in (problem.start, problem.state_weights))
    gamma = problem.gamma if isinstance(problem.gamma, Fraction) else (*problem.gamma, *[problem.gamma_at(END)] * n)
    there = gamma if isinstance(gamma, Fraction) else gamma[last]

    def moved(t: Transition) -> Transition:
        if t.s_next != END:
            return t
        return t._replace(s_next=last, gamma=t.gamma if problem.discount(t) == there else problem.discount(t))

    empty = [[0] * problem.k] * problem.actions if problem.action_values else [0] * problem.k
    changed: dict[str, Any] = {
        "gamma": gamma,
        "features": [*problem.features, *[empty] * n],
        "transitions": [moved(t) for t in problem.transitions],
        "behaviour": [*problem.behaviour, *none * n],
        "target": [*problem.target, *none * n],
        "terminal": problem.terminal or added,
        "start": start,
        "state_weights": weights,
        "interest": [*problem.interest, *[1] * n],
        "state_names": problem.state_names and (*problem.state_names, *["the end"] * n),
    }
    return replace(problem, **changed)


def write_problem(problem: Problem | MatrixProblem, path: str | Path, comments: Iterable[str] = ()) -> None:
    """Write a problem file; whoever reads the path sees the old file or the whole new one.

    Raises:
        BadProblem: the problem cannot be written as a file (see `problem_text`).
        BadOption: the path cannot be written.
    """
    write_whole(path, problem_text(problem, comments))


def _matrices(problem: MatrixProblem) -> dict[str, str]:
    """Return the keys of [matrices]."""
    b = [value for (value,) in problem.b.rows]
    return {"A": _rows(problem.A.rows, "A"), "b": _row(b, "b"), "C": _rows(problem.C.rows, "C")}


def _process(problem: Problem) -> dict[str, str]:
    """Return the keys of [mdp]."""
    entries = []
    for s, a, s_next, *numbers in problem.transitions:
        written = [_number(value, "transitions") for value in numbers if value is not None]
        entries.append(f"  [{s}, {a}, {s_next}, {', '.join(written)}],")
    own = any(t.gamma is not None for t in problem.transitions)
    heading = "  # state, action, next state, probability, reward" + (", and its own gamma" if own else "")
    table = {"transitions": "\n".join(["[", heading, *entries, "]"])}
    table["behaviour"] = _rows(problem.behaviour, "behaviour")
    table["target"] = _rows(problem.target, "target")
    if problem.terminal:
        table["terminal"] = f"[{', '.join(map(str, problem.terminal))}]"
    for key, row in (("start", problem.start), ("state_weights", problem.state_weights)):
        if row is not None:
            table[key] = _row(row, key)
    return table


def _averaged(problem: Problem) -> dict[str, str]:
    """Return the keys of [mrp]."""
    own = problem.action_values or any(t.gamma is not None for t in problem.transitions)
    if own or problem.actions > 1 or problem.terminal or problem.start is not None:
        raise BadProblem(
            f"{problem.name}: is for independent samples only, and a file can say so of [mrp] alone: one action, "
            "neither terminal nor start, features and gamma by state"
        )
    n = problem.states
    P = [[Fraction(0)] * n for _ in range(n)]
    rewards: list[Fraction | None] = [None] * n
    for s, _, s_next, probability, reward, _ in problem.transitions:
        if rewards[s] not in (None, reward):
            raise BadProblem(f"{problem.name}: state {s} has more than one reward; [mrp] holds one a state")
        rewards[s] = reward
        if s_next != END:
            P[s][s_next] += probability
    weights = '"stationary"' if problem.state_weights is None else _row(problem.d, "d")
    return {"P": _rows(P, "P"), "r": _row([r or 0 for r in rewards], "r"), "d": weights}


def _rows(rows: Sequence[Sequence[Any]], key: str) -> str:
    written = [_row(row, f"{key}, state {s}") for s, row in enumerate(rows)]
    one_line = f"[{', '.join(written)}]"
    if len(one_line) <= 90:
        return one_line
    return "\n".join(["[", *(f"  {row}," for row in written), "]"])


def _features(problem: Problem) -> str:
    if not problem.action_values:
        return _rows(problem.features, "features")
    states = [_rows(actions, f"features, state {s}") for s, actions in enumerate(problem.features)]
    return "\n".join(["[", *(f"  {' '.join(rows.split())}," for rows in states), "]"])


def _row(row: Sequence[Any], where: str) -> str:
    return f"[{', '.join(_number(value, where) for value in row)}]"


def _number(value: Any, where: str) -> str:
    """Return an integer as it is, where every reader can hold it, and any other number as text."""
    if isinstance(value, Surd):
        raise BadProblem(f"{where}: {value} is irrational; a problem file holds fractions only")
    exact = Fraction(value)
    text = number_text(exact)
    if len(text) > LONGEST:
        raise BadProblem(f"{where}: a number of {len(text)} characters; a problem file holds at most {LONGEST}")
    plain = exact.denominator == 1 and abs(exact.numerator) < _PLAIN_INTEGER
    return text if plain else f'"{text}"'


def _quoted(text: str) -> str:
    return '"' + "".join(_SHORT.get(c, _escaped(c)) for c in text) + '"'


def _escaped(text: str) -> str:
    """Return text with every character that is no plain sight as an escape of TOML."""
    parts = []
    for c in text:
        if "\ud800" <= c <= "\udfff":
            raise BadProblem(f"name: {text!a} has half a surrogate pair, which no file of text holds")
        shown = c if c.isprintable() else f"\\u{ord(c):04X}" if ord(c) <= 0xFFFF else f"\\U{ord(c):08X}"
        parts.append(shown)
    return "".join(parts)
