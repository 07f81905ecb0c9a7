"""What exact arithmetic decides of a problem and a learner: the leaves of statements.

An atom has its sentence, its truth by the code of this project, and `recheck` by the code of `recheck/`, or None where
that cannot tell. The problem is the scope's; parameters are numbers, or the name of one that a quantifier gives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

from tdrc_theory.exact import Matrix, Number
from tdrc_theory.judgement import Step
from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import KeyMatrices
from tdrc_theory.problem.parts import Transition
from tdrc_theory.problem.steps import target_values, values_are_unique
from verify.check import Outcome, Proof, Status
from verify.exact.definiteness import inertia
from verify.paper.facts.problems import again, conditions_at, problem_named, setting_at, verdict_at
from verify.paper.facts.recheck import algebra, verdicts
from verify.paper.facts.recheck import properties as other
from verify.paper.facts.recheck.updates import matrices
from verify.paper.facts.statement import Scope, Statement, Truth, at_values
from verify.region import Region, region

Parameter = Fraction | int | str
"""A number, or the name of a parameter that a quantifier gives."""

TITLES = {"td": "TD", "tdc": "TDC", "tdrc": "TDRC", "htd": "HTD", "gtd2": "GTD2", "vtrace": "V-trace", "tdc++": "TDC++"}


def number_in(parameter: Parameter, scope: Scope) -> Fraction:
    """Return a parameter's value."""
    return Fraction(scope[parameter] if isinstance(parameter, str) else parameter)


def in_scope(value: Any, scope: Scope) -> Any:
    """Return the value of a statement's field as the second code takes it: a run and parameters by their numbers."""
    if isinstance(value, Run):
        return value.at(scope)
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    return Fraction(scope[value]) if isinstance(value, str) and value in scope else value


class Rechecked:
    """A statement or a term whose second code is a function of the problem's plain data and of its fields, in order."""

    __slots__ = ()

    rechecked_by: ClassVar[Callable[..., Any]]
    """A function of `recheck/`."""

    def recheck(self, scope: Scope) -> Any:
        """Evaluate it by the other code."""
        fields = (in_scope(getattr(self, name), scope) for name in self.__match_args__)  # type: ignore[attr-defined]
        return again(type(self).rechecked_by, scope["problem"], *fields)


def parameter_text(name: str, parameter: Parameter) -> str:
    """Return `eta = 1`, or `that eta`."""
    return f"that {parameter}" if isinstance(parameter, str) else f"{name} = {parameter}"


@dataclass(frozen=True, slots=True)
class Run:
    """A learner with its parameters; None where it has none, or where something ranges over it.

    >>> str(Run("tdrc", beta=1, eta="eta"))
    'TDRC with beta = 1 and that eta'
    """

    learner: str
    beta: Parameter | None = None
    eta: Parameter | None = None

    def __str__(self) -> str:
        pairs = (("beta", self.beta), ("eta", self.eta))
        values = [parameter_text(name, value) for name, value in pairs if value is not None]
        title = TITLES.get(self.learner, self.learner)
        return f"{title} with {' and '.join(values)}" if values else title

    def at(self, scope: Scope) -> tuple[str, Fraction, Fraction]:
        """Return (learner, beta, eta) in a scope."""
        beta, eta = (0 if self.beta is None else self.beta), (1 if self.eta is None else self.eta)
        return self.learner, number_in(beta, scope), number_in(eta, scope)


def where(run: Run, scope: Scope) -> str:
    """Return a run and the problem it is on, with the values that quantifiers give."""
    return f"{run} on {problem_named(scope['problem']).title}{at_values(scope)}"


