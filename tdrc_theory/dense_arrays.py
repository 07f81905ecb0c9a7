"""Dense arrays of probabilities and rewards, in both orders that are in use, as a list of transitions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tdrc_theory.errors import BadProblem
from tdrc_theory.reader import Reader, is_list, of_length, shown

_MEANS = {"SAS": "P[s][a][s_next]", "ASS": "P[a][s][s_next]"}


def dense_transitions(P: Any, R: Any, order: str | None, states: int, actions: int) -> list[tuple[Any, ...]]:
    """Return the transitions of dense arrays.

    Args:
        P: (S, A, S) or (A, S, S), the probability of each transition.
        R: (S, A), or by transition in the order of P.
        order: `SAS` or `ASS`, which P is; None where the shape alone leaves no choice.
        states: S.
        actions: A. In the order SAS a state may list fewer; those that it lacks have no transitions.

    Raises:
        BadProblem: a shape is another, or the order is needed and missing.
    """
    probabilities = _listed(P, "P")
    order = _order(probabilities, order, states, actions)
    rewards = _listed(R, "R")
    by_transition = any(is_list(value) for part in rewards for value in part)
    reward_order = order if by_transition else "SAS"
    if not _fits(rewards, reward_order, states, actions):
        sizes = {"S": states, "A": actions}
        as_P = f"({', '.join(order)}) = {tuple(sizes[letter] for letter in order)}, as P"
        raise BadProblem(f"R: its shape is {_shape(rewards)}; allowed: (S, A) = {(states, actions)}, or {as_P}")
    transitions: list[tuple[Any, ...]] = []
    for s in range(states):
        for a in range(len(probabilities[s]) if order == "SAS" else actions):
            where = f"state {s}, action {a}"
            row = Reader().listed(_at(probabilities, order, s, a), f"P, {where}")
            of_length(row, states, f"P, {where}", "states")
            try:
                paid = _at(rewards, reward_order, s, a)
            except IndexError:
                raise BadProblem(f"R, {where}: no reward, but P has probabilities there") from None
            if by_transition:
                paid = of_length(Reader().listed(paid, f"R, {where}"), states, f"R, {where}", "states")
            transitions += [(s, a, t, p, paid[t] if by_transition else paid) for t, p in enumerate(row)]
    return transitions


def action_count(behaviour: Sequence[Any], terminal: Collection[Any]) -> int:
    """Return A, the length of the longest row of a policy; those of terminal states are not read."""
    rows = [Reader().listed(row, f"behaviour, state {s}") for s, row in enumerate(behaviour) if s not in terminal]
    return max(map(len, rows), default=0)


def _listed(array: Any, key: str) -> list[list[Any]]:
    listed = Reader().listed
    return [listed(part, f"{key}, entry {i}") for i, part in enumerate(listed(array, key))]


def _order(P: list[list[Any]], order: str | None, states: int, actions: int) -> str:
    """Return the order of P: the one that is named, or the only one that its shape allows."""
    if order is not None and order not in _MEANS:
        raise BadProblem(f"order: {shown(order)} is neither 'SAS', {_MEANS['SAS']}, nor 'ASS', {_MEANS['ASS']}")
    possible = [each for each in _MEANS if _fits(P, each, states, actions)]
    sizes = {"SAS": (states, actions, states), "ASS": (actions, states, states)}
    if (order or "SAS") not in possible and (order is not None or not possible):
        allowed = " or ".join(f"({', '.join(each)}) = {sizes[each]}" for each in ([order] if order else _MEANS))
        where = f"features have {states} rows, behaviour {actions} actions"
        raise BadProblem(f"P: its shape is {_shape(P)}; allowed: {allowed}, since {where}")
    if order is None and len(possible) > 1 and states > 1:
        choices = ", or ".join(f"order='{each}' for {meaning}" for each, meaning in _MEANS.items())
        raise BadProblem(
            f"P: its shape {_shape(P)} is (S, A, S) and (A, S, S) alike, since S = A = {states}; write {choices}"
        )
    return order or possible[0]


def _fits(array: list[list[Any]], order: str, states: int, actions: int) -> bool:
    """Return whether the first two axes of an array have the sizes of an order."""
    lengths = {len(part) for part in array}
    if order == "SAS":
        return len(array) == states and max(lengths, default=0) <= actions
    return len(array) == actions and lengths == {states}


def _at(array: list[list[Any]], order: str, s: int, a: int) -> Any:
    return array[s][a] if order == "SAS" else array[a][s]


def _shape(array: list[list[Any]]) -> str:
    """Return the shape as text; an axis whose length varies is shown with both ends."""
    values = [value for part in array for value in part]
    axes = [{len(array)}, {len(part) for part in array}]
    if any(is_list(value) for value in values):
        axes.append({len(Reader().listed(value, "an entry")) if is_list(value) else 1 for value in values})
    shown_axes = [str(min(axis)) if len(axis) == 1 else f"{min(axis)} to {max(axis)}" for axis in axes if axis]
    return f"({', '.join(shown_axes)})"
