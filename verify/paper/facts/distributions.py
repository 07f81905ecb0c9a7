"""Distributions on n = 1, 2, ... with geometric tails: their moments are geometric series, so finite or not exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.judgement import Step
from verify.check import Proof
from verify.paper.facts.atoms import Run
from verify.paper.facts.statement import Scope, Statement, Truth
from verify.paper.facts.update_terms import names, rows


@dataclass(frozen=True, slots=True)
class Geometric:
    """State n has probability (1/q - 1) q^n and feature x_n = base^n, and leads to the end of the episode.

    In state n, behaviour takes with probability ratio^-n an action that target always takes, so that rho is ratio^n
    there, and 0 elsewhere; ratio 1 is on-policy.

    Attributes:
        q: in (0, 1).
        base: of the feature, at least 1.
        ratio: of rho, at least 1.
        reward: of the reward, R = reward^n, or 0.
    """

    q: Fraction
    base: int
    ratio: int = 1
    reward: int = 0

    def series(self, rho: int, x: int, reward: int = 0) -> Fraction:
        """Return the ratio of the geometric series that E[rho^rho x^x R^reward] is."""
        seen = Fraction(self.ratio) ** (rho - 1) if rho else Fraction(1)
        return self.q * seen * Fraction(self.base) ** x * Fraction(self.reward) ** reward

    def __str__(self) -> str:
        """Return what it is, in words."""
        normal = 1 / self.q - 1
        text = f"x = {self.base}^n with probability {normal} ({self.q})^n, n = 1, 2, ..."
        if self.ratio != 1:
            text += f", where rho = {self.ratio}^n with probability {self.ratio}^-n and 0 otherwise"
        return f"{text}, R = {f'{self.reward}^n' if self.reward else '0'}, and the episode ends"

    def data(self) -> dict[str, Any]:
        """Return it as a witness has it."""
        return {"distribution": str(self)}


class OfASeries(Statement):
    """A geometric series is finite: its ratio is below 1."""

    __slots__ = ()

    rule: ClassVar[str] = "geometric series"

    def ratio(self, scope: Scope) -> tuple[Fraction, str, str]:
        """Return the ratio, what is summed, and how the ratio is shown."""
        raise NotImplementedError

    def term(self, scope: Scope, n: int) -> Fraction:
        """Return a term of the series, from the probabilities themselves."""
        raise NotImplementedError

    def truth(self, scope: Scope) -> Truth:
        """Compare the ratio with 1."""
        ratio, what, shown = self.ratio(scope)
        return Truth(ratio < 1, Proof.EXACT, (Step(what, shown),))

    def recheck(self, scope: Scope) -> bool | None:
        """Look at the terms themselves: growing ones have no finite sum."""
        first, second = (self.term(scope, n) for n in (1, 2))
        return second < first or not (first or second)


@dataclass(frozen=True, slots=True)
class FiniteMoment(OfASeries):
    """E[rho^a norm(x)^b |R|^c] is finite."""

    rho: int = 0
    x: int = 0
    reward: int = 0

    needs: ClassVar[str] = "sample"

    def __str__(self) -> str:
        factors = [("rho", self.rho), ("|x|", self.x), ("|R|", self.reward)]
        shown = [name if power == 1 else f"{name}^{power}" for name, power in factors if power]
        return f"E[{' '.join(shown) or '1'}] is finite"

    def ratio(self, scope: Scope) -> tuple[Fraction, str, str]:
        """Return it as the sample has it."""
        sample: Geometric = scope["sample"]
        ratio = sample.series(self.rho, self.x, self.reward)
        return ratio, f"{sample}: {self}", f"a geometric series of ratio {ratio}"

    def term(self, scope: Scope, n: int) -> Fraction:
        """Return probability times powers in state n."""
        sample: Geometric = scope["sample"]
        rho, probability = sample.ratio**n, (1 / sample.q - 1) * sample.q**n
        seen = Fraction(1, rho) * rho**self.rho if self.rho else Fraction(1)
        return probability * seen * sample.base ** (n * self.x) * sample.reward ** (n * self.reward)


@dataclass(frozen=True, slots=True)
class FiniteNoise(Statement):
    """E norm(G_t)^2 of a run is finite, so that the noise has a second moment at w and h other than 0."""

    run: Run

    says = "E norm(G_t)^2 of {0.run} is finite"

    rule: ClassVar[str] = "geometric series"
    needs: ClassVar[str] = "sample"

    def truth(self, scope: Scope) -> Truth:
        """Square every entry of G_t, a polynomial in x and rho: it is finite where each monomial's square is."""
        sample: Geometric = scope["sample"]
        learner, beta, eta = self.run.at(scope)
        values = {"gamma_next": Fraction(0), "beta": beta, "eta": eta}
        try:
            rows(learner, **values)
        except BadAlgorithm as reason:
            return Truth(None, Proof.EXACT, (Step(str(self), str(reason)),))
        without, with_rho = (rows(learner, rho=Fraction(rho), **values) for rho in (0, 1))
        largest = Fraction(0)
        for name, key in {(part, key) for update in (without, with_rho) for part in update for key in update[part]}:
            factors = names(key)
            if "x_next" in factors or {"w", "h"}.isdisjoint(factors):  # the episode ends: x' is 0
                continue
            constant, other = (update.get(name, {}).get(key) for update in (without, with_rho))
            powers = [0] * (constant is not None) + [2] * (constant != other)  # coefficients are affine in rho
            largest = max(largest, *(sample.series(power, 2 * factors.count("x")) for power in powers))
        return Truth(largest < 1, Proof.EXACT, (Step(str(self), f"largest ratio of its series {largest}"),))

    def recheck(self, scope: Scope) -> bool | None:
        """Look at h's own entry of G_t, -eta (x^2 + beta), by hand: growing squares have no finite mean."""
        sample: Geometric = scope["sample"]
        _, beta, eta = self.run.at(scope)
        squares = ((eta * (Fraction(sample.base) ** (2 * n) + beta)) ** 2 for n in (1, 2, 3))
        terms = [(1 / sample.q - 1) * sample.q**n * square for n, square in enumerate(squares, 1)]
        return False if terms[0] <= terms[1] <= terms[2] else None


