"""Policies as exact tables of probabilities, from rows, action numbers or tables of action values."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from tdrc_theory.errors import BadProblem
from tdrc_theory.problem.parts import Row, Table, Transition, by_pair, checked_transitions, read_entries
from tdrc_theory.problem.reader import Reader, few_states, is_list, of_length, shown, whole

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

    Args:
        reader: of the numbers.
        behaviour, target, transitions: as a Problem takes them.
        states, live: S, and the states that are not terminal.
        of_features: the number of actions that features are by, if they are.
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
    """Return A, the number of actions.

    Args:
        policies: behaviour and target.
        of_features: the number of actions that features are by, if they are.
        pairs: (s, a) that have transitions.

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
