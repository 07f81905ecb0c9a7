"""Coefficients, which are of sympy, as formulas."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any

import sympy

from tdrc_theory.formula.expression import ZERO, Expr, number, symbol
from tdrc_theory.learner.coefficient import STEP_NUMBERS

_SHARED = {*STEP_NUMBERS, "R", "R_2"}
_FUNCTIONS = {sympy.Min: "min", sympy.Max: "max", sympy.And: "and", sympy.Or: "or"}
_RELATIONS = {
    sympy.Eq: "=",
    sympy.Ne: "!=",
    sympy.StrictLessThan: "<",
    sympy.LessThan: "<=",
    sympy.StrictGreaterThan: ">",
    sympy.GreaterThan: ">=",
}


def coefficient(value: Any) -> Expr:
    """Return a sympy expression as a formula, in the order in which sympy prints it.

    >>> from tdrc_theory.formula.written import text
    >>> rho, gamma = sympy.symbols("rho gamma")
    >>> text(coefficient(gamma * sympy.Min(rho, 1) ** 2 / 2 - 1))
    '1/2 gamma min(1, rho)^2 - 1'
    """
    if value.is_Symbol:
        return symbol(value.name) if value.name in _SHARED else Expr("scalar", (), value.name)
    if value.is_Rational:
        return number(Fraction(int(value.p), int(value.q)))
    if value.is_Add:
        return reduce(add, map(coefficient, value.as_ordered_terms()))
    if value.is_Mul:
        return reduce(mul, map(coefficient, value.as_ordered_factors()))
    if value.is_Pow:
        return coefficient(value.base) ** coefficient(value.exp)
    if isinstance(value, sympy.Piecewise):
        return Expr("cases", tuple(Expr("row", _piece(*piece.args)) for piece in value.args))
    if value.func in _RELATIONS:
        return Expr(_RELATIONS[value.func], tuple(map(coefficient, value.args)))
    return Expr(_FUNCTIONS[value.func], tuple(map(coefficient, sorted(value.args, key=str))))


def _piece(value: Any, where: Any) -> tuple[Expr, ...]:
    """Return a value and its condition; the value alone of what is left."""
    return (coefficient(value),) if where == sympy.true else (coefficient(value), coefficient(where))


def combination(parts: Sequence[tuple[Any, Expr]], zero: Expr = ZERO) -> Expr:
    """Return c1 v1 + c2 v2 - ..., `zero` where there is nothing to add."""
    terms = []
    for c, value in parts:
        negative = c.could_extract_minus_sign()
        size = -c if negative else c
        term = value if size == 1 else coefficient(size) * value
        terms.append(-term if negative else term)
    return reduce(add, terms) if terms else zero
