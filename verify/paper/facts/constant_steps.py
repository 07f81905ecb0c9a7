"""What a constant step size does to a learner's expected weights."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.polynomial import is_inside_unit_disc
from verify.paper.facts.atoms import OfAProblem, Parameter, Run, number_in, parameter_text
from verify.paper.facts.evaluated import again, setting_at
from verify.paper.facts.recheck import verdicts
from verify.paper.facts.truth import Scope


@dataclass(frozen=True, slots=True)
class Settles(OfAProblem):
    """With a constant step size the expected weights of a run converge: I + alpha G inside the unit disc."""

    run: Run
    alpha: Parameter

    def sentence(self) -> str:
        """Return the English sentence."""
        step = parameter_text("constant alpha", self.alpha).replace("that ", "that constant ")
        return f"at {step} the expected weights of {self.run.text()} converge"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the characteristic polynomial."""
        G = setting_at(scope["problem"], self.run.at(scope)).update.G
        step = Matrix.identity(G.shape[0]) + G * number_in(self.alpha, scope)
        polynomial = step.charpoly()
        if polynomial.rational is None:
            return None, "its features have square roots"
        if polynomial(Fraction(1)) == 0:
            return None, "G is singular: what the weights do along its kernel is another question"
        inside = is_inside_unit_disc(polynomial)
        return inside, f"I + alpha G has {'every' if inside else 'not every'} eigenvalue inside the unit circle"

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        return again(verdicts.settles, scope["problem"], *self.run.at(scope), number_in(self.alpha, scope))
