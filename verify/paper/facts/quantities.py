"""Numbers that statements compare, and shapes of terms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

from tdrc_theory.exact import Number
from tdrc_theory.exact.number import number_text, short_number
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.vocabulary import shape
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from tdrc_theory.problem import Problem
from verify.borkar_meyn import BorkarMeynReport, borkar_meyn
from verify.check import Proof, Status, weakest
from verify.exact.roots import Enclosure
from verify.paper.facts.atoms import Parameter, Rechecked, Run, number_in, parameter_text, where
from verify.paper.facts.problems import again, problem_named, setting_at, verdict_at
from verify.paper.facts.recheck import properties, verdicts
from verify.paper.facts.recheck.updates import matrices
from verify.paper.facts.statement import RELATIONS, Scope, Statement, Truth, at_values

_LONGEST = 40
"""Characters of a number that is shown exactly."""

Value = Number | Enclosure | None


class Term:
    """A number that depends on the scope."""

    __slots__ = ()

    needs: ClassVar[str] = "problem"
    says: ClassVar[str] = ""
    """What a sentence calls it, with fields of the term, {0}, in it."""

    def __str__(self) -> str:
        return self.says.format(self)

    def value(self, scope: Scope) -> Value:
        """Return it, exactly or enclosed; None where there is none."""
        raise NotImplementedError

    def recheck(self, scope: Scope) -> Any:
        """Return it by the other code, as a number or as two ends between which it is; None without one."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Constant(Term):
    """A number, or a parameter that a quantifier gives."""

    number: Parameter

    needs: ClassVar[str] = ""

    def __str__(self) -> str:
        return parameter_text("", self.number).removeprefix(" = ")

    def value(self, scope: Scope) -> Value:
        """Return it."""
        return number_in(self.number, scope)

    recheck = value


@dataclass(frozen=True, slots=True)
class Entry(Term):
    """The only entry of A or C of a problem with one feature, times a factor."""

    matrix: str
    factor: Fraction | int = 1

    def __str__(self) -> str:
        return self.matrix if self.factor == 1 else f"{self.factor} {self.matrix}"

    def value(self, scope: Scope) -> Value:
        """Return it."""
        A, _, C = setting_at(scope["problem"], Run("td").at({})).key
        return {"A": A, "C": C}[self.matrix][0, 0] * Fraction(self.factor)

    def recheck(self, scope: Scope) -> Any:
        """Return it by the other code."""
        A, _, C = again(matrices, scope["problem"])
        return {"A": A, "C": C}[self.matrix][0][0] * self.factor


@dataclass(frozen=True, slots=True)
class SecondReward(Rechecked, Term):
    """E[R_t+2 | s_0], S_t the first state, under a policy; under behaviour weighted by rho_t."""

    policy: str

    rechecked_by = properties.second_reward

    def __str__(self) -> str:
        return "E_b[rho_t R_t+2 | s_0]" if self.policy == "behaviour" else "E_pi[R_t+2 | s_0]"

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


@dataclass(frozen=True, slots=True)
class Rate(Rechecked, Term):
    """The spectral abscissa of a run's G."""

    run: Run

    says = "the spectral abscissa of {0.run}"
    rechecked_by = verdicts.abscissa

    def value(self, scope: Scope) -> Value:
        """Return it, enclosed."""
        return verdict_at(scope["problem"], self.run.at(scope)).spectral_abscissa


