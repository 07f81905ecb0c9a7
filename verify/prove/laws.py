"""Elementary statements about matrices (atoms), and the laws between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tdrc_theory.algebra.free import Free
from tdrc_theory.algebra.scalar import Scalar
from verify.prove.knowledge import symmetric_part

Atom = tuple[str, str]


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

    def __str__(self) -> str:
        left = " and ".join(atom_text(a) for a in self.premises) or "the hypotheses"
        return f"{left} => {atom_text(self.conclusion) if self.conclusion else 'a contradiction'} ({self.why})"


def atom_text(atom: Atom) -> str:
    """Return an elementary statement as text."""
    kind, what = atom
    return {
        "nonsingular": f"det({what}) != 0",
        "definite": f"{what} is positive definite",
        "positive": f"{what} > 0",
        "nonzero": f"{what} != 0",
        "hurwitz": f"{what} is Hurwitz",
        "stated": what,
    }[kind]


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
