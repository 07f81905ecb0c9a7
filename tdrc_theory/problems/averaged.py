"""Reward processes already averaged over the target policy: P, r and d, without actions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadNumber, BadProblem
from tdrc_theory.exact import exact
from tdrc_theory.problem import END, Problem


def averaged_process(
    *,
    name: str,
    gamma: Any,
    features: Sequence[Sequence[Any]],
    P: Sequence[Sequence[Any]],
    r: Sequence[Any],
    d: Sequence[Any],
    initial_weights: Sequence[Any] | None = None,
    notes: tuple[str, ...] = (),
) -> Problem:
    """Return the problem with transition matrix P (S, S), rewards r (S,) and state weights d (S,).

    What a row of P lacks to 1 terminates. Importance ratios are 1, and only independent samples make sense.

    Raises:
        BadProblem: shapes differ, an entry is no number or negative, a row of P sums to more than 1, or d not to 1.
    """
    states = len(features)
    for key, rows in (("P", P), ("r", r), ("d", d)):
        if isinstance(rows, str) or not hasattr(rows, "__len__") or len(rows) != states:
            raise BadProblem(f"{key}: needs one entry for each of the {states} states")
    transitions: list[tuple[int, int, int, Fraction, Any]] = []
    for s, row in enumerate(P):
        if isinstance(row, str) or not hasattr(row, "__len__") or len(row) != states:
            raise BadProblem(f"P, state {s}: needs one number for each of the {states} states")
        probabilities = [_number(p, f"P, state {s}, entry {t}") for t, p in enumerate(row)]
        for t, p in enumerate(probabilities):
            if p < 0:
                raise BadProblem(f"P, state {s}, entry {t}: {p} is negative")
        if sum(probabilities) > 1:
            raise BadProblem(f"P, state {s}: entries sum to {sum(probabilities)}, more than 1")
        reward = _number(r[s], f"r, entry {s}")
        transitions += [(s, 0, t, p, reward) for t, p in enumerate(probabilities)]
        transitions.append((s, 0, END, 1 - sum(probabilities, Fraction(0)), reward))
    weights = [_number(weight, f"d, entry {s}") for s, weight in enumerate(d)]
    for s, weight in enumerate(weights):
        if weight < 0:
            raise BadProblem(f"d, entry {s}: {weight} is negative")
    if sum(weights) != 1:
        raise BadProblem(f"d: entries sum to {sum(weights)}, not 1")
    return Problem(
        name=name,
        gamma=gamma,
        features=features,
        transitions=transitions,
        behaviour=[[1]] * states,
        target=[[1]] * states,
        state_weights=weights,
        initial_weights=initial_weights,
        independent_only=True,
        notes=notes,
    )


def _number(value: Any, where: str) -> Fraction:
    try:
        number = exact(value)
    except BadNumber as error:
        raise BadProblem(f"{where}: {error}") from None
    if not isinstance(number, Fraction):
        raise BadProblem(f"{where}: {number} is irrational; only features may be")
    return number
