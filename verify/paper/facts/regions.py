"""Where in one parameter a learner converges."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from verify.paper.facts.atoms import OfAProblem, Run
from verify.paper.facts.problems import again, problem_named
from verify.paper.facts.recheck import regions
from verify.paper.facts.statement import Scope
from verify.region import Region, region


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
        answer = again(regions.pieces, scope["problem"], self.run.at(scope), self.over)
        return None if answer is None else regions.somewhere(answer) is self.some


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
        answer = again(regions.pieces, scope["problem"], self.run.at(scope), self.over)
        return None if answer is None else regions.above(answer, self.low, self.high)
