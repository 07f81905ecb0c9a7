"""PRISM's explicit files: `.tra` of a DTMC or MDP, and beside it `.srew`, `.trew` and `.lab` of the same name.

The state reward of s is paid by each step from s. Where `.lab` names no initial states, it is state 0. A state without
transitions, a deadlock, ends an episode.
"""

from __future__ import annotations

import os.path
import re
from fractions import Fraction

from tdrc_theory.errors import BadProblem
from tdrc_theory.model_files.model import MOST_ACTIONS, MOST_BYTES, MOST_STATES, Line, Model, lines_of

_LABEL = re.compile(r'(\d+)="([^"]*)"')


def read(path: str) -> Model:
    """Return the model of a `.tra` file and the files beside it."""
    lines = list(lines_of(path, "#"))
    if not lines:
        raise BadProblem(f"{path}: is empty; its first line is the number of states, of choices (MDP) and transitions")
    sizes = lines[0].text.split()
    if len(sizes) not in (2, 3):
        raise lines[0].refused(
            f"{len(sizes)} numbers", "states and transitions (DTMC), or states, choices, transitions"
        )
    choices = len(sizes) == 3
    model = Model(states=lines[0].count(sizes[0], MOST_STATES, "states"))
    if not model.states:
        raise lines[0].refused("no states", "1 or more")
    for line in lines[1:]:
        s, a, t, value = _entry(line, model.states, choices, labelled=True)
        model.move(line, s, a, t, model.probability(line, value))
        model.actions = max(model.actions, a + 1)
    _check_count(lines, sizes[-1], len(lines) - 1)
    base = path[: -len(".tra")]
    for line in _entries_beside(base + ".srew"):
        parts = line.text.split()
        if len(parts) != 2:
            raise line.refused(f"{len(parts)} entries", "state and reward")
        model.state_rewards[line.index(parts[0], model.states, "state")] = model.number(line, parts[1])
    for line in _entries_beside(base + ".trew"):
        s, a, t, value = _entry(line, model.states, choices)
        if t not in model.moves.get((s, a), {}):
            raise line.refused(f"a reward without its transition from {s} by {a} to {t}", "those of the .tra file")
        model.rewards[s, a, t] = model.number(line, value)
    model.start = _start(model, base + ".lab")
    return model


def _entry(line: Line, states: int, choices: bool, labelled: bool = False) -> tuple[int, int, int, str]:
    """Return state, choice, next state and number of a line; a choice may be named behind."""
    parts = line.text.split()
    form = "state, choice, next state and number" if choices else "state, next state and number"
    expected = 4 if choices else 3
    if len(parts) != expected and not (labelled and len(parts) == expected + 1):
        raise line.refused(f"{len(parts)} entries", form + (", and the name of an action" if labelled else ""))
    s, t = line.index(parts[0], states, "state"), line.index(parts[expected - 2], states, "state")
    a = line.index(parts[1], MOST_ACTIONS, "choice") if choices else 0
    return s, a, t, parts[expected - 1]


def _check_count(lines: list[Line], written: str, entries: int) -> None:
    if lines[0].count(written, MOST_BYTES, "entries") != entries:
        raise lines[0].refused(f"{written} entries announced, {entries} there", "as many as announced")


def _entries_beside(path: str) -> list[Line]:
    """Return the lines of a file of rewards, if there is one, below the first, which says how many there are."""
    lines = list(lines_of(path, "#")) if os.path.exists(path) else []
    if lines:
        _check_count(lines, lines[0].text.split()[-1], len(lines) - 1)
    return lines[1:]


def _start(model: Model, path: str) -> list[Fraction]:
    """Return the uniform distribution over the states that are labelled `init`, or over state 0."""
    lines = list(lines_of(path, "#")) if os.path.exists(path) else []
    first: set[int] = set()
    if lines:
        number = next((n for n, name in _LABEL.findall(lines[0].text) if name == "init"), None)
        for line in lines[1:]:
            state, colon, labels = line.text.partition(":")
            if not colon:
                raise line.refused("no colon", "state: numbers of labels")
            if number in labels.split():
                first.add(line.index(state.strip(), model.states, "state"))
    if not first:
        first = {0}
    return [Fraction(int(s in first), len(first)) for s in range(model.states)]