class Does(Enum):
    """What an expected update does, in words."""

    CONVERGES = "converges"
    TO_A_POINT = "converges to a single point"
    TO_A_SET = "converges to a set of TD fixed points"
    DIVERGES = "does not converge"

    def holds(self, outcome: Outcome) -> bool | None:
        """Return whether an outcome is of this kind."""
        if outcome is Outcome.UNDECIDED:
            return None
        point, stays = outcome is Outcome.CONVERGENT, outcome is Outcome.CONVERGENT_TO_A_SET
        kinds = {Does.CONVERGES: point or stays, Does.TO_A_POINT: point, Does.TO_A_SET: stays}
        return kinds.get(self, not (point or stays))


class OfAProblem(Rechecked, Statement):
    """An atom that is decided by exact arithmetic on the scope's problem."""

    __slots__ = ()

    rule: ClassVar[str] = "exact arithmetic on the problem"
    needs: ClassVar[str] = "problem"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Return whether it holds, and what shows it."""
        raise NotImplementedError

    def truth(self, scope: Scope) -> Truth:
        """Evaluate it."""
        value, shown = self.decided(scope)
        reason = f"{problem_named(scope['problem']).title}: {self}{at_values(scope)}"
        return Truth(value, Proof.EXACT, (Step(f"{reason}: {Status.of(value).value}", shown),))


@dataclass(frozen=True, slots=True)
class Expected(Statement):
    """What a run's expected update does on the problem.

    >>> Expected(Run("td"), Does.CONVERGES).truth({"problem": "boyan"}).value
    True
    """

    run: Run
    does: Does

    says = "{0.run} {0.does.value}"
    rule: ClassVar[str] = "exact verdicts"
    needs: ClassVar[str] = "problem"

    def truth(self, scope: Scope) -> Truth:
        """Evaluate it by the exact verdict."""
        result = verdict_at(scope["problem"], self.run.at(scope))
        step = Step(f"{where(self.run, scope)}: {result.status.value}", result.reason)
        return Truth(self.does.holds(result.status), result.proof, (step,))

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        answer = again(verdicts.does, scope["problem"], self.run.at(scope))
        return None if answer is None else self.does.holds(Outcome(answer))

    def data(self, scope: Scope) -> tuple[dict[str, Any], ...]:
        """Return the run and its verdict."""
        learner, beta, eta = self.run.at(scope)
        status = verdict_at(scope["problem"], (learner, beta, eta)).status
        return ({"algorithm": learner, "beta": str(beta), "eta": str(eta), "verdict": status.value},)


MATRICES = ("A", "C", "C_beta^-1 A")


class Kind(Enum):
    """A property of a matrix."""

    NONSINGULAR = "nonsingular"
    SINGULAR = "singular"
    DEFINITE = "positive definite"
    NOT_DEFINITE = "not positive definite"
    SYMMETRIC = "symmetric"
    NOT_SYMMETRIC = "not symmetric"


@dataclass(frozen=True, slots=True)
class Is(OfAProblem):
    """A property of A, C or C_beta^-1 A of the problem (the last at `beta`)."""

    matrix: str
    kind: Kind
    beta: Fraction | int | None = None

    def __str__(self) -> str:
        return f"{self.matrix}{'' if self.beta is None else f' at beta = {self.beta}'} is {self.kind.value}"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by exact rank, inertia or comparison."""
        A, _, C = setting_at(scope["problem"], Run("td").at({})).key
        size = A.shape[0]
        M = {"A": A, "C": C}.get(self.matrix) or (C + Matrix.identity(size) * Fraction(self.beta or 0)).solve(A)
        if M is None:
            return None, "C + beta I is singular"
        if self.kind in (Kind.NONSINGULAR, Kind.SINGULAR):
            rank = M.rank()
            return (rank == size) is (self.kind is Kind.NONSINGULAR), f"rank {rank} of {size}"
        if self.kind in (Kind.DEFINITE, Kind.NOT_DEFINITE):
            signs = inertia((M + M.T) * Fraction(1, 2))
            shown = f"the symmetric part has {signs.positive} positive and {signs.negative} negative eigenvalues"
            return (signs.positive == size) is (self.kind is Kind.DEFINITE), shown
        return (M == M.T) is (self.kind is Kind.SYMMETRIC), "compared with its transpose"

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        A, _, C = again(matrices, scope["problem"])
        C_beta = algebra.combined((1, C), (Fraction(self.beta or 0), algebra.identity(len(C))))
        M = {"A": A, "C": C}.get(self.matrix) or algebra.solution(C_beta, A)
        if M is None or (self.matrix not in ("A", "C") and algebra.rank(C_beta) < len(C)):
            return None
        if self.kind in (Kind.NONSINGULAR, Kind.SINGULAR):
            return (algebra.rank(M) == len(M)) is (self.kind is Kind.NONSINGULAR)
        if self.kind in (Kind.DEFINITE, Kind.NOT_DEFINITE):
            return algebra.definite(M) is (self.kind is Kind.DEFINITE)
        return (algebra.transposed(M) == M) is (self.kind is Kind.SYMMETRIC)


