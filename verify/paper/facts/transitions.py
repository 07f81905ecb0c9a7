"""What single transitions do to the weights: the update itself, not its expectation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.learner.coefficient import Coefficient
from tdrc_theory.learner.trace import Terms
from tdrc_theory.problem.key_matrices import key_matrices
from verify.paper.facts.atoms import TITLES, OfAProblem, Run
from verify.paper.facts.evaluated import again
from verify.paper.facts.recheck import identities
from verify.paper.facts.small_problems import problem_named
from verify.paper.facts.truth import Scope
from verify.paper.facts.update_terms import rows


@dataclass(frozen=True, slots=True)
class Pushed(OfAProblem):
    """At the TD fixed point of a problem with one feature every transition moves w by the same multiple of alpha.

    Attributes:
        run: the learner.
        h: where h is.
        step: the multiple.
    """

    run: Run
    h: Fraction | int
    step: Fraction | int

    def sentence(self) -> str:
        """Return the English sentence."""
        at = f"at the TD fixed point and h = {self.h}"
        return f"{at} every transition moves w under {self.run.text()} by {self.step} alpha"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the update of every transition."""
        problem = problem_named(scope["problem"]).problem
        key = key_matrices(problem)
        fixed = key.A.solve(key.b) if problem.k == 1 else None
        if fixed is None:
            return None, "there is no single feature, or no TD fixed point"
        learner, beta, _ = self.run.at(scope)
        w, h, steps = fixed[0, 0], Fraction(self.h), set()
        for t in problem.transitions:
            if problem.behaviour[t.s][t.a] and problem.d[t.s]:
                x = problem.features[t.s][0]
                y = Fraction(0) if problem.ends(t.s_next) else problem.features[t.s_next][0]
                gamma, rho = problem.discount(t), problem.rho(t.s, t.a)
                delta = t.reward + gamma * w * y - w * x
                dw, _ = find_algorithm(learner).direction(x, y, h, delta, h * x, rho, gamma, beta)
                steps.add(dw)
        return steps == {self.step}, f"w = {w}, steps over alpha: {', '.join(map(str, sorted(steps)))}"

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        steps = again(identities.pushed, scope["problem"], self.run.at(scope), Fraction(self.h))
        return None if steps is None else steps == {self.step}


@dataclass(frozen=True, slots=True)
class Proportional(OfAProblem):
    """Every transition moves w under one learner by so many times what it does under another.

    >>> Proportional("vtrace", "td", Fraction(1, 7)).truth({"problem": "baird"}).value
    True
    """

    learner: str
    other: str
    times: Fraction | int

    def sentence(self) -> str:
        """Return the English sentence."""
        one, other = TITLES[self.learner], TITLES[self.other]
        return f"every transition moves w under {one} by {self.times} times its step under {other}"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Compare the terms at every importance ratio that occurs."""
        problem = problem_named(scope["problem"]).problem
        ratios = sorted(
            {problem.rho(t.s, t.a) for t in problem.transitions if problem.d[t.s] and problem.behaviour[t.s][t.a]}
        )
        same = all(self._terms(self.learner, 1, rho) == self._terms(self.other, self.times, rho) for rho in ratios)
        return same, f"compared at rho = {', '.join(map(str, ratios))}"

    def recheck(self, scope: Scope) -> bool | None:
        """Compare the steps of every transition by the other code."""
        return again(identities.proportional, scope["problem"], self.learner, self.other, Fraction(self.times))

    def _terms(self, learner: str, times: Fraction | int, rho: Fraction) -> Terms:
        """Return so many times the terms of w that are not 0, for all gamma and beta."""
        terms = rows(learner, rho=rho)["w"]
        return {key: Coefficient(c.numerator * to_fmpq(Fraction(times)), c.denominator) for key, c in terms.items()}
