"""Whether two terms of formulas have the same shape, so that they can be equal at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.shapes import shape
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from verify.check import Proof
from verify.paper.facts.truth import Scope, Statement, Truth


@dataclass(frozen=True, slots=True)
class SameShape(Statement):
    """Both terms have as many rows, and as many columns."""

    left: Expr
    right: Expr

    rule: ClassVar[str] = "shapes of both sides"

    def sentence(self) -> str:
        """Return the English sentence."""
        return f"{text(self.left)} has the shape of {text(self.right)}"

    def truth(self, _: Scope) -> Truth:
        """Compare the shapes."""
        one, other = (shape(side) for side in (self.left, self.right))
        shown = f"{' x '.join(one)} and {' x '.join(other)}"
        return Truth(one == other, Proof.EXACT, (Step(self.sentence(), shown),), {"shapes": shown})

    def recheck(self, _: Scope) -> bool | None:
        """A row of d entries is a column only where d = 1; rows and columns are counted from the outermost factors."""
        return _ends(self.left) == _ends(self.right)


def _ends(term: Expr) -> tuple[str, str]:
    """Return rows and columns: those of the first and the last factor that is no number."""
    if term.op == "T":
        rows, columns = _ends(term.args[0])
        return columns, rows
    if term.op == "add":
        return _ends(term.args[-1])
    if term.op == "mul":
        parts = [_ends(part) for part in term.args]
        tables = [part for part in parts if part != ("1", "1")]
        return (tables[0][0], tables[-1][1]) if tables else ("1", "1")
    return shape(term)
