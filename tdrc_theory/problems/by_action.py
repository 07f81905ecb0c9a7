"""A problem's states with action values: each action has its own copy of the features."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tdrc_theory.problem import Problem


def by_action(problem: Problem) -> Problem:
    """Return a problem of state values with features by state and action: x(s, a) is x(s) in the a-th of A blocks.

    >>> from tdrc_theory.problems.random_walk import tabular
    >>> walk = by_action(tabular())
    >>> walk.k, walk.action_values
    (10, True)
    """
    actions, k = problem.actions, problem.k
    blocks: Any = [
        [[0] * (k * a) + list(row) + [0] * (k * (actions - 1 - a)) for a in range(actions)] for row in problem.features
    ]
    return replace(problem, features=blocks, initial_weights=problem.initial_weights * actions)