HYPOTHESES = {
    "theorem-3.1.case-i": "case (i) of Theorem 3.1",
    "theorem-3.1.case-ii.printed": "case (ii) of Theorem 3.1 as printed",
    "theorem-3.1.case-ii": "case (ii) of Theorem 3.1 as corrected",
    "condition.C1": "condition C1 at every z",
    "condition.C3": "condition C3 at every z",
}
"""Checks of `check_conditions`, and what a sentence calls what they say."""


@dataclass(frozen=True, slots=True)
class Met(Rechecked, Statement):
    """A run meets a hypothesis of the theorem, or a condition of its proof, by `check_conditions`."""

    check: str
    run: Run

    rechecked_by = other.meets

    rule: ClassVar[str] = "the conditions on the problem"
    needs: ClassVar[str] = "problem"

    def __str__(self) -> str:
        return f"{self.run} meets {HYPOTHESES[self.check]}"

    def truth(self, scope: Scope) -> Truth:
        """Evaluate it."""
        report = conditions_at(scope["problem"], self.run.at(scope))
        first = next((check for check in report.checks if check.claim == self.check), None)
        if first is None:
            return Truth(None, Proof.EXACT, (Step(where(self.run, scope), "the theorem does not speak of it"),))
        status, reason = first.status, first.reason
        if self.check.startswith("theorem-3.1.case-ii") and report["theorem-3.1.C-nonsingular"].status is Status.FAILS:
            status, reason = Status.FAILS, f"its bound on eta has C^-1, and C is singular; {first.reason}"
        value = {Status.HOLDS: True, Status.FAILS: False}.get(status)
        step = Step(f"{where(self.run, scope)}: {HYPOTHESES[self.check]} {status.value}", reason)
        return Truth(value, first.proof, (step,))


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

    def __str__(self) -> str:
        bound = ">= 0" if self.over == "beta" else "> 0"
        return f"{self.run} converges at {'some' if self.some else 'no'} {self.over} {bound}"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the exact region."""
        region = _region(scope["problem"], self.run.at(scope), self.over)
        value = True if region.intervals else None if region.undecided else False
        return None if value is None else value is self.some, str(region)

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        answer = again(verdicts.pieces, scope["problem"], self.run.at(scope), self.over)
        return None if answer is None else verdicts.somewhere(answer) is self.some


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

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.run} converges exactly where {self.over} > {self.low}"
        return f"{self.run} converges exactly above one {self.over}, between {self.low} and {self.high}"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the exact region."""
        region = _region(scope["problem"], self.run.at(scope), self.over)
        if region.undecided:
            return None, str(region)
        one = region.intervals[0] if len(region.intervals) == 1 else None
        if one is None or one.upper is not None or one.lower_closed:
            return False, str(region)
        if one.lower.rational is not None:
            return self.low <= one.lower.rational <= self.high, f"{region}, that is {one.lower.text()}"
        lower, upper = map(Fraction, (one.lower.enclosure.lower, one.lower.enclosure.upper))
        if self.low <= lower and upper <= self.high:
            return True, f"{region}, {one.lower.text()}"
        return (False if upper < self.low or lower > self.high else None), str(region)

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        answer = again(verdicts.pieces, scope["problem"], self.run.at(scope), self.over)
        return None if answer is None else verdicts.above(answer, self.low, self.high)


