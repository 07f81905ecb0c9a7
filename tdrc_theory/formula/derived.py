"""What an algorithm's function implies, as formulas: its directions on one transition, G and g."""

from __future__ import annotations

from functools import cache

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.formula.expression import Expr, I, number, symbol


@cache
def derived_G(algorithm: str) -> Expr:
    """Return G as a block matrix over A, A^T, C and I."""
    from tdrc_theory.derive.symbolic import derive

    return derive(find_algorithm(algorithm)).G_tree(number(0) * I)


@cache
def derived_g(algorithm: str) -> Expr:
    """Return g as a block vector."""
    from tdrc_theory.derive.symbolic import derive

    return derive(find_algorithm(algorithm)).g_tree(symbol("0"))


@cache
def direction(algorithm: str, weights: str) -> Expr:
    """Return the direction of `w` or `h` on one transition, whatever ratios compare to."""
    from tdrc_theory.derive.symbolic import derive

    return derive(find_algorithm(algorithm)).direction(weights)
