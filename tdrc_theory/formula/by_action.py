"""Functions of state and action in formulas: a symbol of each action, and sums of terms over the actions.

A symbol such as `P_a` stands for one matrix or vector of states for each action, so it has a place inside
`actions(...)` only, which takes the sum over all of them.
"""

from __future__ import annotations

from tdrc_theory.formula.expression import Expr, operation, symbol
from tdrc_theory.formula.vocabulary import ACTIONS

FAMILIES = frozenset(each.name for each in ACTIONS)
"""The symbols of each action."""

actions = operation("actions")
"""The sum of a term over all actions."""


def outside(formula: Expr) -> bool:
    """Return whether a symbol of each action stands outside every sum over actions."""
    if formula.op == "actions" or FAMILIES.isdisjoint(formula.names()):
        return False
    return formula.op == "symbol" or any(map(outside, formula.args))


def of_actions(formula: Expr, count: int, action: int | None = None) -> Expr:
    """Return a formula with its sums over `count` actions written out, over symbols named `P_a[0]`, `P_a[1]`, ...

    >>> from tdrc_theory.formula.written import text
    >>> text(of_actions(actions(symbol("B_a") * symbol("P_a")), 2))
    'B_a[0] P_a[0] + B_a[1] P_a[1]'
    """
    if formula.op == "symbol":
        return formula if action is None or formula.name not in FAMILIES else symbol(f"{formula.name}[{action}]")
    if formula.op == "actions":
        first, *others = (of_actions(formula.args[0], count, each) for each in range(count))
        return sum(others, first)
    return Expr(formula.op, tuple(of_actions(part, count, action) for part in formula.args), formula.name)
