"""Statements about key matrices, emphases, values and value errors on a problem, and the memory of a learner on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadOption, TheoryError
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.judgement import Step
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.learner.sample_update import SampleUpdater
from tdrc_theory.problem import Problem
from tdrc_theory.problem.steps import by_place, starts, steps_of, target_values
from verify.check import Outcome, Proof, Status
from verify.conditions.setting import Setting
from verify.conditions.trace_variance import trace_variance
from verify.paper.facts.atoms import OfAProblem, Parameter, Rechecked, number_in, parameter_text
from verify.paper.facts.problems import again, problem_named, verdict_at
from verify.paper.facts.quantities import Term, Value
from verify.paper.facts.recheck import emphasis as other
from verify.paper.facts.statement import Scope, Truth
from verify.predict.recursion import reached_modes

LEARNERS = {"td": "TD(0)", "emphatic-td": "emphatic TD(0)", "tdc-lambda": "GTD(lambda)", "td-lambda": "TD(lambda)"}
QUANTITIES = {
    "weights": "the stationary distribution of the states",
    "values": "the values of the target policy",
    "emphasis": "the emphasis of the states under {}",
    "key-matrix": "the key matrix of {}",
    "A": "A of {}",
}
"""What statements show as rows, by name."""


def problem_of(scope: Scope) -> Problem:
    """Return the scope's problem."""
    return problem_named(scope["problem"]).problem


class OfALearner(OfAProblem):
    """An atom on a learner: undecided where the problem is none for it, or a parameter is out of its range."""

    __slots__ = ()
    by: str

    @property
    def whose(self) -> str:
        """What a sentence calls the learner."""
        return LEARNERS[self.by]

    def truth(self, scope: Scope) -> Truth:
        """Evaluate it."""
        try:
            return OfAProblem.truth(self, scope)
        except TheoryError as refused:
            return Truth(None, Proof.EXACT, (Step(str(self), str(refused)),))


@cache
def _state_matrices(problem: str) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return d as a column, P Gamma, X and r of a problem under its target policy; refuse one with ends of episodes."""
    result: Problem = problem_named(problem).problem
    if any(result.ends(t.s_next) for t in result.transitions) or result.independent_only:
        raise BadOption(f"{problem}: a key matrix is that of a chain that goes on")
    n = result.states
    flow, r = [[Fraction(0)] * n for _ in range(n)], [Fraction(0)] * n
    for t in result.transitions:
        mass = result.target[t.s][t.a] * t.probability
        r[t.s] += mass * t.reward
        flow[t.s][t.s_next] += mass * result.discount(t)
    return Matrix.column(list(result.d)), Matrix(flow), Matrix(result.features), Matrix.column(r)


def _emphasis(problem: str, learner: str) -> Matrix:
    """Return d, or f = d i + (P Gamma)^T f where there is one, as a column."""
    d, flow, _, _ = _state_matrices(problem)
    if learner != "emphatic-td":
        return d
    interest = problem_named(problem).problem.interest
    weighed = Matrix.column([v * i for (v,), i in zip(d.rows, interest, strict=True)])
    result = (Matrix.identity(flow.shape[0]) - flow.T).solve(weighed)
    if result is None:
        raise BadOption(f"{problem}: the follow-on trace has no mean")
    return result


def _key_matrix(problem: str, learner: str) -> Matrix:
    _, flow, _, _ = _state_matrices(problem)
    rest = Matrix.identity(flow.shape[0]) - flow
    return Matrix([[m * v for v in row] for (m,), row in zip(_emphasis(problem, learner).rows, rest.rows, strict=True)])


def _rows(problem: str, what: str, learner: str) -> Matrix | None:
    if what == "values":
        result = target_values(problem_named(problem).problem)
        return None if result is None else result.T
    d, _, X, _ = _state_matrices(problem)
    if what in ("weights", "emphasis"):
        return (d if what == "weights" else _emphasis(problem, learner)).T
    K = _key_matrix(problem, learner)
    return K if what == "key-matrix" else X.T @ K @ X


@dataclass(frozen=True, slots=True)
class Shown(OfALearner):
    """A quantity of a problem is what is printed, rounded to as many decimals as are printed.

    Attributes:
        what: one of `QUANTITIES`. rows: what is printed. by: whose it is. decimals: None where it is exact.
    """

    what: str
    rows: tuple[tuple[Fraction | int, ...], ...]
    by: str = "td"
    decimals: int | None = None

    def __str__(self) -> str:
        shown = "; ".join(", ".join(map(str, row)) for row in self.rows)
        rounded = "" if self.decimals is None else f", to {self.decimals} decimals"
        return f"{QUANTITIES[self.what].format(self.whose)} is [{shown}]{rounded}"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Compare exactly."""
        result = _rows(scope["problem"], self.what, self.by)
        if result is None:
            return None, "it does not exist"
        return self._are(result.rows), "; ".join(", ".join(map(str, row)) for row in result.rows)

    def _are(self, sequences: Sequence[Sequence[Number]]) -> bool:
        if [len(row) for row in sequences] != [len(row) for row in self.rows]:
            return False
        pairs = [p for row, printed in zip(sequences, self.rows, strict=True) for p in zip(row, printed, strict=True)]
        unit = Fraction(0) if self.decimals is None else Fraction(1, 2 * 10**self.decimals)
        return all(-unit <= v - Fraction(w) <= unit for v, w in pairs)

    def recheck(self, scope: Scope) -> bool | None:
        """Compare by the other code."""
        answer = again(other.rows, scope["problem"], self.what, self.by)
        return None if answer is None else self._are(answer)


