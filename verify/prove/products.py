"""Matrices that are written as products: their factors, the first one, and the middle of Y^T N Y."""

from __future__ import annotations

from collections.abc import Iterable

from tdrc_theory.formula.expression import Expr


def negated(matrix: Expr) -> Expr:
    """Return -M, a factor -1 or a sum of negatives taken away."""
    if matrix.op == "mul" and matrix.args[0].name == "-1" and len(matrix.args) > 1:
        rest = matrix.args[1:]
        return rest[0] if len(rest) == 1 else Expr("mul", rest)
    return -matrix


def flat_factors(matrix: Expr) -> tuple[Expr, ...]:
    """Return the factors of a product, those of its factors taken apart too."""
    if matrix.op != "mul":
        return (matrix,)
    return tuple(inner for part in matrix.args for inner in flat_factors(part))


def product(parts: Iterable[Expr]) -> Expr:
    """Return the product of factors, one at least."""
    result = tuple(parts)
    return result[0] if len(result) == 1 else Expr("mul", result)


def first_factor(matrix: Expr) -> tuple[Expr | None, Expr]:
    """Return the first factor of a product and the product of the others."""
    first, *rest = flat_factors(matrix)
    return (first, product(rest)) if rest else (None, first)


def congruence(matrix: Expr) -> tuple[Expr, Expr] | None:
    """Return (N, Y) where a matrix is written Y^T N Y."""
    factors = flat_factors(matrix)
    if len(factors) < 3 or factors[0] != factors[-1].T:
        return None
    return product(factors[1:-1]), factors[-1]
