"""Numbers that statements compare, and where in one parameter a learner converges."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar

from tdrc_theory.exact import Number
from tdrc_theory.problem import Problem
from verify.borkar_meyn import BorkarMeynReport, borkar_meyn
from verify.check import Proof, Status, weakest
from verify.exact.enclosure import Enclosure
from verify.paper.facts import recheck
from verify.paper.facts.atoms import OfAProblem, Parameter, Run, number_in, parameter_text, where
from verify.paper.facts.evaluated import setting_at, verdict_at
from verify.paper.facts.recheck import Data
from verify.paper.facts.small_problems import problem_named
from verify.paper.facts.statement import RELATIONS
from verify.paper.facts.truth import Scope, Statement, Truth, at_values
from verify.paper.judgement import Step
from verify.region import Region, region

Value = Number | Enclosure | None


class Term:
    """A number that depends on the scope."""

    __slots__ = ()

    def text(self) -> str:
        """Return what a sentence calls it."""
        raise NotImplementedError

    def value(self, scope: Scope) -> Value:
        """Return it, exactly or enclosed; None where there is none."""
        raise NotImplementedError

    def recheck(self, _: Scope) -> Fraction | None:
        """Return it by the other code; None where there is none."""
        return None


@dataclass(frozen=True, slots=True)
class Constant(Term):
    """A number, or a parameter that a quantifier gives."""

    number: Parameter

    def text(self) -> str:
        """Return what a sentence calls it."""
        return parameter_text("", self.number).removeprefix(" = ")

    def value(self, scope: Scope) -> Value:
        """Return it."""
        return number_in(self.number, scope)

    def recheck(self, scope: Scope) -> Fraction | None:
        """Return it."""
        return number_in(self.number, scope)


@dataclass(frozen=True, slots=True)
class Entry(Term):
    """The only entry of A or C of a problem with one feature, times a factor."""

    matrix: str
    factor: Fraction | int = 1

    def text(self) -> str:
        """Return what a sentence calls it."""
        return self.matrix if self.factor == 1 else f"{self.factor} {self.matrix}"

    def value(self, scope: Scope) -> Value:
        """Return it."""
        A, _, C = setting_at(scope["problem"], Run("td").at({})).key
        return {"A": A, "C": C}[self.matrix][0, 0] * Fraction(self.factor)

    def recheck(self, scope: Scope) -> Fraction | None:
        """Return it by the other code."""
        A, _, C = recheck.matrices(problem_named(scope["problem"]).plain)
        return {"A": A, "C": C}[self.matrix][0][0] * self.factor


@dataclass(frozen=True, slots=True)
class SecondReward(Term):
    """E[R_t+2] from the first state, under a policy; under behaviour weighted by rho_t."""

    policy: str

    def text(self) -> str:
        """Return what a sentence calls it."""
        return "E_b[rho_t R_t+2]" if self.policy == "behaviour" else "E_pi[R_t+2]"

    def value(self, scope: Scope) -> Value:
        """Return it."""
        problem: Problem = problem_named(scope["problem"]).problem
        policy = {"behaviour": problem.behaviour, "target": problem.target}[self.policy]
        later = [
            sum((policy[t.s][t.a] * t.probability * t.reward for t in problem.transitions if t.s == s), Fraction(0))
            for s in range(problem.states)
        ]
        total = Fraction(0)
        for s, a, middle, p, *_ in problem.transitions:
            if s == 0 and not problem.ends(middle) and policy[s][a]:
                ratio = problem.rho(s, a) if self.policy == "behaviour" else 1
                total += policy[s][a] * ratio * p * later[middle]
        return total

    def recheck(self, scope: Scope) -> Fraction | None:
        """Return it by the other code."""
        return recheck.second_reward(problem_named(scope["problem"]).plain, self.policy)


@dataclass(frozen=True, slots=True)
class Rate(Term):
    """The spectral abscissa of a run's G."""

    run: Run

    def text(self) -> str:
        """Return what a sentence calls it."""
        return f"the spectral abscissa of {self.run.text()}"

    def value(self, scope: Scope) -> Value:
        """Return it, enclosed."""
        return verdict_at(scope["problem"], self.run.at(scope)).spectral_abscissa


@dataclass(frozen=True, slots=True)
class NoiseConstant(Term):
    """The least constant c_0 of the noise bound of a run, or what the split without cross term gives."""

    run: Run
    split: bool

    def text(self) -> str:
        """Return what a sentence calls it."""
        which = "the constant by the split without cross term" if self.split else "the least constant c_0 of the noise"
        return f"{which} of {self.run.text()}"

    def value(self, scope: Scope) -> Value:
        """Return it, enclosed."""
        found = _borkar_meyn(scope["problem"], self.run.at(scope))
        return found.c_0_without_cross_term if self.split else found.c_0


@cache
def _borkar_meyn(problem: str, run: tuple[str, Fraction, Fraction]) -> BorkarMeynReport:
    learner, beta, eta = run
    return borkar_meyn(problem_named(problem).problem, learner, beta=beta, eta=eta)


