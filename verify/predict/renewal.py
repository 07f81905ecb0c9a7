"""Exact means of a learner of one weight whose memory starts anew wherever behaviour deviates from the target policy.

From the start the target policy's steps lead along one path. Step j of it is taken with probability b_j and multiplies
the weight by 1 + alpha a_j; any other step leaves the weight alone and leads back to the start. With p_n the product of
the first n factors and B_n that of the first n probabilities, the mean after t updates is, for a weight of 1,
    M_t = sum over n < t of B_n (1 - b_n) p_n M_(t - n - 1) + B_t p_t.
The path ends in one state that the target policy does not leave. Memory is an affine map of itself there, so a_j solves
a linear recurrence, of one order more than memory has numbers; a_(j+1) = kappa a_j + c is checked on as many terms.

Let kappa > 1, let a_j change, and let no factor be 0: then |M_t| goes to infinity, since B_t |p_t| outgrows all that
comes before. That is the theorem `renewal_diverges` of `tdrc_theory/proofs`, for every such b_j and a_j; its hypotheses
are decided here, on exact numbers. Where a factor is 0 no longer path matters, and a polynomial decides:
z^(N+1) - sum of B_n (1 - b_n) p_n z^(N-n).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice, pairwise
from operator import mul

from tdrc_theory.exact import Polynomial
from tdrc_theory.exact.polynomial import is_inside_unit_disc
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.sample_update import ONE, ZERO, Memory, SampleUpdater
from tdrc_theory.problem import Problem
from tdrc_theory.problem.steps import ChainStep, by_place, starts, steps_of
from verify.check import Check
from verify.predict.recursion import first_value
from verify.predict.reduced_recursion import ReducedRecursion
from verify.predict.subspaces import at_rest

THEOREM = "theorem renewal_diverges"
"""Of `tdrc_theory/proofs`: what concludes from the factors of the path that the mean goes to infinity."""

_LONGEST = 40
"""Steps of the target policy within which its path ends in one state."""


@dataclass(frozen=True)
class Renewal:
    """The path of the target policy from the start.

    Attributes:
        path: (b_j, a_j) of the first steps.
        probability: b_j of all later ones.
        ratio, offset: kappa and the c with a_(j+1) = kappa a_j + c, from the last of `path` on.
    """

    path: tuple[tuple[Fraction, Fraction], ...]
    probability: Fraction
    ratio: Fraction
    offset: Fraction

    def steps(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Yield (b_j, a_j) for j = 0, 1, 2, ..."""
        yield from self.path
        (_, a) = self.path[-1]
        while True:
            a = self.ratio * a + self.offset
            yield self.probability, a

    @cached_property
    def grows(self) -> bool:
        """Whether |a_j| grows without bound: kappa > 1, and a_j is not where it would stay."""
        return self.ratio > 1 and self.ratio * self.path[-1][1] + self.offset != self.path[-1][1]

    def vanishing(self, alpha: Fraction) -> int | None:
        """Return the first j with 1 + alpha a_j = 0, None where there is none; a_j is to grow."""
        for j, ((_, before), (_, a)) in enumerate(pairwise(chain([(ONE, ZERO)], self.steps()))):
            if 1 + alpha * a == 0:
                return j
            if j > len(self.path) and abs(a) > max(abs(before), 1 / alpha):
                return None
        return None

    def means(self, alpha: Fraction, updates: int) -> list[Fraction]:
        """Return M_0, ..., M_t."""
        back, stay = self._weights(alpha, updates + 1)
        means: list[Fraction] = []
        for t in range(updates + 1):
            means.append(sum(map(mul, back, reversed(means)), stay[t]))
        return means

    def _weights(self, alpha: Fraction, length: int) -> tuple[list[Fraction], list[Fraction]]:
        """Return B_n (1 - b_n) p_n and B_n p_n for the first n."""
        back, stay, product = [], [], Fraction(1)
        for b, a in islice(self.steps(), length):
            stay.append(product)
            back.append(product * (1 - b))
            product *= b * (1 + alpha * a)
        return back, stay

    def settles(self, alpha: Fraction) -> bool | None:
        """Return whether the mean goes to 0 at a step size; None where that is not decided."""
        if not self.grows:
            return None
        last = self.vanishing(alpha)
        if last is None:
            return False
        back, _ = self._weights(alpha, last + 1)
        return is_inside_unit_disc(Polynomial([-c for c in reversed(back)] + [1])) or None

    def reason(self, alpha: Fraction) -> str:
        """Return why the mean goes to 0, or is unbounded, or why `settles` does not decide."""
        settles = self.settles(alpha)
        if settles is None:
            return "the renewal equation of the mean does not decide it"
        if settles:
            last = self.vanishing(alpha)
            return f"update {last} of the target policy's path makes the weight 0, and what is left goes to 0"
        growth = f"factor j of the target policy's path is 1 + alpha a_j with a_(j+1) = {self.ratio} a_j"
        return f"{growth} + {self.offset}, none is 0, so the mean outgrows every bound ({THEOREM})"


