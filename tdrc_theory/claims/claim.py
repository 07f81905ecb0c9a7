"""A claim of the paper: what is printed, what is true, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tdrc_theory.errors import TheoryError
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.shapes import TRUTH, shape


class Role(Enum):
    """What a claim is for."""

    IDENTITY = "identity"
    NECESSARY = "necessary"
    SUFFICIENT = "sufficient"
    DEFINITION = "definition"
    REMARK = "remark"


class BadClaim(TheoryError, ValueError):
    """A claim that contradicts itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of the paper that can be true or false.

    Attributes:
        id: unique; words with dots and hyphens.
        title: one line.
        source: the place in the paper.
        role: what it is for.
        printed: the formula as printed.
        corrected: the true one, where the printed one fails.
        erratum: its number among the known errors, such as "E1"; a claim with a correction has one or says "new" there.
        theorem: the theorem of `tdrc_theory/proofs` that states the claim (the corrected one where there is one).
        refutation: the theorem of `tdrc_theory/proofs` that refutes the printed formula.
        remark: what a reader should know, in a sentence.
    """

    id: str
    title: str
    source: str
    role: Role
    printed: Expr
    corrected: Expr | None = None
    erratum: str | None = None
    theorem: str | None = None
    refutation: str | None = None
    remark: str = ""

    def __post_init__(self) -> None:
        """Check that formulas are formulas, and that a correction belongs to an error."""
        for formula in (self.printed, self.corrected):
            if formula is not None and shape(formula) != TRUTH:
                raise BadClaim(f"{self.id}: a formula is a relation, which is true or false")
        if self.erratum is None and (self.corrected is not None or self.refutation is not None):
            raise BadClaim(f"{self.id}: a correction or a refutation needs an erratum")

    @property
    def expected(self) -> tuple[str, str | None]:
        """Return the statuses that the registry expects of the printed and the corrected formula."""
        return ("holds" if self.erratum is None else "fails", None if self.corrected is None else "holds")

    @property
    def true_formula(self) -> Expr:
        """Return the corrected formula, or the printed one where it needs no correction."""
        return self.printed if self.corrected is None else self.corrected