@dataclass(frozen=True, slots=True)
class Compared(Statement):
    """Two numbers, compared.

    >>> Compared(Entry("C"), ">", Constant(2)).truth({"problem": "two-state"}).value
    True
    """

    left: Term
    relation: str
    right: Term

    rule: ClassVar[str] = "numbers compared"

    def sentence(self) -> str:
        """Return the English sentence."""
        return f"{self.left.text()} {self.relation} {self.right.text()}"

    def truth(self, scope: Scope) -> Truth:
        """Compare the numbers; enclosures that overlap decide nothing."""
        left, right = self.left.value(scope), self.right.value(scope)
        enclosed = isinstance(left, Enclosure) or isinstance(right, Enclosure)
        where_ = f"{problem_named(scope['problem']).title}: " if "problem" in scope else ""
        step = Step(f"{where_}{self.sentence()}{at_values(scope)}", f"{_shown(left)} and {_shown(right)}")
        return Truth(self._compared(left, right), Proof.ENCLOSED if enclosed else Proof.EXACT, (step,))

    def _compared(self, left: Value, right: Value) -> bool | None:
        if left is None or right is None:
            return None
        answers = {bool(RELATIONS[self.relation](a, b)) for a in _ends(left) for b in _ends(right)}
        if self.relation in ("=", "!=") and len(_ends(left)) + len(_ends(right)) > 2:
            apart = _ends(left)[-1] < _ends(right)[0] or _ends(right)[-1] < _ends(left)[0]
            return (self.relation == "!=") if apart else None
        return answers.pop() if len(answers) == 1 else None

    def recheck(self, scope: Scope) -> bool | None:
        """Compare the numbers of the other code."""
        try:
            left, right = self.left.recheck(scope), self.right.recheck(scope)
        except ValueError:  # features that are no fractions
            return None
        return None if left is None or right is None else bool(RELATIONS[self.relation](left, right))


def _ends(value: Number | Enclosure) -> tuple[Number, ...]:
    """Return the ends of an enclosure, as the fractions that they are."""
    return (Fraction(value.lower), Fraction(value.upper)) if isinstance(value, Enclosure) else (value,)


def _shown(value: Value) -> str:
    return f"[{value.lower:.12g}, {value.upper:.12g}]" if isinstance(value, Enclosure) else str(value)


@dataclass(frozen=True, slots=True)
class BorkarMeyn(Statement):
    """Conditions (i) to (v) of Borkar and Meyn hold for a run with independent samples and alpha_t = 1 / (t + 1)."""

    run: Run

    rule: ClassVar[str] = "exact verdicts and enclosed constants"

    def sentence(self) -> str:
        """Return the English sentence."""
        return f"{self.run.text()}, alpha_t = 1 / (t + 1) and independent samples meets conditions (i) to (v)"

    def truth(self, scope: Scope) -> Truth:
        """Evaluate them."""
        found = _borkar_meyn(scope["problem"], self.run.at(scope))
        statuses = {check.status for check in found.checks}
        value = None if Status.UNDECIDED in statuses else statuses == {Status.HOLDS}
        shown = "; ".join(f"{check.claim.removeprefix('borkar-meyn.')}: {check.reason}" for check in found.checks)
        step = Step(where(self.run, scope), shown)
        return Truth(value, weakest(check.proof for check in found.checks), (step,))


@cache
def _region(problem: str, run: tuple[str, Fraction, Fraction], over: str) -> Region:
    learner, beta, eta = run
    chosen = problem_named(problem).problem
    return region(chosen, learner, eta=eta) if over == "beta" else region(chosen, learner, beta=beta)


@dataclass(frozen=True, slots=True)
class Somewhere(OfAProblem):
    """A run converges at some value of the parameter that it leaves free, or at none."""

    run: Run
    over: str
    some: bool = True

    def sentence(self) -> str:
        """Return the English sentence."""
        bound = ">= 0" if self.over == "beta" else "> 0"
        return f"{self.run.text()} converges at {'some' if self.some else 'no'} {self.over} {bound}"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the exact region."""
        found = _region(scope["problem"], self.run.at(scope), self.over)
        value = True if found.intervals else None if found.undecided else False
        return None if value is None else value is self.some, str(found)

    def rechecked(self, data: Data, scope: Scope) -> bool | None:
        """Evaluate it where the other code shows that it converges nowhere."""
        learner, beta, _ = self.run.at(scope)
        nowhere = self.over == "eta" and recheck.nowhere_stable(data, learner, beta)
        return not self.some if nowhere else None


@dataclass(frozen=True, slots=True)
class Above(OfAProblem):
    """A run converges exactly above one value of the parameter that it leaves free, which lies between two numbers.

    >>> Above(Run("tdc"), "eta", Fraction(47, 250), Fraction(47, 250)).truth({"problem": "two-state"}).value
    True
    """

    run: Run
    over: str
    low: Fraction
    high: Fraction

    def sentence(self) -> str:
        """Return the English sentence."""
        if self.low == self.high:
            return f"{self.run.text()} converges exactly where {self.over} > {self.low}"
        return f"{self.run.text()} converges exactly above one {self.over}, between {self.low} and {self.high}"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the exact region."""
        found = _region(scope["problem"], self.run.at(scope), self.over)
        if found.undecided:
            return None, str(found)
        one = found.intervals[0] if len(found.intervals) == 1 else None
        if one is None or one.upper is not None or one.lower_closed:
            return False, str(found)
        if one.lower.rational is not None:
            return self.low <= one.lower.rational <= self.high, f"{found}, that is {one.lower.text()}"
        lower, upper = map(Fraction, (one.lower.enclosure.lower, one.lower.enclosure.upper))
        if self.low <= lower and upper <= self.high:
            return True, f"{found}, {one.lower.text()}"
        return (False if upper < self.low or lower > self.high else None), str(found)