def mean_in_the_long_run(reduced: ReducedRecursion, alpha: Fraction) -> Check | None:
    """Judge whether the mean weight goes to 0; None where memory has an end, or that is not decided."""
    asked = reduced.recursion
    if asked.horizon is None or asked.copy is not None or at_rest(reduced):
        return None
    result = renewal_of(asked.problem, asked.algorithm, asked.parameters)
    if result is None or (settles := result.settles(alpha)) is None:
        return None
    return Check.exact("mean-settles", "the renewal equation of the mean", settles, result.reason(alpha))


def renewal_of(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> Renewal | None:
    """Return the path of the target policy; None where the learner and the problem are not of this kind."""
    if not problem.is_rational:
        return None
    updater = SampleUpdater(problem, algorithm, parameters)
    first = [place for place, p in enumerate(starts(problem)) if p]
    if updater.size != 1 or len(first) != 1:
        return None
    leaving = by_place(steps_of(problem, algorithm.second))
    value, places, path = first_value(updater, first[0]), list[int](), list[tuple[Fraction, Fraction]]()
    needed = 4 + sum(map(len, updater.empty))
    for _ in range(_LONGEST):
        taken = _one_step(updater, leaving, value, first[0])
        if taken is None:
            return None
        step, factor, memory = taken
        places.append(step.place)
        path.append((step.probability, factor))
        if len(set(places[-needed:])) == 1 and len(places) > needed:
            return _fitted(path, needed)
        value = (step.arrival, updater.after(step), memory)
    return None


def _one_step(
    updater: SampleUpdater,
    leaving: Mapping[int, Iterable[ChainStep]],
    value: tuple[int, tuple[Fraction, ...], Memory],
    start: int,
) -> tuple[ChainStep, Fraction, Memory] | None:
    """Return the one step that moves the weight, by what it multiplies it, and the memory after it."""
    place, before, memory = value
    result = []
    for step in leaving[place]:
        update, after = updater(step, before, memory)
        slope, constant = map(Fraction, *update.rows(1))
        if constant:
            return None
        if step.numbers["rho"]:
            result.append((step, slope, after))
        elif slope or step.arrival != start:
            return None
        else:  # every step from the start is to do the same after this one as at the start
            here, anew = (updater.after(step), after), first_value(updater, start)[1:]
            if any(updater(each, *here) != updater(each, *anew) for each in leaving[start]):
                return None
    return result[0] if len(result) == 1 else None


def _fitted(path: list[tuple[Fraction, Fraction]], needed: int) -> Renewal | None:
    """Return the path up to where the last terms solve a_(j+1) = kappa a_j + c, checked on all of them."""
    tail = [a for _, a in path[-needed + 1 :]]
    if tail[0] == tail[1]:
        return None
    ratio = (tail[2] - tail[1]) / (tail[1] - tail[0])
    offset = tail[1] - ratio * tail[0]
    if any(after != ratio * a + offset for a, after in pairwise(tail)):
        return None
    return Renewal(tuple(path), path[-1][0], ratio, offset)
