"""What an algorithm's function implies, as formulas: its directions on one transition, G and g."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.formula.expression import Expr, I, block, number, symbol
from tdrc_theory.learner.quantity import Key

_LETTERS = {"I": I, "A": symbol("A"), "A^T": symbol("A").T, "C": symbol("C"), "b": symbol("b")}


@cache
def derived_G(algorithm: str) -> Expr:
    """Return G as a block matrix over A, A^T, C and I."""
    from tdrc_theory.derive.symbolic import derive

    zero = number(0) * I
    return block([[_combination(cell, zero) for cell in row] for row in derive(find_algorithm(algorithm)).G])


@cache
def derived_g(algorithm: str) -> Expr:
    """Return g as a block vector."""
    from tdrc_theory.derive.symbolic import derive

    return block([[_combination(cell, symbol("0"))] for cell in derive(find_algorithm(algorithm)).g])


@cache
def direction(algorithm: str, weights: str) -> Expr:
    """Return the direction of `w` or `h` on one transition, whatever ratios compare to."""
    from tdrc_theory.derive.symbolic import derive

    row, _ = derive(find_algorithm(algorithm)).step(weights)
    return _sum([_coefficient(c) * _sample(key) for key, c in row.items()])


def _combination(matrix_sum: Any, zero: Expr) -> Expr:
    if not matrix_sum.parts:
        return zero
    return _sum([_coefficient(c) * _LETTERS[letter.name] for letter, c in matrix_sum.parts.items()])


def _sample(key: Key) -> Expr:
    atoms, (vector,) = key
    product = symbol({"x_next": "x'"}.get(vector, vector))
    for atom in atoms:
        factor = symbol(atom[0]) if len(atom) == 1 else symbol(atom[0]).T * symbol(atom[1])
        product = factor * product
    return product


def _coefficient(value: Any) -> Expr:
    """Return a sympy polynomial as an expression."""
    import sympy

    names = sorted(str(free) for free in value.free_symbols)
    if not names:
        return number(Fraction(int(value.p), int(value.q)))
    polynomial = sympy.Poly(value, *sorted(value.free_symbols, key=str))
    return _sum([_monomial(names, powers, c) for powers, c in polynomial.terms()])


def _monomial(names: list[str], powers: tuple[int, ...], c: Any) -> Expr:
    factors = [symbol(name) for name, power in zip(names, powers, strict=True) for _ in range(power)]
    value = Fraction(int(c.p), int(c.q))
    product = number(value) if value != 1 or not factors else factors.pop(0)
    for factor in factors:
        product = product * factor
    return product


def _sum(parts: list[Expr]) -> Expr:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
