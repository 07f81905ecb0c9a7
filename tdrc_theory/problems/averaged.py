"""Reward processes already averaged over the target policy: P, r and d, without actions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadProblem
from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.parts import Row, naming, read_flag, read_state_names
from tdrc_theory.problem.reader import ROUNDING, Reader, is_list, of_length, of_rounding, shown


def averaged_process(
    *,
    name: str,
    gamma: Any,
    features: Sequence[Sequence[Any]],
    P: Sequence[Sequence[Any]],
    r: Sequence[Any],
    d: Sequence[Any] | str = "stationary",
    initial_weights: Sequence[Any] | None = None,
    interest: Sequence[Any] | None = None,
    notes: tuple[str, ...] = (),
    normalise: bool = False,
    state_names: Sequence[str] | None = None,
) -> Problem:
    """Return the problem with transition matrix P (S, S), rewards r (S,) and state weights d (S,).

    What a row of P lacks to 1 terminates. Importance ratios are 1, and only independent samples make sense.

    Args:
        name, gamma, features, initial_weights, interest, notes, state_names: as those of a Problem.
        P: arrays, sparse matrices and tensors will do, too.
        r: of each state.
        d: "stationary" stands for the stationary distribution of P, of which no row may then terminate.
        normalise: rows of P and d that sum to 1 up to 1e-6 are divided by their sum.

    Raises:
        BadProblem: shapes differ, an entry is no number or negative, a row of P sums to more than 1, or d not to 1.

    >>> turn = averaged_process(name="turn", gamma=0.9, features=[[1], [2]], P=[[0.5, 0.5], [1, 0]], r=[1, 0])
    >>> turn.d
    (Fraction(2, 3), Fraction(1, 3))
    """
    reader = Reader(read_flag(normalise, "normalise"))
    x = [reader.listed(row, f"features, state {s}") for s, row in enumerate(reader.listed(features, "features"))]
    states = len(x)
    if any(is_list(entry) for row in x for entry in row):
        raise BadProblem("features: by state and action; a process averaged over its policy has them by state")
    rows = of_length(reader.listed(P, "P"), states, "P", "states")
    rewards = of_length(reader.row(r, "r", entry="state"), states, "r", "states")
    names = read_state_names(state_names)
    transitions: list[tuple[int, int, int, Fraction, Fraction]] = []
    with naming(names):
        for s, values in enumerate(rows):
            row = _row(reader, values, f"P, state {s}", states)
            missing = 1 - sum(row, Fraction(0))
            if missing and _is_stationary(d):
                raise BadProblem(
                    f"d: a chain that ends has no stationary weights, and P, state {s}, sums to {shown(1 - missing)}; "
                    f"give d as a list{of_rounding(1 - missing)}"
                )
            if 0 < missing <= ROUNDING:
                notes = (
                    *notes,
                    f"P, state {s}: lacks {shown(missing)} to 1, so an episode ends there with that probability",
                )
            transitions += [(s, 0, t, p, rewards[s]) for t, p in enumerate(row)]
            transitions.append((s, 0, END, missing, rewards[s]))
    weights = None
    if not _is_stationary(d):
        weights = reader.probabilities(of_length(reader.listed(d, "d"), states, "d", "states"), "d", "state")
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
        normalised=reader.change,
        state_names=names,
    )


def _is_stationary(d: Any) -> bool:
    """Return whether d is the word, and not an array of numbers."""
    return isinstance(d, str) and d == "stationary"


def _row(reader: Reader, values: Any, where: str, states: int) -> Row:
    """Return a row of P, of which what is missing to 1 ends an episode."""
    listed = of_length(reader.listed(values, where), states, where, "states")
    row: Row = reader.row(listed, where)
    total = sum(row, Fraction(0))
    if reader.change is not None and abs(total - 1) <= ROUNDING:
        return reader.probabilities(listed, where)
    for t, p in enumerate(row):
        if p < 0:
            raise BadProblem(f"{where}, entry {t}: {shown(p)} is negative")
    if total > 1:
        raise BadProblem(f"{where}: entries sum to {shown(total)}, more than 1{of_rounding(total)}")
    return row
