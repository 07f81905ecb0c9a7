"""Statements about the memory of a learner on a problem: its variance, its values, its moments at every time."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.learner.sample_update import SampleUpdater
from tdrc_theory.problem.steps import ChainStep, starts, steps_of
from verify.check import Status
from verify.conditions.setting import Setting
from verify.conditions.trace_variance import trace_variance
from verify.paper.facts.atoms import Parameter, number_in, parameter_text
from verify.paper.facts.emphasis import LEARNERS, OfALearner, problem_of
from verify.paper.facts.evaluated import again
from verify.paper.facts.recheck import emphasis as other
from verify.paper.facts.truth import Scope
from verify.predict.modes import reached_modes


@dataclass(frozen=True, slots=True)
class FiniteVariance(OfALearner):
    """The trace of a learner has finite variance at a lambda."""

    by: str
    lam: Parameter

    def sentence(self) -> str:
        """Return the English sentence."""
        return f"the trace of {LEARNERS[self.by]} with {parameter_text('lambda', self.lam)} has finite variance"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the spectral radius of the operator on second moments."""
        algorithm = find_algorithm(self.by)
        setting = Setting(problem_of(scope), algorithm, algorithm.parameters({"lam": number_in(self.lam, scope)}))
        result = trace_variance(setting)
        return {Status.HOLDS: True, Status.FAILS: False}.get(result.status), result.reason

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        return again(other.trace_variance, scope["problem"], self.by, number_in(self.lam, scope))


@dataclass(frozen=True, slots=True)
class FiniteMemory(OfALearner):
    """The memory of a learner takes finitely many values, so that all its moments are bounded."""

    by: str

    def sentence(self) -> str:
        """Return the English sentence."""
        return f"the memory of {LEARNERS[self.by]} takes finitely many values"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Follow every value that it takes from the start, until none is new."""
        problem, algorithm = problem_of(scope), find_algorithm(self.by)
        leaving: dict[int, list[ChainStep]] = {}
        for step in steps_of(problem):
            leaving.setdefault(step.place, []).append(step)
        first = [place for place, p in enumerate(starts(problem)) if p]
        updater = SampleUpdater(problem, algorithm, algorithm.parameters({}))
        modes = reached_modes(updater, leaving, first)
        if modes.horizon is not None:
            return None, f"more than {len(modes.places)} of them"
        return True, f"{len(modes.places)} modes of state and memory, and no step leads to another"

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        return again(other.finite_follow_on, scope["problem"])


@dataclass(frozen=True, slots=True)
class FollowOnMoment(OfALearner):
    """With interest in the first state alone, E[F_t^power] = base^t at every t."""

    power: int
    base: Fraction | int

    def sentence(self) -> str:
        """Return the English sentence."""
        return f"with interest in the first state alone, E[F_t^{self.power}] = ({self.base})^t for every t"

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
