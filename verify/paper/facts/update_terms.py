"""What the terms of learners' updates have in common, and how they scale: for all data, read off the update itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.judgement import Step
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.quantity import Key
from tdrc_theory.learner.trace import Terms
from verify.check import Proof
from verify.paper.facts.atoms import TITLES
from verify.paper.facts.recheck import identities
from verify.paper.facts.statement import joined
from verify.paper.facts.truth import Scope, Statement, Truth


class OfUpdates(Statement):
    """A statement on updates alone: true or false for all data."""

    __slots__ = ()

    rule: ClassVar[str] = "the terms of the updates"

    def decided(self) -> tuple[bool | None, str]:
        """Return whether it holds, None where it is not known, and what shows it."""
        raise NotImplementedError

    def truth(self, _: Scope) -> Truth:
        """Compare the terms."""
        value, shown = self.decided()
        return Truth(value, Proof.EXACT, (Step("the terms of the updates", shown),))


@dataclass(frozen=True, slots=True)
class SameUpdate(OfUpdates):
    """Two learners move w (or w and h) alike, for all data.

    Attributes:
        learners: their names.
        whole: whether h is compared too.
        beta, rho: a value of each, or None for all values.
    """

    learners: tuple[str, str]
    whole: bool = True
    beta: int | None = None
    rho: int | None = None

    def sentence(self) -> str:
        """Return the English sentence."""
        values = [f"{name} = {value}" for name, value in (("beta", self.beta), ("rho", self.rho)) if value is not None]
        one, other = (TITLES.get(name, name) for name in self.learners)
        weights = "w and h" if self.whole else "w"
        return f"{f'at {joined(values)} ' if values else ''}{one} and {other} update {weights} alike"

    def decided(self) -> tuple[bool | None, str]:
        """Compare the terms."""
        values = {n: Fraction(v) for n, v in (("beta", self.beta), ("rho", self.rho)) if v is not None}
        try:
            one, other = (rows(name, **values) for name in self.learners)
        except BadAlgorithm as reason:
            return None, str(reason)
        compared = ("w", "h") if self.whole else ("w",)
        same = all(one.get(name, {}) == other.get(name, {}) for name in compared)
        return same, f"{self.sentence()}: compared term by term"

    def recheck(self, _: Scope) -> bool | None:
        """Compare the updates of vectors of symbols, multiplied out."""
        return identities.same_update(self.learners, self.whole, self.beta, self.rho)


def rows(learner: str | Algorithm, **values: Fraction) -> Mapping[str, Terms]:
    """Return the terms of w and of h, those that are not 0, with numbers for some names and what the learner fixes.

    Raises:
        BadAlgorithm: it compares a number that has no value here.
    """
    algorithm = find_algorithm(learner)
    ways = algorithm.bound({**values, **algorithm.fixed})
    if len(ways) > 1:
        raise BadAlgorithm(f"{algorithm.name} compares numbers of the step")
    return ways[0].rows


def names(key: Key) -> list[str]:
    """Return the vectors in a product, those of inner products included."""
    atoms, vectors = key
    return [*vectors, *(name for atom in atoms for name in atom)]


@dataclass(frozen=True, slots=True)
class Scales(OfUpdates):
    """Multiplying data and weights by powers of any c > 0 multiplies the steps of w and h by a power of c.

    Attributes:
        learners: names.
        powers: (what is multiplied, power of c) pairs: x, R, w, beta, alpha; h goes as w, and the others stay.
        step: the power of c by which alpha times the direction is multiplied.
    """

    learners: tuple[str, ...]
    powers: tuple[tuple[str, int], ...]
    step: int

    def sentence(self) -> str:
        """Return the English sentence."""
        changes = [f"{_WEIGHTS.get(name, name)} by {_power(p)}" for name, p in self.powers]
        names = joined(TITLES.get(name, name) for name in self.learners)
        return f"multiplying {joined(changes)} multiplies the steps of {names} by {_power(self.step)}, for every c > 0"

    def decided(self) -> tuple[bool | None, str]:
        """Compare the powers of c of all terms, on every way through the learners' comparisons."""
        powers = dict(self.powers)
        algorithms = [find_algorithm(name) for name in self.learners]
        ways = [way.rows for algorithm in algorithms for way in algorithm.bound(algorithm.fixed)]
        seen = {power for parts in ways for part in parts.values() for power in _powers(part, powers)}
        shown = ", ".join(map(str, sorted(seen)))
        return seen == {self.step}, f"powers of c of the terms of alpha dw and alpha dh: {shown}"

    def recheck(self, _: Scope) -> bool | None:
        """Multiply out the updates of scaled vectors of symbols."""
        return identities.scales(self.learners, dict(self.powers), self.step)


