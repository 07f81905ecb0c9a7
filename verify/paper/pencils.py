"""Extreme eigenvalues of X^-1 Y turned into definiteness: for positive definite X and c >= 0,

    r - c lambda_max(X^-1 Y) > 0  if and only if  r X - c Y is positive definite,
    r + c lambda_min(X^-1 Y) > 0  if and only if  r X + c Y is positive definite,

because the eigenvalues of X^-1 Y are those of the symmetric X^-1/2 Y X^-1/2. Without a positive definite X there is
no such rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from tdrc_theory.algebra.free import Free
from tdrc_theory.algebra.scalar import Scalar
from tdrc_theory.formula.expression import Expr, symbol
from verify.paper.knowledge import Knowledge, is_nonnegative
from verify.paper.meaning import Meaning, OutsideTheAlgebra


@dataclass(frozen=True, slots=True)
class Pencil:
    """A relation gap > 0 (strict) or gap >= 0 with gap = slope mu + rest, mu the extreme eigenvalue of X^-1 Y."""

    largest: bool
    X: Free
    Y: Free
    slope: Scalar
    rest: Scalar
    strict: bool


def pencil_of(relation: Expr) -> Pencil:
    """Read a relation that has one extreme eigenvalue of an X^-1 Y in it.

    Raises:
        OutsideTheAlgebra: it has none, or more, or in another form.
    """
    found = [(path, node) for path, node in relation.walk() if node.op in ("eigmax", "eigmin")]
    if len(found) != 1 or relation.op not in ("<", "<=", ">", ">="):
        raise OutsideTheAlgebra("not a relation with one extreme eigenvalue")
    path, node = found[0]
    X, Y = _quotient(node.args[0])
    left, right = (Meaning().one(side) for side in relation.replaced(path, symbol("mu")).args)
    gap = (left - right if relation.op in (">", ">=") else right - left).as_scalar()
    if gap is None or gap.degree("mu") != 1:
        raise OutsideTheAlgebra("not linear in the eigenvalue")
    rest = gap.map(lambda g: Scalar({}) if g == "mu" else None)
    slope = (gap - rest).map(lambda g: Scalar.number(1) if g == "mu" else None)
    return Pencil(node.op == "eigmax", X, Y, slope, rest, relation.op in ("<", ">"))


def _quotient(matrix: Expr) -> tuple[Free, Free]:
    """Return X and Y of a product that has one inverse X^-1 in front, a sign apart."""
    factors = matrix.args if matrix.op == "mul" else (matrix,)
    at = next((i for i, factor in enumerate(factors) if factor.op == "inv"), None)
    if at is None or any(Meaning().one(factor).as_scalar() is None for factor in factors[:at]):
        raise OutsideTheAlgebra("not X^-1 Y")
    X = Meaning().one(factors[at].args[0])
    Y = Free.scalar(1)
    for factor in (*factors[:at], *factors[at + 1 :]):
        Y *= Meaning().one(factor)
    if X.T != X or Y.T != Y:
        raise OutsideTheAlgebra("X^-1 Y with X or Y not symmetric")
    return X, Y


def definite_matrix(pencil: Pencil, known: Knowledge) -> tuple[Free, bool]:
    """Return (M, sign): the relation says that M is positive definite (sign True), or that it is not (False).

    Raises:
        OutsideTheAlgebra: no rule applies.
    """
    if known.is_definite(-pencil.X):  # lambda_max(X^-1 Y) = -lambda_min((-X)^-1 Y)
        turned = Pencil(not pencil.largest, -pencil.X, pencil.Y, -pencil.slope, pencil.rest, pencil.strict)
        return definite_matrix(turned, known)
    if not known.is_definite(pencil.X):
        raise OutsideTheAlgebra("X is not known to be positive definite")
    slope, rest, affirmed = pencil.slope, pencil.rest, True
    if not pencil.strict:  # gap >= 0 is the negation of -gap > 0
        slope, rest, affirmed = -slope, -rest, False
    down = -slope if pencil.largest else slope
    if not is_nonnegative(down):
        raise OutsideTheAlgebra("the eigenvalue counts with the other sign")
    matrix = pencil.X * rest + (pencil.Y * -down if pencil.largest else pencil.Y * down)
    return matrix, affirmed


def definite_consequences(pencil: Pencil, known: Knowledge) -> list[Free]:
    """Return matrices that are positive definite if the relation holds, by the rule above or by the one below.

    t < -lambda_max(X^-1 Y) with t >= 0 and Y = M M^T makes every eigenvalue of X^-1 Y negative, so Y is positive
    definite and X negative definite, and then Y + t X is positive definite.
    """
    try:
        matrix, affirmed = definite_matrix(pencil, known)
    except OutsideTheAlgebra:
        t = -pencil.rest
        square = len(pencil.Y.terms) == 1 and len(pencil.Y.terms[0][0]) == 2 and known.is_semidefinite(pencil.Y)
        if pencil.largest and pencil.strict and pencil.slope == Scalar.number(-1) and is_nonnegative(t) and square:
            return [-pencil.X, pencil.Y, pencil.Y + pencil.X * t]
        return []
    return [matrix] if affirmed else []
