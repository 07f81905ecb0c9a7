"""Formulas over time: a symbol is its value at time t >= 1, `before` takes that at t - 1, `earlier` sums over the past.

A formula holds where it does at every time t >= 1; its hypotheses are to hold at every time t >= 0.
"""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.formula.expression import Expr, number, operation

OPERATIONS = ("before", "earlier")
before, earlier = map(operation, OPERATIONS)
"""A value at time t - 1; the sum over k < t of a first argument at k times the product of a second over k < j < t."""


def at_time(formula: Expr, t: int) -> Expr:
    """Return what a formula says at time t, over the values of its symbols at each time, named `rho_t[2]`.

    Raises:
        ValueError: it speaks of a time before 0.

    >>> from tdrc_theory.formula.expression import symbol
    >>> sorted(at_time(before(symbol("rho_t")), 2).names())
    ['rho_t[1]']
    """
    if t < 0:
        raise ValueError("a time before 0")
    op, args = formula.op, formula.args
    if op == "symbol":
        return Expr("symbol", (), f"{formula.name}[{t}]")
    if op == "before":
        return at_time(args[0], t - 1)
    if op == "earlier":
        total = number(Fraction(0))
        for k in range(t):
            term = at_time(args[0], k)
            for j in range(k + 1, t):
                term = term * at_time(args[1], j)
            total = total + term
        return total
    return Expr(op, tuple(at_time(argument, t) for argument in args), formula.name)
