"""Products of named vectors and numbers as formulas."""

from __future__ import annotations

from collections.abc import Sequence

from tdrc_theory.formula.expression import Expr, number, symbol
from tdrc_theory.learner.quantity import Atom, Key

_RENAMED = {"x_next": "x'", "reward": "R", "reward_2": "R_2"}
_SYMBOLS = {"x", "x'", "x_next_2", "x_bar", "x_bar_2", "w", "h", "delta", "delta_bar", "R", "R_2"}
"""What is called so in formulas too; any other name is a learner's own."""


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