_WEIGHTS = {"x": "features", "R": "rewards", "w": "w and h"}


def _power(power: int) -> str:
    return "c" if power == 1 else f"c^{power}"


def _powers(terms: Terms, powers: Mapping[str, int]) -> Iterator[int]:
    """Yield the power of c of every term, those that differ in a power of the reward or of beta apart."""
    of_vectors = {"x": "x", "x_next": "x", "w": "w", "h": "w"}
    of_numbers = {"reward": powers.get("R", 0), "beta": powers.get("beta", 0)}
    for key, coefficient in terms.items():
        vectors = sum(powers.get(of_vectors[name], 0) for name in names(key)) + powers.get("alpha", 0)
        below = set(_scaled(coefficient.denominator, of_numbers))
        for above in _scaled(coefficient.numerator, of_numbers):
            yield from (vectors + above - each for each in below)


def _scaled(polynomial: Any, powers: Mapping[str, int]) -> Iterator[int]:
    """Yield the power of c of each monomial of a coefficient's polynomial."""
    in_order = [powers.get(name, 0) for name in polynomial.context().names()]
    yield from (sum(p * int(n) for p, n in zip(in_order, monomial, strict=True)) for monomial in polynomial.monoms())


@dataclass(frozen=True, slots=True)
class Costs(OfUpdates):
    """Learners multiply so many times as often for each feature as another does, and keep so many times its weights.

    Counted are the multiplications of a component, features being dense: one for each of the inner products w.x, w.x'
    and h.x that occurs, and one for each of the vectors x, x' and h that is added to w or to h. Numbers are first
    multiplied together; they do not depend on the number of features.
    """

    learners: tuple[str, ...]
    times: int
    other: str

    def sentence(self) -> str:
        """Return the English sentence."""
        names, other = joined(TITLES.get(name, name) for name in self.learners), TITLES.get(self.other, self.other)
        return (
            f"{names} take {self.times} times as many multiplications for each feature as {other}, one for each inner "
            f"product and one for each vector that is added, and keep {self.times} times as many weights"
        )

    def decided(self) -> tuple[bool | None, str]:
        """Count them."""
        try:
            counts = {name: _costs(name) for name in (*self.learners, self.other)}
        except BadAlgorithm as reason:
            return None, str(reason)
        shown = "; ".join(
            f"{name}: {products} a feature, {kept} n weights" for name, (products, kept) in counts.items()
        )
        wanted = tuple(self.times * count for count in counts[self.other])
        return all(counts[name] == wanted for name in self.learners), shown

    def recheck(self, _: Scope) -> bool | None:
        """Count by what the updates of numbers depend on."""
        wanted = tuple(self.times * count for count in identities.costs(self.other))
        return all(identities.costs(name) == wanted for name in self.learners)


def _costs(learner: str) -> tuple[int, int]:
    """Return (multiplications for each feature, weights for each feature), for general rho, gamma and beta."""
    parts = rows(learner).values()
    inner = {atom for part in parts for atoms, _ in part for atom in atoms if len(atom) == 2}
    vectors = sum(len({vectors for _, vectors in part}) for part in parts)
    return len(inner) + vectors, sum(bool(part) for part in parts)
