"""Dense arrays of probabilities and rewards, (S, A, S) or (A, S, S), as a list of transitions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tdrc_theory.errors import BadProblem
from tdrc_theory.problem.reader import Reader, is_list, of_length, shown

_MEANS = {"SAS": "P[s][a][s_next]", "ASS": "P[a][s][s_next]"}


def dense_fields(P: Any, R: Any, order: str | None, features: Any, behaviour: Any, terminal: Any) -> dict[str, Any]:
    """Return the fields of a Problem that dense arrays and what tells their sizes are of.

    Args:
        P: (S, A, S) or (A, S, S), the probability of each transition; a list of sparse matrices too.
        R: (S,), (S, A), or by transition in the order of P.
        order: `SAS` or `ASS`, which P is; None where the shapes leave no choice.
        features, behaviour, terminal: of a Problem; S is the length of the first. A is that of the rows of the second,
            or P's where it has none. In the order SAS a state may list fewer; those that it lacks have no transitions.

    Raises:
        BadProblem: a shape is another, or the order is needed and missing.
    """
    listed = Reader().listed
    rows, ends = listed(features, "features"), listed(terminal, "terminal")
    policy = behaviour if isinstance(behaviour, Mapping) else listed(behaviour, "behaviour")
    transitions = _transitions(P, R, order, len(rows), _action_count(policy, ends))
    return {"features": rows, "behaviour": policy, "terminal": ends, "transitions": transitions}


def _transitions(P: Any, R: Any, order: str | None, states: int, actions: int | None) -> list[tuple[Any, ...]]:
    probabilities = _listed(P, "P")
    order = _order(probabilities, order, states, actions)
    rows = _by_state(probabilities, order)
    if actions is None:
        actions = max(map(len, rows), default=0)
    rewards, by = _rewards(R, order, states, actions)
    transitions: list[tuple[Any, ...]] = []
    for s in range(states):
        for a, row in enumerate(rows[s]):
            where = f"state {s}, action {a}"
            row = of_length(Reader().listed(row, f"P, {where}"), states, f"P, {where}", "states")
            try:
                paid = rewards[s] if by == "state" else rewards[s][a]
            except IndexError:
                raise BadProblem(f"R, {where}: no reward, but P has probabilities there") from None
            if by == "transition":
                paid = of_length(Reader().listed(paid, f"R, {where}"), states, f"R, {where}", "states")
            transitions += [(s, a, t, p, paid[t] if by == "transition" else paid) for t, p in enumerate(row)]
    return transitions


def _rewards(R: Any, order: str, states: int, actions: int) -> tuple[list[Any], str]:
    """Return rewards as lists by state, and what they are by: `state`, `pair` of state and action, or `transition`."""
    rewards = Reader().listed(R, "R")
    if len(rewards) == states and not any(map(is_list, rewards)):
        return rewards, "state"
    rewards = _listed(rewards, "R")
    by_transition = any(is_list(value) for part in rewards for value in part)
    if not _fits(rewards, order if by_transition else "SAS", states, actions):
        sizes = {"S": states, "A": actions}
        as_P = f"({', '.join(order)}) = {tuple(sizes[letter] for letter in order)}, as P"
        allowed = f"(S,) = ({states},), (S, A) = {(states, actions)}, or {as_P}"
        raise BadProblem(f"R: its shape is {_shape(rewards)}; allowed: {allowed}")
    return (_by_state(rewards, order), "transition") if by_transition else (rewards, "pair")


def _action_count(policy: Any, terminal: Collection[Any]) -> int | None:
    """Return A, the length of the longest row of a policy, those of terminal states left out; None without rows."""
    tables = policy.values() if isinstance(policy, Mapping) else [policy]
    listed = [Reader().listed(table, "behaviour") for table in tables if is_list(table)]
    lives = [row for table in listed for s, row in enumerate(table) if s not in terminal and is_list(row)]
    return max((len(Reader().listed(row, "behaviour")) for row in lives), default=None)


def _listed(array: Any, key: str) -> list[list[Any]]:
    listed = Reader().listed
    return [listed(part, f"{key}, entry {i}") for i, part in enumerate(listed(array, key))]


def _order(P: list[list[Any]], order: str | None, states: int, actions: int | None) -> str:
    """Return the order of P: the one that is named, or the only one that its shape allows."""
    if order is not None and order not in _MEANS:
        raise BadProblem(f"order: {shown(order)} is neither 'SAS', {_MEANS['SAS']}, nor 'ASS', {_MEANS['ASS']}")
    possible = [each for each in _MEANS if _fits(P, each, states, actions)]
    if (order or "SAS") not in possible and (order is not None or not possible):
        A = "A" if actions is None else actions
        sizes = {"SAS": f"({states}, {A}, {states})", "ASS": f"({A}, {states}, {states})"}
        allowed = " or ".join(f"({', '.join(each)}) = {sizes[each]}" for each in ([order] if order else _MEANS))
        where = f"features have {states} rows" + ("" if actions is None else f", behaviour {actions} actions")
        raise BadProblem(f"P: its shape is {_shape(P)}; allowed: {allowed}, since {where}")
    if order is None and len(possible) > 1 and states > 1:
        choices = ", or ".join(f"order='{each}' for {meaning}" for each, meaning in _MEANS.items())
        raise BadProblem(
            f"P: its shape {_shape(P)} is (S, A, S) and (A, S, S) alike, since S = A = {states}; write {choices}"
        )
    return order or possible[0]


def _fits(array: list[list[Any]], order: str, states: int, actions: int | None) -> bool:
    """Return whether the first two axes of an array have the sizes of an order; A may be open."""
    lengths = {len(part) for part in array}
    if order == "SAS":
        return len(array) == states and (actions is None or max(lengths, default=0) <= actions)
    return actions in (None, len(array)) and lengths == {states}


def _by_state(array: list[list[Any]], order: str) -> list[Any]:
    return array if order == "SAS" else list(zip(*array, strict=True))


def _shape(array: list[list[Any]]) -> str:
    """Return the shape as text; an axis whose length varies is shown with both ends."""
    values = [value for part in array for value in part]
    axes = [{len(array)}, {len(part) for part in array}]
    if any(is_list(value) for value in values):
        axes.append({len(Reader().listed(value, "an entry")) if is_list(value) else 1 for value in values})
    shown_axes = [str(min(axis)) if len(axis) == 1 else f"{min(axis)} to {max(axis)}" for axis in axes if axis]
    return f"({', '.join(shown_axes)})"