@dataclass(frozen=True, slots=True)
class SameFixedPoints(OfAProblem):
    """A run's expected update rests where TD's does, and nowhere else."""

    run: Run

    says = "{0.run} has TD's fixed points"
    rechecked_by = verdicts.same_fixed_points

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by solving both linear systems."""
        result = setting_at(scope["problem"], self.run.at(scope)).fixed_points
        if result.spurious is not None:
            return result.equal, f"it rests along w = ({', '.join(result.spurious.column_texts())}) too"
        return result.equal, "both linear systems solved exactly"


@dataclass(frozen=True, slots=True)
class Plain(OfAProblem):
    """A property of a problem that has no parameters, by its name in `PLAIN`."""

    name: str

    def __str__(self) -> str:
        return PLAIN[self.name]

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it exactly."""
        problem = problem_named(scope["problem"]).problem
        key = setting_at(scope["problem"], Run("td").at({})).key
        if self.name == "on-policy":
            return problem.behaviour == problem.target, "the tables of both policies compared"
        if self.name == "errors-vanish":
            return _errors_vanish(problem, key)
        if self.name == "few-features":
            return problem.k < len(problem.live_states), f"{problem.k} features, {len(problem.live_states)} states"
        if self.name == "mspbe":
            joint, rank = Matrix.block([[key.C, key.A, key.b]]).rank(), key.C.rank()
            return joint == rank, f"rank of [C, A, b] {joint}, of C {rank}"
        values = target_values(problem)
        if self.name == "values":
            count = "no solution" if values is None else "one solution" if values_are_unique(problem) else "solutions"
            exist = {"no solution": False, "one solution": True}.get(count)  # I - gamma P singular: gamma = 1, no end
            return exist, f"v = r + gamma P v has {count}"
        w = None if values is None else Matrix(problem.features).solve(values)
        return w is not None, "no w gives them" if w is None else f"w = ({', '.join(w.column_texts())})"

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        return again(other.PLAIN[self.name], scope["problem"])


def _errors_vanish(problem: Problem, key: KeyMatrices) -> tuple[bool | None, str]:
    """Decide whether some w makes the TD error of every transition 0; it is a TD fixed point then."""
    met = [t for t in problem.transitions if problem.d[t.s] and problem.behaviour[t.s][t.a]]
    differences = Matrix([_difference(problem, t) for t in met])
    w = differences.solve(Matrix.column([t.reward for t in met]))
    if w is not None:
        return True, f"w = ({', '.join(w.column_texts())}) makes all of them 0"
    w = key.A.solve(key.b)
    if w is None:
        return None, "there is no TD fixed point"
    errors = {t.reward - v for t, (v,) in zip(met, (differences @ w).rows, strict=True)}
    return False, f"w = ({', '.join(w.column_texts())}); TD errors {', '.join(map(str, sorted(errors)))}"


def _difference(problem: Problem, transition: Transition) -> list[Number]:
    """Return x - gamma x'."""
    x, s_next = problem.features[transition.s], transition.s_next
    if problem.ends(s_next):
        return list(x)
    gamma = problem.discount(transition)
    return [v - gamma * u for v, u in zip(x, problem.features[s_next], strict=True)]


PLAIN = {
    "on-policy": "behaviour and target policy are the same",
    "errors-vanish": "at some TD fixed point every TD error is 0",
    "few-features": "there are fewer features than states",
    "mspbe": "b - A w is in range(C) for every w",
    "values": "the expected discounted sum of rewards exists from every state",
    "representable": "the features represent the values of the target policy",
}
"""Properties of a problem, and their sentences."""
