"""What a judge of `verify` or of `simulate` returns: a status, the steps that show it, and a counterexample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tdrc_theory.evidence import Proof, Status
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.latex_style import latex
from tdrc_theory.formula.step_latex import step_latex
from tdrc_theory.formula.written import text


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: why, and what then stands there.

    Attributes:
        reason: why.
        text: what stands there, as plain text.
        formula: the same as a tree, where it is a formula.
        form: the normal form that the formula equals, as plain text.
    """

    reason: str
    text: str
    formula: Expr | None = None
    form: str = ""

    @classmethod
    def stating(cls, reason: str, formula: Expr) -> Step:
        """Return a step at which a formula stands."""
        return cls(reason, text(formula), formula)

    @property
    def form_latex(self) -> str:
        """Return what is not in the tree as LaTeX, "" where it is a sentence."""
        return step_latex(self.form if self.formula is not None else self.text) or ""

    @property
    def latex(self) -> str:
        """Return LaTeX; "" of a sentence."""
        if self.formula is None:
            return self.form_latex
        if not self.form:
            return latex(self.formula)
        return f"{latex(self.formula)} = {self.form_latex}" if self.form_latex else ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer for one statement.

    Attributes:
        status: whether it holds for every instance of its symbols' domains.
        proof: the kind of evidence (`Proof`); None where none is claimed: two places that disagree.
        rule: which kind of argument decided, in a few words.
        steps: the derivation, or how the counterexample refutes.
        witness: an exact counterexample as data, where it fails.
    """

    status: Status
    proof: Proof | None
    rule: str
    steps: tuple[Step, ...]
    witness: dict[str, Any] | None = None
