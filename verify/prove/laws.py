"""Elementary statements about matrices (atoms), and the laws between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tdrc_theory.algebra import Free, Scalar
from tdrc_theory.formula.expression import Expr, both, implies, negation
from verify.prove.knowledge import symmetric_part

Atom = Expr
"""A relation that is judged true or false as a whole."""


class Law(NamedTuple):
    """Premises that together imply a conclusion, and why; without a conclusion they contradict each other."""

    why: str
    premises: tuple[Atom, ...]
    conclusion: Atom | None

    @property
    def atoms(self) -> set[Atom]:
        """The statements in it."""
        return {*self.premises, *([self.conclusion] if self.conclusion else [])}

    def allows(self, assignment: Mapping[Atom, bool]) -> bool:
        """Return whether an assignment of truth obeys it."""
        implied = self.conclusion is not None and assignment[self.conclusion]
        return implied or not all(assignment[atom] for atom in self.premises)

    @property
    def formula(self) -> Expr:
        """The law as a formula; premises that contradict each other are not all true."""
        if self.conclusion is None:
            return negation(both(*self.premises))
        return implies(*self.premises, self.conclusion)


def is_multiple(matrix: Free, other: Free) -> bool:
    """Return whether one is a positive rational multiple of the other."""
    if matrix.is_zero or other.is_zero:
        return False
    (_, c), (_, e) = matrix.terms[0], other.terms[0]
    ratio = c * e.inverse() if e.is_monomial else Scalar({})
    size = ratio.constant()
    return size is not None and size > 0 and other * ratio == matrix


def definite_laws(atom: Atom, matrix: Free, other: Atom, factor: Free, semidefinite: bool) -> list[Law]:
    """Return the laws between `matrix` is positive definite (atom) and `factor` is nonsingular (other).

    Args:
        semidefinite: whether the factor is known to be positive semidefinite.
    """
    if is_multiple(symmetric_part(factor), matrix):
        laws: list[Law] = [Law("a positive definite matrix is nonsingular", (atom,), other)]
        if semidefinite:
            laws.append(Law(f"{factor} is positive semidefinite", (other,), atom))
        return laws
    if matrix in (factor * factor.T, factor.T * factor):
        why = "z^T M M^T z = |M^T z|^2"
        return [Law(why, (atom,), other), Law(why, (other,), atom)]
    return []