@dataclass(frozen=True, slots=True)
class FromKeyMatrix(OfALearner):
    """A of a learner's expected update, by its own trace, is X^T K X with its key matrix."""

    by: str

    says = "the expected update of {0.whose} has A = X^T K X"
    rechecked_by = other.from_key_matrix

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Compare what the learner's function gives with the matrices of the problem."""
        algorithm = find_algorithm(self.by)
        G, _ = expected_update(problem_of(scope), algorithm, algorithm.parameters({}))
        K = _rows(scope["problem"], "A", self.by)
        return (-G) == K, f"A = {-G}"


@dataclass(frozen=True, slots=True)
class Stable(OfALearner):
    """The expected update of a learner converges to one point: every eigenvalue of A has positive real part."""

    by: str

    says = "the expected update of {0.whose} is stable"
    rechecked_by = other.stable

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the exact verdict on the learner's function."""
        result = verdict_at(scope["problem"], (self.by, Fraction(0), Fraction(1)))
        if result.status is Outcome.UNDECIDED:
            return None, result.reason
        return result.status is Outcome.CONVERGENT, result.reason


@dataclass(frozen=True, slots=True)
class StepChange(Rechecked, Term):
    """What one TD(0) update adds to the only weight.

    Attributes:
        weight: before. alpha: the step size. state, action: of the step, which leads to one state only.
    """

    weight: Fraction | int
    alpha: Fraction | int
    state: int
    action: int

    says = "the change by action {0.action} in state {0.state}, from {0.weight} with alpha = {0.alpha}"
    rechecked_by = other.step_change

    def value(self, scope: Scope) -> Value:
        """Return it, by the learner's function."""
        problem, algorithm = problem_of(scope), find_algorithm("td")
        if problem.k != 1 or not (0 <= self.state < problem.states and 0 <= self.action < problem.actions):
            return None
        updater = SampleUpdater(problem, algorithm, algorithm.parameters({}))
        arrivals = [t.s_next for t in problem.transitions if (t.s, t.a) == (self.state, self.action)]
        rho = problem.rho(self.state, self.action)
        for step in steps_of(problem):
            if (step.place, step.numbers["rho"]) == (self.state, rho) and arrivals == [step.arrival]:
                update, _ = updater(step)
                moves = (u[0] * (v[0] * Fraction(self.weight) + v[1]) for u, v in update.pairs)
                return sum(moves, Fraction(0)) * Fraction(self.alpha)
        return None


