"""Nonnegative multiples of polynomials that add up to 0: proposed by a linear programme, then solved exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from tdrc_theory.algebra import Monomial, Scalar
from tdrc_theory.exact import Matrix
from tdrc_theory.formula.expression import ZERO, Expr


@dataclass(frozen=True, slots=True)
class Sign:
    """A polynomial that is positive (strict) or at least not negative, and the product that it is written as."""

    value: Scalar
    strict: bool
    factors: tuple[Expr, ...] = ()

    def relation(self) -> Expr:
        """Return what it says as a formula."""
        return Expr(">" if self.strict else ">=", (self.value.tree(), ZERO))


def combination(terms: list[Sign]) -> list[tuple[Fraction, Sign]] | None:
    """Return positive multiples of terms that add up to 0, one strictly positive among them; None if none are found."""
    if not any(term.strict for term in terms):
        return None
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    rows: dict[Monomial, int] = {}
    entries = [
        (rows.setdefault(monomial, len(rows)), j, float(c))
        for j, term in enumerate(terms)
        for monomial, c in term.value.terms
    ]
    entries += [(len(rows), j, 1.0) for j, term in enumerate(terms) if term.strict]
    i, j, values = zip(*entries, strict=True)
    table = csr_matrix((values, (i, j)), shape=(len(rows) + 1, len(terms)))
    right = np.zeros(len(rows) + 1)
    right[-1] = 1.0
    costs = np.array([1.0 + len(term.value.terms) for term in terms])
    result = linprog(costs, A_eq=table, b_eq=right, bounds=(0, None), method="highs-ds")
    if result.status != 0:
        return None
    return _exactly([term for term, value in zip(terms, result.x, strict=True) if value > 1e-9])


def _exactly(terms: list[Sign]) -> list[tuple[Fraction, Sign]] | None:
    """Solve for the multiples exactly, and check the sum by expanding it."""
    monomials = sorted({m for term in terms for m, _ in term.value.terms}, key=str)
    columns = [dict(term.value.terms) for term in terms]
    strict = [Fraction(int(term.strict)) for term in terms]
    system = Matrix([[column.get(m, Fraction(0)) for column in columns] for m in monomials] + [strict])
    solved = system.solve(Matrix.column([0] * len(monomials) + [1]))
    if solved is None:
        return None
    multiples = [Fraction(str(row[0])) for row in solved.rows]
    total = Scalar({})
    for c, term in zip(multiples, terms, strict=True):
        total += term.value * Scalar.number(c)
    summands = [(c, term) for c, term in zip(multiples, terms, strict=True) if c]
    if not total.is_zero or any(c < 0 for c, _ in summands) or not any(term.strict for _, term in summands):
        return None
    scale = Fraction(lcm(*(c.denominator for c, _ in summands)))
    scale /= gcd(*(int(c * scale) for c, _ in summands))
    return [(c * scale, term) for c, term in summands]
