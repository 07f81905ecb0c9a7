"""At which periods of copies the expected weights converge: a target network that is copied after every N updates."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from tdrc_theory.judgement import Step
from verify.check import Proof
from verify.paper.facts.atoms import TITLES
from verify.paper.facts.evaluated import again
from verify.paper.facts.recheck import periods
from verify.paper.facts.small_problems import problem_named
from verify.paper.facts.truth import Scope, Statement, Truth

if TYPE_CHECKING:
    from verify.predict.limits.periodic import Period


@cache
def _period(problem: str, learner: str, copy: str, alpha: Fraction) -> Period | None:
    from verify.predict.limits.periodic import period_of  # SciPy, which other statements do not need
    from verify.predict.prediction import prepared

    reduced = prepared(problem_named(problem).problem, learner, sampling="iid", copy=copy, period=1)
    return period_of(reduced, alpha)


@dataclass(frozen=True, slots=True)
class ConvergesFrom(Statement):
    """With weights that become others after every N updates the expected weights converge exactly from one N on.

    Attributes:
        learner: its name.
        copy: which weights become which others, `target=w`.
        alpha: the constant step size.
        period: the least N.

    >>> ConvergesFrom("td-target", "target=w", Fraction(1, 100), 77).truth({"problem": "baird"}).value
    True
    """

    learner: str
    copy: str
    alpha: Fraction | int
    period: int

    rule: ClassVar[str] = "spectral radii of the means over a period"
    needs: ClassVar[str] = "problem"

    def sentence(self) -> str:
        """Return the English sentence."""
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
            if (converges is True and first < self.period) or (
                converges is False and (last is None or last >= self.period)
            ):
                return False
        whole = bool(stretches) and stretches[0][0] == 1 and stretches[-1][1] is None
        joined = all(one[1] is not None and one[1] + 1 == other[0] for one, other in pairwise(stretches))
        return True if whole and joined and all(stretch[2] is not None for stretch in stretches) else None

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate the periods at its two sides by the other code, which can refute it and no more."""
        alpha = Fraction(self.alpha)
        sides = [again(periods.converges, scope["problem"], self.learner, self.copy, alpha, self.period)]
        if self.period > 1:
            before = again(periods.converges, scope["problem"], self.learner, self.copy, alpha, self.period - 1)
            sides.append(None if before is None else not before)
        return False if False in sides else None


def _written(first: int, last: int | None, converges: bool | None) -> str:
    word = {True: "converges", False: "diverges", None: "is not decided"}[converges]
    return f"{word} from {first} {'on' if last is None else f'to {last}'}" if last != first else f"{word} at {first}"