@dataclass(frozen=True, slots=True)
class NoiseConstant(Rechecked, Term):
    """The least constant c_0 of the noise bound of a run, or what the split without cross term gives."""

    run: Run
    split: bool

    rechecked_by = verdicts.noise_constant

    def __str__(self) -> str:
        which = "the constant by the split without cross term" if self.split else "the least constant c_0 of the noise"
        return f"{which} of {self.run}"

    def value(self, scope: Scope) -> Value:
        """Return it, enclosed."""
        result = _borkar_meyn(scope["problem"], self.run.at(scope))
        return result.c_0_without_cross_term if self.split else result.c_0


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

    says = "{0.left} {0.relation} {0.right}"
    rule: ClassVar[str] = "numbers compared"

    def truth(self, scope: Scope) -> Truth:
        """Compare the numbers; enclosures that overlap decide nothing."""
        left, right = self.left.value(scope), self.right.value(scope)
        enclosed = isinstance(left, Enclosure) or isinstance(right, Enclosure)
        where_ = f"{problem_named(scope['problem']).title}: " if "problem" in scope else ""
        step = Step(f"{where_}{self}{at_values(scope)}", f"{_shown(left)} and {_shown(right)}")
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
        sides = (self.left.recheck(scope), self.right.recheck(scope))
        if any(side is None for side in sides):
            return None
        left, right = (side if isinstance(side, tuple) else (side, side) for side in sides)
        return verdicts.compared(left, self.relation, right)


def _ends(value: Number | Enclosure) -> tuple[Number, ...]:
    """Return the ends of an enclosure, as the fractions that they are."""
    return (Fraction(value.lower), Fraction(value.upper)) if isinstance(value, Enclosure) else (value,)


def _shown(value: Value) -> str:
    if isinstance(value, Enclosure):
        return f"[{value.lower:.12g}, {value.upper:.12g}]"
    return str(value) if value is None or len(number_text(value)) <= _LONGEST else short_number(value)


@dataclass(frozen=True, slots=True)
class BorkarMeyn(Statement):
    """Conditions (i) to (v) of Borkar and Meyn hold for a run with independent samples and alpha_t = 1 / (t + 1)."""

    run: Run

    says = "{0.run}, alpha_t = 1 / (t + 1) and independent samples meets conditions (i) to (v)"

    rule: ClassVar[str] = "exact verdicts and enclosed constants"
    needs: ClassVar[str] = "problem"

    def truth(self, scope: Scope) -> Truth:
        """Evaluate them."""
        result = _borkar_meyn(scope["problem"], self.run.at(scope))
        conditions = [check for check in result.checks if check.claim != "borkar-meyn.converges"]
        failing = [check for check in conditions if check.status is Status.FAILS]
        value = False if failing else None if any(c.status is Status.UNDECIDED for c in conditions) else True
        shown = "; ".join(f"{check.claim.removeprefix('borkar-meyn.')}: {check.reason}" for check in conditions)
        step = Step(where(self.run, scope), shown)
        return Truth(value, weakest(check.proof for check in failing or conditions), (step,))

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate what is not so of every finite problem: that G is Hurwitz, by the other code."""
        answer = again(verdicts.does, scope["problem"], self.run.at(scope))
        return None if answer is None else answer == verdicts.CONVERGENT


@dataclass(frozen=True, slots=True)
class SameShape(Statement):
    """Both terms have as many rows, and as many columns."""

    left: Expr
    right: Expr

    rule: ClassVar[str] = "shapes of both sides"

    def __str__(self) -> str:
        return f"{text(self.left)} has the shape of {text(self.right)}"

    def truth(self, _: Scope) -> Truth:
        """Compare the shapes."""
        one, other = (shape(side) for side in (self.left, self.right))
        shown = f"{' x '.join(one)} and {' x '.join(other)}"
        return Truth(one == other, Proof.EXACT, (Step(str(self), shown),), {"shapes": shown})

    def recheck(self, _: Scope) -> bool | None:
        """A row of d entries is a column only where d = 1; rows and columns are counted from the outermost factors."""
        return _outermost(self.left) == _outermost(self.right)


def _outermost(term: Expr) -> tuple[str, str]:
    """Return rows and columns: those of the first and the last factor that is no number."""
    if term.op == "T":
        rows, columns = _outermost(term.args[0])
        return columns, rows
    if term.op == "add":
        return _outermost(term.args[-1])
    if term.op == "mul":
        parts = [_outermost(part) for part in term.args]
        tables = [part for part in parts if part != ("1", "1")]
        return (tables[0][0], tables[-1][1]) if tables else ("1", "1")
    return shape(term)
