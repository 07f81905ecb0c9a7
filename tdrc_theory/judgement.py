"""The result of a judge of `verify` or `simulate`: a status, the steps that show it, and a counterexample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tdrc_theory.evidence import Proof, Status
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.latex_style import latex
from tdrc_theory.formula.written import text


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: why, and what then stands there.

    Attributes:
        why: why; `{}` in it stands for a formula that the reason speaks of.
        text: what stands there, as plain text.
        formula: the same as a tree, where it is a formula.
        about: the formula that the reason speaks of, where it speaks of one.
    """

    why: str
    text: str
    formula: Expr | None = None
    about: Expr | None = None

    @classmethod
    def stating(cls, why: str, formula: Expr, about: Expr | None = None) -> Step:
        """Return a step at which a formula stands."""
        return cls(why, text(formula), formula, about)

    @property
    def reason(self) -> str:
        """Return why, as plain text."""
        return self.why if self.about is None else self.why.replace("{}", text(self.about))

    @property
    def latex(self) -> str:
        """Return LaTeX; "" of a sentence."""
        return "" if self.formula is None else latex(self.formula)


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
