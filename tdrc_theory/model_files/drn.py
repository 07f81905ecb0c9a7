"""Storm's DRN files (explicit models), of type DTMC or MDP.

The first reward model counts; the reward of a state is paid by each step from it, and that of an action is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from tdrc_theory.errors import BadProblem
from tdrc_theory.model_files.model import MOST_ACTIONS, MOST_STATES, Line, Model, lines_of

TYPES = ("DTMC", "MDP")
_LISTED = re.compile(r"\[([^\]]*)\]")


def read(path: str) -> Model:
    """Return the model of a DRN file."""
    lines = lines_of(path, "//")
    model, names = Model(), list[str]()
    for line in lines:
        key, _, value = line.text.partition(":")
        if key == "@type" and value.strip().upper() not in TYPES:
            raise line.refused(f"a model of type {value.strip()}", ", ".join(TYPES))
        if key == "@reward_models":
            names = _next(lines, line).text.split() if not value.strip() else value.split()
            if names and names[0].startswith("@"):  # an empty list, and what follows it
                names, key = [], names[0]
        if key == "@nr_states":
            below = _next(lines, line)
            model.states = below.count(below.text, MOST_STATES, "states")
        if key == "@model":
            break
    else:
        raise BadProblem(f"{path}: has no @model")
    if not model.states:
        raise BadProblem(f"{path}: @nr_states is missing or 0")
    if len(names) > 1:
        model.notes.append(f"of the reward models {', '.join(names)}, {names[0]} is read")
    first = _states(model, lines)
    if first:
        model.start = [Fraction(int(s in first), len(first)) for s in range(model.states)]
    return model


def _next(lines: Iterator[Line], line: Line) -> Line:
    below = next(lines, None)
    if below is None:
        raise line.refused("the file ends here", "the value in the next line")
    return below


def _states(model: Model, lines: Iterator[Line]) -> set[int]:
    """Read states, actions and transitions; return the states that are labelled init."""
    s, a, first, seen = -1, -1, set[int](), set[int]()
    for line in lines:
        parts = line.text.split()
        if parts[0] == "state":
            s, a = line.index(parts[1] if len(parts) > 1 else "", model.states, "state"), -1
            if s in seen:
                raise line.refused(f"state {s} a second time", "once")
            seen.add(s)
            rest = line.text.split(None, 2)[2] if len(parts) > 2 else ""
            if rest.startswith(("!", "{")):
                raise line.refused(f"{rest.split()[0]}: rates or observations", "neither")
            model.state_rewards[s] = _reward(model, line, rest)
            if "init" in _LISTED.sub(" ", rest).split():
                first.add(s)
        elif parts[0] == "action":
            a += 1
            if s < 0 or a >= MOST_ACTIONS:
                raise line.refused("an action", f"below a state, at most {MOST_ACTIONS}")
            model.actions = max(model.actions, a + 1)
            model.moves[s, a] = {}
            model.action_rewards[s, a] = _reward(model, line, line.text)
        else:
            to, colon, value = line.text.partition(":")
            if not colon or s < 0:
                raise line.refused(
                    "neither a state, an action nor a transition", "state, action, or NEXT : PROBABILITY"
                )
            t = line.index(to.strip(), model.states, "state")
            model.move(line, s, max(a, 0), t, model.probability(line, value.strip()))
    return first


def _reward(model: Model, line: Line, text: str) -> Fraction:
    """Return the first of the rewards in brackets, or 0."""
    listed = _LISTED.search(text)
    return model.number(line, listed[1].split(",")[0].strip()) if listed and listed[1].strip() else Fraction(0)
