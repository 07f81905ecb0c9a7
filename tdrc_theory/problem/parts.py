"""The parts of a problem, read and checked: state names, features, discounts, transitions, policies, state weights."""

from __future__ import annotations

import numbers
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NamedTuple

from tdrc_theory.errors import BadProblem
from tdrc_theory.problem.reader import ROUNDING, Reader, few_states, index, is_list, of_length, shown, whole

_STATES = re.compile(r"\bstates? (\d+(?:, \d+)*)")
"""How a message names states: by number, after the word."""


def read_state_names(names: Any) -> tuple[str, ...] | None:
    """Return a name for each state, a line of text; None where none are given.

    Raises:
        BadProblem: one is not a line of text.
    """
    if names is None:
        return None
    listed = Reader().listed(names, "state_names")
    return tuple(read_name(name, f"state_names, state {s}") for s, name in enumerate(listed))


def with_names(text: str, names: Sequence[str] | None) -> str:
    """Return a message in which the names of states stand beside their numbers.

    >>> with_names("state 1 leads to states 0, 2", ["a", "b", "c"])
    'state 1 (b) leads to states 0 (a), 2 (c)'
    """
    if not names:
        return text

    def named(number: re.Match[str]) -> str:
        s = int(number[0])
        return f"{s} ({names[s]})" if s < len(names) else number[0]

    return _STATES.sub(lambda result: re.sub(r"\d+", named, result[0]), text)


@contextmanager
def naming(names: Sequence[str] | None) -> Iterator[None]:
    """Have the errors of a block name states."""
    try:
        yield
    except BadProblem as error:
        raise BadProblem(with_names(str(error), names)) from None


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


def read_name(name: Any, where: str = "name") -> str:
    """Return one line of text."""
    if not isinstance(name, str) or not name.strip() or name.splitlines() != [name]:
        raise BadProblem(f"{where}: {shown(name)} is not one line of text")
    return str(name)


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
    row: Row = of_length(reader.row(interest, "interest", entry="state"), states, "interest", "states")
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
        parts: Sequence[Any] = reader.listed(entry, where) if is_list(entry) else ()
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
    row = reader.probabilities(of_length(reader.listed(weights, key), states, key, "states"), key, "state")
    for s in terminal:
        if row[s] != 0:
            raise BadProblem(f"{key}, state {s}: {shown(row[s])} on a terminal state; it must be 0")
    return row


GREEDY, EPSILON_GREEDY = "greedy", "epsilon-greedy"
_FORMS = (
    "a row of probabilities a state; or the number of its action; or a table Q of action values as "
    f"{{{GREEDY!r}: Q}} or {{{EPSILON_GREEDY!r}: Q, 'epsilon': 1/10}}"
)
_TIE = Fraction(1, 10**9)
"""How close, relative to their size, floats of a Q table count as equal: learned values have no more digits."""


class Policy(NamedTuple):
    """A policy before the number of actions is known.

    Attributes:
        key: `behaviour` or `target`.
        rows: of each live state, its probabilities, or the number of the action that it always takes.
        width: the length of the longest row; None where there are action numbers only.
        notes: of the ties that were broken.
    """

    key: str
    rows: dict[int, Row | int]
    width: int | None
    notes: tuple[str, ...]

    def table(self, states: int, actions: int) -> Table:
        """Return (states, actions), a state's missing actions and terminal states filled up with zeros.

        Raises:
            BadProblem: an action has a larger number.
        """
        filled = []
        for s in range(states):
            row = self.rows.get(s, ())
            if isinstance(row, int):
                if row >= actions:
                    raise BadProblem(f"{self.key}, state {s}: {row} is not one of the {actions} actions")
                row = (Fraction(0),) * row + (Fraction(1),)
            filled.append((*row, *[Fraction(0)] * (actions - len(row))))
        return tuple(filled)


def read_actions(
    reader: Reader,
    behaviour: Any,
    target: Any,
    transitions: Any,
    states: int,
    live: tuple[int, ...],
    of_features: int | None,
) -> tuple[Table, Table, tuple[Transition, ...], tuple[str, ...]]:
    """Return behaviour, target and the transitions, which have the same actions, and notes of ties that were broken.

    `live` are the states that are not terminal; `of_features` is the number of actions that features are by, if any.
    """
    policies = [read_policy(reader, p, key, states, live) for key, p in (("behaviour", behaviour), ("target", target))]
    entries = read_entries(reader, transitions, states, set(range(states)) - set(live))
    actions = count_actions(policies, of_features, by_pair(entries))
    taken, evaluated = (policy.table(states, actions) for policy in policies)
    notes = tuple(note for policy in policies for note in policy.notes)
    return taken, evaluated, checked_transitions(reader, entries, taken, evaluated), notes


