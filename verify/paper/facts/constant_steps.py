"""What a constant step size does to a learner's weights: their mean, also where weights are copied at times."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.polynomial import is_inside_unit_disc
from tdrc_theory.judgement import Step
from tdrc_theory.learner.expectation import expected_update
from verify.check import Proof
from verify.paper.facts.atoms import TITLES, OfAProblem, Parameter, Run, number_in, parameter_text
from verify.paper.facts.emphasis import LEARNERS, OfALearner, problem_of
from verify.paper.facts.problems import again, problem_named, setting_at
from verify.paper.facts.quantities import Term, Value
from verify.paper.facts.recheck import emphasis, verdicts
from verify.paper.facts.statement import Scope, Statement, Truth
from verify.predict.renewal import THEOREM, Renewal, renewal_of

if TYPE_CHECKING:
    from verify.predict.limits.periodic import Period


@dataclass(frozen=True, slots=True)
class Settles(OfAProblem):
    """With a constant step size the expected weights of a run converge: I + alpha G inside the unit disc."""

    run: Run
    alpha: Parameter

    rechecked_by = verdicts.settles

    def __str__(self) -> str:
        step = parameter_text("constant alpha", self.alpha).replace("that ", "that constant ")
        return f"at {step} the expected weights of {self.run} converge"

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

    says = "at constant alpha = {0.alpha} the expected weight of {0.whose} goes to 0"
    rechecked_by = emphasis.mean_settles

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the renewal equation of the mean."""
        result, alpha = _renewal(scope["problem"], self.by), number_in(self.alpha, scope)
        if result is None:
            return None, "a deviation does not start the memory anew"
        if not _first_weight(scope["problem"]):
            return True, _AT_0
        return result.settles(alpha), result.reason(alpha)


@dataclass(frozen=True, slots=True)
class MeanUnbounded(OfALearner):
    """At every constant alpha > 0 the mean goes to infinity, but where some update makes the weight exactly 0."""

    by: str

    rechecked_by = emphasis.mean_unbounded

    def __str__(self) -> str:
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

    def __str__(self) -> str:
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

    def recheck(self, scope: Scope) -> Any:
        """Return it by the other code."""
        if self.expected:
            A = again(emphasis.expected_matrix, scope["problem"], self.by)
            start = again(emphasis.first_weight, scope["problem"])
            return None if A is None else start * (1 - Fraction(self.alpha) * A[0][0]) ** self.updates
        if self.by != "emphatic-td":
            return None
        answer = again(emphasis.mean_weights, scope["problem"], Fraction(self.alpha), self.updates)
        return None if answer is None else answer[-1]


@cache
def _period(problem: str, learner: str, copy: str, alpha: Fraction) -> Period | None:
    from verify.predict.limits.periodic import period_of  # SciPy, which other statements do not need
    from verify.predict.prediction import prepared

    reduced = prepared(problem_named(problem).problem, learner, sampling="iid", copy=copy, period=1)
    return period_of(reduced, alpha)


@dataclass(frozen=True, slots=True)
class ConvergesFrom(Statement):
    """With weights that become others after every N updates the expected weights converge exactly from one N on.

    `copy` says which weights become which others, `target=w`, and `period` is the least N.

    >>> ConvergesFrom("td-target", "target=w", Fraction(1, 100), 77).truth({"problem": "baird"}).value
    True
    """

    learner: str
    copy: str
    alpha: Fraction | int
    period: int

    rule: ClassVar[str] = "spectral radii of the means over a period"
    needs: ClassVar[str] = "problem"

    def __str__(self) -> str:
        target, _, source = self.copy.partition("=")
        copied = f"with {target} <- {source} after every N updates and alpha = {self.alpha}"
        name = TITLES.get(self.learner, self.learner)
        return f"{copied} the expected weights of {name} converge exactly where N >= {self.period}"

    def truth(self, scope: Scope) -> Truth:
        """Read it off the stretches of periods, each of which balls decide."""
        result = _period(scope["problem"], self.learner, self.copy, Fraction(self.alpha))
        stretches = () if result is None else result.stretches
        shown = "; ".join(_written(*stretch) for stretch in stretches) or "no period was decided"
        step = Step(f"{problem_named(scope['problem']).title}: the expected update, by the period", shown)
        return Truth(self._value(stretches), Proof.ENCLOSED, (step,))

    def _value(self, stretches: tuple[tuple[int, int | None, bool | None], ...]) -> bool | None:
        for first, last, converges in stretches:
            other = first < self.period if converges else last is None or last >= self.period
            if converges is not None and other:
                return False
        whole = bool(stretches) and stretches[0][0] == 1 and stretches[-1][1] is None
        joined = all(one[1] is not None and one[1] + 1 == other[0] for one, other in pairwise(stretches))
        return True if whole and joined and all(stretch[2] is not None for stretch in stretches) else None

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate the periods at its two sides by the other code, which can refute it and no more."""
        alpha = Fraction(self.alpha)
        sides = [again(verdicts.converges, scope["problem"], self.learner, self.copy, alpha, self.period)]
        if self.period > 1:
            before = again(verdicts.converges, scope["problem"], self.learner, self.copy, alpha, self.period - 1)
            sides.append(None if before is None else not before)
        return False if False in sides else None


def _written(first: int, last: int | None, converges: bool | None) -> str:
    word = {True: "converges", False: "diverges", None: "is not decided"}[converges]
    return f"{word} from {first} {'on' if last is None else f'to {last}'}" if last != first else f"{word} at {first}"
