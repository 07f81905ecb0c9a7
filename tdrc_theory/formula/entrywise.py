"""Operations and predicates on the entries of vectors and matrices: what statements about key matrices are made of."""

from __future__ import annotations

from tdrc_theory.formula.expression import Expr, symbol

ENTRYWISE = ("nonnegative", "positive")
"""Predicates: every entry is at least 0, or above 0."""

ON_WEIGHTED = "definite_where"
"""z^T K z > 0 for every real z that is not 0 at some state of positive weight, and 0 for every other z."""

ones = symbol("ones")
"""The vector whose entries are all 1."""


def diag(vector: Expr) -> Expr:
    """Return the diagonal matrix with a vector on its diagonal."""
    return Expr("diag", (vector,))


def diagonal(matrix: Expr) -> Expr:
    """Return the vector of the diagonal of a matrix."""
    return Expr("diagonal", (matrix,))


def absolute(matrix: Expr) -> Expr:
    """Return the matrix of the sizes of the entries."""
    return Expr("absolute", (matrix,))


def nonnegative(matrix: Expr) -> Expr:
    """Return: every entry is at least 0."""
    return Expr("nonnegative", (matrix,))


def positive(matrix: Expr) -> Expr:
    """Return: every entry is above 0."""
    return Expr("positive", (matrix,))


def definite_where(matrix: Expr, weights: Expr) -> Expr:
    """Return: z^T K z > 0 where z is not 0 at some state of positive weight, and z^T K z = 0 elsewhere."""
    return Expr(ON_WEIGHTED, (matrix, weights))


def semidefinite(matrix: Expr) -> Expr:
    """Return: z^T M z >= 0 for every real z."""
    return Expr("semidefinite", (matrix,))


def diagonalizable(matrix: Expr) -> Expr:
    """Return: the eigenvectors, complex ones among them, span the whole space."""
    return Expr("diagonalizable", (matrix,))
