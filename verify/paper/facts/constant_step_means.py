"""Statements about the exact mean of a learner of one weight at a constant step size."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.learner.expectation import expected_update
from verify.paper.facts.atoms import Parameter, number_in
from verify.paper.facts.emphasis import LEARNERS, OfALearner, problem_of
from verify.paper.facts.evaluated import again
from verify.paper.facts.quantities import Term, Value
from verify.paper.facts.recheck import emphatic_means as means
from verify.paper.facts.recheck.emphasis import expected_matrix
from verify.paper.facts.recheck.sizes import Ends
from verify.paper.facts.small_problems import problem_named
from verify.paper.facts.truth import Scope
from verify.predict.renewal import THEOREM, Renewal, renewal_of

_AT_0 = "the weight starts at 0, where nothing moves it"


@cache
def _renewal(problem: str, learner: str) -> Renewal | None:
    algorithm = find_algorithm(learner)
    return renewal_of(problem_named(problem).problem, algorithm, algorithm.parameters({}))


def _first_weight(problem: str) -> Fraction:
    return Fraction(str(problem_named(problem).problem.initial_weights[0]))


@dataclass(frozen=True, slots=True)
class MeanSettles(OfALearner):
    """At a constant step size the expected weights of a learner go to its fixed point, 0."""

    by: str
    alpha: Parameter

    def sentence(self) -> str:
        """Return the English sentence."""
        return f"at constant alpha = {self.alpha} the expected weight of {LEARNERS[self.by]} goes to 0"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the renewal equation of the mean."""
        result, alpha = _renewal(scope["problem"], self.by), number_in(self.alpha, scope)
        if result is None:
            return None, "a deviation does not start the memory anew"
        if not _first_weight(scope["problem"]):
            return True, _AT_0
        return result.settles(alpha), result.reason(alpha)

    def recheck(self, scope: Scope) -> bool | None:
        """See it in the first means, by the other code."""
        return again(means.mean_settles, scope["problem"], number_in(self.alpha, scope))


@dataclass(frozen=True, slots=True)
class MeanUnbounded(OfALearner):
    """At every constant alpha > 0 the mean goes to infinity, but where some update makes the weight exactly 0."""

    by: str

    def sentence(self) -> str:
        """Return the English sentence."""
        but = "but where an update of the target policy's path makes the weight exactly 0"
        return f"at every constant alpha > 0, {but}, the expected weight of {LEARNERS[self.by]} outgrows every bound"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by how the factors of the target policy's path grow."""
        result = _renewal(scope["problem"], self.by)
        if result is None or not result.grows:
            return None, "the factors of the target policy's path are not seen to grow"
        if not _first_weight(scope["problem"]):
            return False, _AT_0
        shown = ", ".join(str(a) for _, a in result.path[:4])
        law = f"a_j = {shown}, ..., a_(j+1) = {result.ratio} a_j + {result.offset}"
        return True, f"the factors of the path are 1 + alpha a_j with {law}: {THEOREM}"

    def recheck(self, scope: Scope) -> bool | None:
        """See the hypotheses of the theorem in the problem's data, by the other code."""
        return again(means.mean_unbounded, scope["problem"], self.by)


@dataclass(frozen=True, slots=True)
class MeanWeight(Term):
    """The exact mean of the only weight after some updates, or what the deterministic update gives.

    Attributes:
        by, alpha: whose, and the step size. updates: how many. expected: whether it is the expected update's.
    """

    by: str
    alpha: Fraction | int
    updates: int
    expected: bool = False

    def text(self) -> str:
        """Return what a sentence calls it."""
        which = "what the expected update makes of" if self.expected else "the mean of"
        run = f"{LEARNERS[self.by]} with alpha = {self.alpha}"
        return f"{which} the weight of {run} after {self.updates} updates"

    def value(self, scope: Scope) -> Value:
        """Return it."""
        problem, algorithm = problem_of(scope), find_algorithm(self.by)
        first = _first_weight(scope["problem"])
        if problem.k != 1 or problem.independent_only:
            return None
        if self.expected:
            G, _ = expected_update(problem, algorithm, algorithm.parameters({}))
            return first * (Fraction(1) + G[0, 0] * Fraction(self.alpha)) ** self.updates
        result = _renewal(scope["problem"], self.by)
        return None if result is None else first * result.means(Fraction(self.alpha), self.updates)[-1]

    def recheck(self, scope: Scope) -> Ends | None:
        """Return it by the other code, twice."""
        if self.expected:
            A = again(expected_matrix, scope["problem"], self.by)
            start = again(means.first_weight, scope["problem"])
            return None if A is None else (start * (1 - Fraction(self.alpha) * A[0][0]) ** self.updates,) * 2
        if self.by != "emphatic-td":
            return None
        answer = again(means.mean_weights, scope["problem"], Fraction(self.alpha), self.updates)
        return None if answer is None else (answer[-1],) * 2