@dataclass(frozen=True, slots=True)
class SquaredError(Rechecked, Term):
    """The mean square value error, weighted by d and the interest, where a learner rests; least of all if "least"."""

    at: str

    rechecked_by = other.value_error

    def __str__(self) -> str:
        if self.at == "least":
            return "the least mean square value error"
        return f"the mean square value error where {LEARNERS[self.at]} rests"

    def value(self, scope: Scope) -> Value:
        """Return it."""
        problem = problem_of(scope)
        try:
            d, _, X, r = _state_matrices(scope["problem"])
            m = _emphasis(scope["problem"], self.at)
        except BadOption:
            return None
        values = target_values(problem)
        if values is None:
            return None
        share = [v * i for (v,), i in zip(d.rows, problem.interest, strict=True)]
        if self.at == "least":
            D = Matrix([[s * int(i == j) for j in range(len(share))] for i, s in enumerate(share)])
            w = (X.T @ D @ X).solve(X.T @ D @ values)
        else:
            A = X.T @ _key_matrix(scope["problem"], self.at) @ X
            w = A.solve(X.T @ Matrix.column([a * b for (a,), (b,) in zip(m.rows, r.rows, strict=True)]))
        if w is None:
            return None
        off = (values - X @ w).rows
        return sum((e * e * s for s, (e,) in zip(share, off, strict=True)), Fraction(0))


@dataclass(frozen=True, slots=True)
class FiniteVariance(OfALearner):
    """The trace of a learner has finite variance at a lambda."""

    by: str
    lam: Parameter

    rechecked_by = other.trace_variance

    def __str__(self) -> str:
        return f"the trace of {LEARNERS[self.by]} with {parameter_text('lambda', self.lam)} has finite variance"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the spectral radius of the operator on second moments."""
        algorithm = find_algorithm(self.by)
        setting = Setting(problem_of(scope), algorithm, algorithm.parameters({"lam": number_in(self.lam, scope)}))
        result = trace_variance(setting)
        return {Status.HOLDS: True, Status.FAILS: False}.get(result.status), result.reason


@dataclass(frozen=True, slots=True)
class FiniteMemory(OfALearner):
    """The memory of a learner takes finitely many values, so that all its moments are bounded."""

    by: str

    says = "the memory of {0.whose} takes finitely many values"
    rechecked_by = other.finite_follow_on

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Follow every value that it takes from the start, until none is new."""
        problem, algorithm = problem_of(scope), find_algorithm(self.by)
        first = [place for place, p in enumerate(starts(problem)) if p]
        updater = SampleUpdater(problem, algorithm, algorithm.parameters({}))
        modes = reached_modes(updater, by_place(steps_of(problem)), first)
        if modes.horizon is not None:
            return None, f"more than {len(modes.places)} of them"
        return True, f"{len(modes.places)} modes of state and memory, and no step leads to another"


@dataclass(frozen=True, slots=True)
class FollowOnMoment(OfALearner):
    """With interest in the first state alone, E[F_t^power] = base^t at every t."""

    power: int
    base: Fraction | int

    says = "with interest in the first state alone, E[F_t^{0.power}] = ({0.base})^t for every t"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the factor (rho gamma)^power of one step, whose mean is to be the same in every state."""
        problem = problem_of(scope)
        if any(problem.ends(t.s_next) for t in problem.transitions):
            return None, "episodes end"
        factors = [Fraction(0)] * problem.states
        for t in problem.transitions:
            b = problem.behaviour[t.s][t.a]
            if b:
                factors[t.s] += b * t.probability * (problem.rho(t.s, t.a) * problem.discount(t)) ** self.power
        if len(set(factors)) > 1:
            return None, f"E[(rho gamma)^{self.power}] is {', '.join(map(str, factors))} in the states"
        why = f"F_t is a product of ratios, and E[(rho gamma)^{self.power}] = {factors[0]} in every state"
        return factors[0] == self.base, f"{why}, so the mean is its power"

    def recheck(self, scope: Scope) -> bool | None:
        """Compare the first moments by the other code."""
        answer = again(other.first_interest, scope["problem"], self.power, 6)
        return None if answer is None else all(v == Fraction(self.base) ** t for t, v in enumerate(answer))
