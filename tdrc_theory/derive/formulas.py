"""A learner's quantities as formulas: coefficients, which are of sympy, and products and sums of named data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import Any

import sympy

from tdrc_theory.formula.expression import ZERO, Expr, number, symbol
from tdrc_theory.learner.coefficient import STEP_NUMBERS
from tdrc_theory.learner.quantity import Atom, Key

_SHARED = {*STEP_NUMBERS, "R", "R_2"}
_RENAMED = {"x_next": "x'", "reward": "R", "reward_2": "R_2"}
_SYMBOLS = {"x", "x'", "x_next_2", "x_bar", "x_bar_2", "w", "h", "delta", "delta_bar", "R", "R_2"}
"""What is called so in formulas too; any other name is a learner's own."""
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
    if isinstance(value, sympy.Piecewise):  # a value and its condition; the value alone of what is left
        pieces = (piece.args[:1] if piece.args[1] == sympy.true else piece.args for piece in value.args)
        return Expr("cases", tuple(Expr("row", tuple(map(coefficient, piece))) for piece in pieces))
    if value.func in _RELATIONS:
        return Expr(_RELATIONS[value.func], tuple(map(coefficient, value.args)))
    return Expr(_FUNCTIONS[value.func], tuple(map(coefficient, sorted(value.args, key=str))))


def combination(parts: Sequence[tuple[Any, Expr]], zero: Expr = ZERO) -> Expr:
    """Return c1 v1 + c2 v2 - ..., `zero` where there is nothing to add."""
    terms = []
    for c, value in parts:
        negative = c.could_extract_minus_sign()
        size = -c if negative else c
        term = value if size == 1 else coefficient(size) * value
        terms.append(-term if negative else term)
    return reduce(add, terms) if terms else zero


def named(name: str, scalar: bool = False) -> Expr:
    """Return a vector or a number by its name."""
    name = _RENAMED.get(name, name)
    return symbol(name) if name in _SYMBOLS else Expr("scalar" if scalar else "vector", (), name)


def componentwise(vectors: tuple[str, ...]) -> Expr:
    """Return a componentwise product."""
    return named(vectors[0]) if len(vectors) == 1 else Expr("entrywise", tuple(map(named, vectors)))


def number_of(atom: Atom) -> Expr:
    """Return a number, by name or as a dot product."""
    if atom == ("h", "x"):
        return symbol("delta_hat")
    return named(atom[0], scalar=True) if len(atom) == 1 else named(atom[0]).T * named(atom[1])


def product_of(factors: Sequence[Expr]) -> Expr:
    """Return a product in which each factor stays one; 1 of none."""
    if not factors:
        return number(1)
    return factors[0] if len(factors) == 1 else Expr("mul", tuple(factors))


def sample(key: Key) -> Expr:
    """Return a product of numbers and at most one vector."""
    return product_of([*map(number_of, key[0]), *([componentwise(key[1])] if key[1] else [])])