def read_policy(reader: Reader, policy: Any, key: str, states: int, live: tuple[int, ...]) -> Policy:
    """Return a policy in one of the forms that `_FORMS` lists; the entries of terminal states are not read.

    Raises:
        BadProblem: it has none of these forms, or is no policy.
    """
    notes: tuple[str, ...] = ()
    rows: dict[int, Row | int]
    if isinstance(policy, Mapping):
        rows, notes = _of_values(reader, policy, key, states, live)
    else:
        listed = of_length(reader.listed(policy, key), states, key, "states")
        rows = {s: _row(reader, listed[s], f"{key}, state {s}") for s in live}
    width = max((len(row) for row in rows.values() if not isinstance(row, int)), default=None)
    return Policy(key, rows, width, notes)


def count_actions(policies: Sequence[Policy], of_features: int | None, pairs: Collection[tuple[int, int]]) -> int:
    """Return A, the number of actions of policies, of features where they are by action, and of transitions.

    Raises:
        BadProblem: these differ in it, or a policy's row is too short for the transitions.
    """
    widths = [policy.width for policy in policies if policy.width is not None]
    if widths and widths[-1] != widths[0]:
        raise BadProblem(f"target: rows have {widths[-1]} numbers, behaviour's have {widths[0]}")
    numbered = [row + 1 for policy in policies for row in policy.rows.values() if isinstance(row, int)]
    actions = widths[0] if widths else of_features or max([*numbered, *(a + 1 for _, a in pairs)])
    if of_features not in (None, actions):
        raise BadProblem(f"features: {of_features} actions in each state, behaviour has {actions}")
    for policy in policies:
        for s, row in policy.rows.items():
            if not isinstance(row, int) and any((s, a) in pairs for a in range(len(row), actions)):
                first = policy.rows[min(policy.rows)]
                others = "" if isinstance(first, int) else f", state {min(policy.rows)} has {len(first)}"
                raise BadProblem(
                    f"{policy.key}, state {s}: {len(row)} numbers{others}; each needs one for every action that "
                    "transitions has there"
                )
    return actions


def _row(reader: Reader, entry: Any, where: str) -> Row | int:
    if is_list(entry):
        row = reader.probabilities(entry, where)
        if not row:
            raise BadProblem(f"{where}: an empty row; allowed: {_FORMS}")
        return row
    action = whole(entry)
    if action is None or action < 0:
        raise BadProblem(f"{where}: {shown(entry)} is neither a list nor the number of an action; allowed: {_FORMS}")
    return action


def _of_values(
    reader: Reader, policy: Mapping[Any, Any], key: str, states: int, live: tuple[int, ...]
) -> tuple[dict[int, Row | int], tuple[str, ...]]:
    """Return the rows of a policy that is greedy, or epsilon-greedy, for action values, and a note of its ties."""
    forms = {GREEDY: {GREEDY}, EPSILON_GREEDY: {EPSILON_GREEDY, "epsilon"}}
    form = next((name for name, keys in forms.items() if set(policy) == keys), None)
    if form is None:
        raise BadProblem(f"{key}: {shown(dict(policy))} is no policy; allowed: {_FORMS}")
    epsilon = reader.rational(policy["epsilon"], f"{key}, epsilon") if form == EPSILON_GREEDY else Fraction(0)
    if not 0 <= epsilon <= 1:
        raise BadProblem(f"{key}, epsilon: {shown(epsilon)} is not in [0, 1]")
    table = of_length(reader.listed(policy[form], key), states, key, "states")
    rows: dict[int, Row | int] = {}
    tied: list[int] = []
    for s in live:
        listed = reader.listed(table[s], f"{key}, state {s}")
        values: Row = reader.row(listed, f"{key}, state {s}")
        if not values:
            raise BadProblem(f"{key}, state {s}: no action values")
        rounded = any(isinstance(v, numbers.Real) and not isinstance(v, numbers.Rational) for v in listed)
        best = _best(values, rounded)
        tied += [s] if len(best) > 1 else []
        share = epsilon / len(values)
        rows[s] = tuple(share + (1 - epsilon if a == best[0] else 0) for a in range(len(values)))
    note = f"{key}, {few_states(tied)}: several actions have the largest value; {form} takes the lowest-numbered"
    return rows, ((note,) if tied else ())


def _best(values: Row, rounded: bool) -> list[int]:
    """Return the actions of largest value; floats within rounding of each other count as equal."""
    largest = max(values)
    least = largest - _TIE * (1 + abs(largest)) if rounded else largest
    return [a for a, value in enumerate(values) if value >= least]
