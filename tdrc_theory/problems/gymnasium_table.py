"""Gymnasium environments that publish their transition table, as exact problems with tabular features."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.exact import exact
from tdrc_theory.extras import importing
from tdrc_theory.problem import END, Problem

PREFIX = "gymnasium:"
DEFAULT_GAMMA = Fraction(99, 100)
TARGETS = ("uniform", "greedy")
_SWEEPS = 100_000
_TOLERANCE = 1e-12


def gymnasium_problem(
    environment_id: str, gamma: Fraction = DEFAULT_GAMMA, target: str = "greedy", normalise: bool = False
) -> Problem:
    """Return the problem of an environment's published table.

    One feature a state; uniform behaviour; the target policy is uniform, or greedy for the values that value
    iteration finds (the lowest-numbered best action). Published floats become the simplest fractions near them.

    Raises:
        MissingExtra: gymnasium is not installed.
        BadOption: gamma is not in [0, 1], or there is no such target policy.
        BadProblem: there is no such environment, or it publishes no table.
    """
    if not 0 <= gamma <= 1:
        raise BadOption(f"--gamma: {gamma} is not in [0, 1]")
    if target not in TARGETS:
        raise BadOption(f"--target: {target!r} is none; allowed: {', '.join(TARGETS)}")
    table, start = _published(environment_id)
    states, actions = len(table), len(table[0])
    note = "published floats were read as the simplest fractions near them (0.3333333333333333 as 1/3)"
    transitions = [
        (s, a, END if ended else int(s_next), exact(p), exact(reward))
        for s in range(states)
        for a in range(actions)
        for p, s_next, reward, ended in table[s][a]
        if p
    ]
    uniform = [Fraction(1, actions)] * actions
    notes = [f"{environment_id}: {note}"]
    policy = [uniform] * states
    if target == "greedy":
        best = _greedy(transitions, states, actions, float(gamma))
        policy = [[Fraction(int(a == best[s])) for a in range(actions)] for s in range(states)]
        notes.append("the target policy is greedy for values from floating-point value iteration; it is then exact")
    return Problem(
        name=f"{PREFIX}{environment_id}",
        gamma=gamma,
        features=[[int(i == s) for i in range(states)] for s in range(states)],
        transitions=transitions,
        behaviour=[uniform] * states,
        target=policy,
        start=start,
        notes=tuple(notes),
        normalise=normalise,
    )


def _published(environment_id: str) -> tuple[Any, list[Fraction]]:
    name = PREFIX + " ".join(environment_id.split())
    with importing(f"{name} needs", "gymnasium", "gymnasium"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import gymnasium
    try:
        # Apart from the import, which puts a warnings filter of gymnasium's own before this one.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            environment = gymnasium.make(environment_id).unwrapped
    except Exception as error:  # gymnasium has errors of its own for unknown, old and misspelt names
        raise BadProblem(f"{name}: {' '.join(str(error).split())}") from None
    table = getattr(environment, "P", None)
    start = getattr(environment, "initial_state_distrib", None)
    if not isinstance(table, dict) or start is None:
        raise BadProblem(
            f"{name}: publishes no transition table (P and initial_state_distrib); "
            "FrozenLake-v1, CliffWalking-v1 and Taxi-v3 do"
        )
    return table, [_fraction(p) for p in start]


def _fraction(value: Any) -> Fraction:
    number = exact(value)
    assert isinstance(number, Fraction)
    return number


def _greedy(transitions: list[Any], states: int, actions: int, gamma: float) -> list[int]:
    """Value iteration; ties within rounding go to the lowest-numbered action."""
    import numpy as np

    s, a, s_next, p, r = (np.array([float(t[i]) for t in transitions]) for i in range(5))
    source = (s * actions + a).astype(int)
    ended = s_next == END
    arrival = np.where(ended, 0, s_next).astype(int)
    paid = np.bincount(source, p * r, states * actions)
    value = np.zeros(states)
    for _ in range(_SWEEPS):
        ahead = np.bincount(source, p * np.where(ended, 0.0, value[arrival]), states * actions)
        action_values = (paid + gamma * ahead).reshape(states, actions)
        improved = action_values.max(axis=1)
        change = np.abs(improved - value).max()
        value = improved
        if change < _TOLERANCE * max(1.0, np.abs(value).max()):
            break
    else:
        raise BadProblem("--gamma: value iteration does not settle at this discount")
    close = action_values >= action_values.max(axis=1, keepdims=True) - 1e-9 * (1 + np.abs(value))[:, None]
    return [int(row.argmax()) for row in close]
