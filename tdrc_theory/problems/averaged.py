"""Reward processes already averaged over the target policy: P, r and d, without actions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadProblem
from tdrc_theory.problem import END, Problem
from tdrc_theory.reader import Reader, check_probabilities, is_list, of_length, shown


def averaged_process(
    *,
    name: str,
    gamma: Any,
    features: Sequence[Sequence[Any]],
    P: Sequence[Sequence[Any]],
    r: Sequence[Any],
    d: Sequence[Any],
    initial_weights: Sequence[Any] | None = None,
    interest: Sequence[Any] | None = None,
    notes: tuple[str, ...] = (),
) -> Problem:
    """Return the problem with transition matrix P (S, S), rewards r (S,) and state weights d (S,).

    What a row of P lacks to 1 terminates. Importance ratios are 1, and only independent samples make sense.

    Raises:
        BadProblem: shapes differ, an entry is no number or negative, a row of P sums to more than 1, or d not to 1.
    """
    reader = Reader()
    x = [reader.listed(row, f"features, state {s}") for s, row in enumerate(reader.listed(features, "features"))]
    states = len(x)
    if any(is_list(entry) for row in x for entry in row):
        raise BadProblem("features: by state and action; a process averaged over its policy has them by state")
    rows = of_length(reader.listed(P, "P"), states, "P", "states")
    rewards = of_length(reader.row(r, "r"), states, "r", "states")
    transitions: list[tuple[int, int, int, Fraction, Fraction]] = []
    for s, given in enumerate(rows):
        row: list[Fraction] = of_length(reader.row(given, f"P, state {s}"), states, f"P, state {s}", "states")
        for t, p in enumerate(row):
            if p < 0:
                raise BadProblem(f"P, state {s}, entry {t}: {shown(p)} is negative")
        missing = 1 - sum(row, Fraction(0))
        if missing < 0:
            raise BadProblem(f"P, state {s}: entries sum to {shown(1 - missing)}, more than 1")
        transitions += [(s, 0, t, p, rewards[s]) for t, p in enumerate(row)]
        transitions.append((s, 0, END, missing, rewards[s]))
    weights = of_length(reader.row(d, "d"), states, "d", "states")
    check_probabilities(weights, "d")
    return Problem(
        name=name,
        gamma=gamma,
        features=x,
        transitions=transitions,
        behaviour=[[1]] * states,
        target=[[1]] * states,
        state_weights=weights,
        initial_weights=initial_weights,
        interest=interest,
        independent_only=True,
        notes=(*notes, *reader.notes()),
    )