@dataclass(frozen=True, slots=True)
class Policies:
    """pi(n) = (1/p - 1) p^n and b(n) = (1/q - 1) q^n over actions n = 1, 2, ...; every action is taken by both."""

    p: Fraction
    q: Fraction

    def data(self) -> dict[str, Any]:
        """Return them as a witness has them."""
        return {"target": f"{1 / self.p - 1} ({self.p})^n", "behaviour": f"{1 / self.q - 1} ({self.q})^n"}


@dataclass(frozen=True, slots=True)
class FiniteRatio(OfASeries):
    """E_b[rho^power] is finite."""

    power: int = 2

    needs: ClassVar[str] = "policies"
    says = "b(a|s) > 0 wherever pi(a|s) > 0 makes E_b[rho^{0.power}] finite"

    def ratio(self, scope: Scope) -> tuple[Fraction, str, str]:
        """Return that of the series of pi^power b^(1 - power)."""
        pair: Policies = scope["policies"]
        ratio, data = pair.p**self.power * pair.q ** (1 - self.power), pair.data()
        return ratio, f"pi(n) = {data['target']}, b(n) = {data['behaviour']}", f"a series of ratio {ratio}"

    def term(self, scope: Scope, n: int) -> Fraction:
        """Return b times rho^power at action n."""
        pair: Policies = scope["policies"]
        pi, b = (1 / pair.p - 1) * pair.p**n, (1 / pair.q - 1) * pair.q**n
        return b * (pi / b) ** self.power
