"""The parts of a problem, read and checked one by one: features, discounts, policies, transitions, state weights."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tdrc_theory.errors import BadProblem
from tdrc_theory.problem.reader import ROUNDING, Reader, few_states, index, is_list, of_length, shown, whole

Row = tuple[Fraction, ...]
Table = tuple[Row, ...]

END = -1
"""As a next state: the episode ends, and the features there are zero."""

ENTRY = "[s, a, s_next, probability, reward], or these and gamma"


class Transition(NamedTuple):
    """From state s by action a to s_next, or END, with a probability, a reward, and a discount of its own if any."""

    s: int
    a: int
    s_next: int
    probability: Fraction
    reward: Fraction
    gamma: Fraction | None = None


def read_features(reader: Reader, features: Any) -> tuple[tuple[Any, ...], ...]:
    """Return (S, k) or (S, A, k), exact, which may have square roots."""
    listed = [reader.listed(row, f"features, state {s}") for s, row in enumerate(reader.listed(features, "features"))]
    if not (listed and listed[0] and is_list(listed[0][0])):
        rows = reader.table(listed, "features", "state", surds=True)
        if not rows or not rows[0]:
            raise BadProblem("features: a problem needs at least one state and one feature")
        return rows
    pairs = [reader.table(row, f"features, state {s}", "action", surds=True) for s, row in enumerate(listed)]
    for s, actions in enumerate(pairs):
        if len(actions) != len(pairs[0]) or not actions:
            raise BadProblem(f"features, state {s}: {len(actions)} actions, state 0 has {len(pairs[0])}")
        if len(actions[0]) != len(pairs[0][0]) or not actions[0]:
            raise BadProblem(f"features, state {s}: {len(actions[0])} features, state 0 has {len(pairs[0][0])}")
    return tuple(pairs)


def dropped_features(rows: tuple[tuple[Any, ...], ...], terminal: Collection[int]) -> list[str]:
    """Return what a reader should know where features of terminal states are not zeros, as which they are read."""

    def is_zero(row: tuple[Any, ...]) -> bool:
        return not any(any(value) if isinstance(value, tuple) else value for value in row)

    dropped = [s for s in sorted(terminal) if not is_zero(rows[s])]
    if not dropped:
        return []
    return [
        f"features, {few_states(dropped)}: an episode ends there, so they are read as zeros and the value there is 0; "
        "what the end is worth, times gamma, is to be added to the reward of each transition into it"
    ]


def read_name(name: Any) -> str:
    """Return one line of text."""
    if not isinstance(name, str) or not name.strip() or name.splitlines() != [name]:
        raise BadProblem(f"name: {shown(name)} is not one line of text")
    return name


def read_gamma(reader: Reader, gamma: Any, states: int) -> Fraction | Row:
    """Return the discount, or that on arriving in each state."""
    if not is_list(gamma):
        return _discount(reader, gamma, "gamma")
    row = tuple(_discount(reader, value, f"gamma, state {s}") for s, value in enumerate(reader.listed(gamma, "gamma")))
    of_length(row, states, "gamma", "states")
    return row


def _discount(reader: Reader, value: Any, where: str) -> Fraction:
    number = reader.rational(value, where)
    if not 0 <= number <= 1:
        raise BadProblem(f"{where}: {shown(number)} is not in [0, 1]")
    return number


def read_interest(reader: Reader, interest: Any, states: int) -> Row:
    """Return the interest in each state; 1 where none is given."""
    if interest is None:
        return (Fraction(1),) * states
    row: Row = of_length(reader.row(interest, "interest"), states, "interest", "states")
    for s, value in enumerate(row):
        if value < 0:
            raise BadProblem(f"interest, state {s}: {shown(value)} is negative")
    return row


def read_flag(value: Any, key: str) -> bool:
    """Return what is True or False."""
    if not isinstance(value, bool):
        raise BadProblem(f"{key}: {shown(value)} is not True or False")
    return value


def read_notes(reader: Reader, notes: Any) -> tuple[str, ...]:
    """Return lines of text."""
    written = tuple(reader.listed(notes, "notes"))
    if not all(isinstance(note, str) for note in written):
        raise BadProblem(f"notes: {shown(written)} is not a list of text")
    return written


Entry = tuple[Transition, Any]
"""A transition as it is listed, and its probability as it was given."""


def by_pair(entries: Sequence[Entry]) -> dict[tuple[int, int], list[int]]:
    """Return the numbers of the entries of each (s, a)."""
    pairs: dict[tuple[int, int], list[int]] = {}
    for number, (transition, _) in enumerate(entries):
        pairs.setdefault(transition[:2], []).append(number)
    return pairs


def read_entries(reader: Reader, transitions: Any, states: int, terminal: Collection[int]) -> list[Entry]:
    """Return the transitions from states that are not terminal, as they are listed."""
    entries: list[Entry] = []
    for number, entry in enumerate(reader.listed(transitions, "transitions")):
        where = f"transitions, entry {number}"
        parts = reader.listed(entry, where)
        if len(parts) not in (5, 6):
            raise BadProblem(f"{where}: {shown(entry)} is not {ENTRY}")
        s = index(parts[0], states, f"{where}: s", "states")
        if s in terminal:
            continue
        a = whole(parts[1])
        if a is None or a < 0:
            raise BadProblem(f"{where}: a: {shown(parts[1])} is not the number of an action, 0, 1, 2, ...")
        s_next = END if whole(parts[2]) == END else index(parts[2], states, f"{where}: s_next", "states")
        probability = reader.rational(parts[3], f"{where}: probability")
        if probability < (0 if reader.change is None else -ROUNDING):
            raise BadProblem(f"{where}: probability {shown(probability)} from state {s} is negative")
        own = parts[5] if len(parts) == 6 else None
        gamma = None if own is None else _discount(reader, own, f"{where}: gamma")
        reward = reader.rational(parts[4], f"{where}: reward")
        entries.append((Transition(s, a, s_next, probability, reward, gamma), parts[3]))
    return entries


def checked_transitions(
    reader: Reader, entries: Sequence[Entry], behaviour: Table, target: Table
) -> tuple[Transition, ...]:
    """Return the transitions, those that differ in their probability only merged."""
    actions, pairs = len(behaviour[0]), by_pair(entries)
    read = [transition.probability for transition, _ in entries]
    for number, (transition, _) in enumerate(entries):
        index(transition.a, actions, f"transitions, entry {number}: a", "actions")
    for s, (taken, evaluated) in enumerate(zip(behaviour, target, strict=True)):
        for a in range(actions):
            if taken[a] or evaluated[a]:
                where, listed = f"transitions, state {s}, action {a}", pairs.get((s, a), [])
                stored = [entries[i][1] for i in listed]
                row = reader.summing_to_one(tuple(read[i] for i in listed), stored, where, "probabilities")
                for i, probability in zip(listed, row, strict=True):
                    read[i] = probability
    merged: dict[object, Transition] = {}
    for (transition, _), probability in zip(entries, read, strict=True):
        s, a, t, _, r, gamma = transition
        ratios = [None if value is None else value.as_integer_ratio() for value in (r, gamma)]
        alike = s, a, t, *ratios  # cheaper to hash than fractions
        share = probability + merged[alike].probability if alike in merged else probability
        merged[alike] = Transition(s, a, t, share, r, gamma)
    return tuple(transition for transition in merged.values() if transition.probability)


def check_coverage(behaviour: Table, target: Table) -> None:
    """Refuse an action that the target policy takes and behaviour never does."""
    for s, (taken, evaluated) in enumerate(zip(behaviour, target, strict=True)):
        for a, share in enumerate(evaluated):
            if taken[a] == 0 and share != 0:
                raise BadProblem(
                    f"behaviour, state {s}: gives action {a} probability 0 but target gives it {shown(share)}, "
                    "so rho is undefined"
                )


def read_distribution(reader: Reader, weights: Any, key: str, states: int, terminal: Collection[int]) -> Row | None:
    """Return a distribution over the states that are not terminal; None where none is given."""
    if weights is None:
        return None
    row = reader.probabilities(of_length(reader.listed(weights, key), states, key, "states"), key)
    for s in terminal:
        if row[s] != 0:
            raise BadProblem(f"{key}, state {s}: {shown(row[s])} on a terminal state; it must be 0")
    return row


def read_start(reader: Reader, start: Any, states: int, terminal: Collection[int], needed: bool) -> Row | None:
    """Return the distribution of first states, or None where none is given nor needed."""
    if start is None and needed:
        raise BadProblem("start: missing; episodes end, so the next one needs a first state")
    return read_distribution(reader, start, "start", states, terminal)
