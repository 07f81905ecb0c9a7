"""What the terms of learners' updates have in common, and how they scale: for all data, read off the update itself.

Learners may be compared on action values that are linear in the features of state and action: the features of action a
in state s are those of s in the block of a, and 0 in the other blocks. A learner of prediction on them, at rho = 1,
sees x in the block of the action A that was taken, and x' in that of the action a' that is bootstrapped from. QRC's
update is written here as the paper has it. What single transitions of a problem do to the weights is stated here
too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.exact.number import to_fmpq
from tdrc_theory.judgement import Step
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.quantity import Coefficient, Key, Quantity
from tdrc_theory.problem.key_matrices import key_matrices
from verify.check import Proof
from verify.paper.facts.atoms import TITLES, OfAProblem, Run
from verify.paper.facts.problems import again, problem_named
from verify.paper.facts.recheck import identities
from verify.paper.facts.statement import Scope, Statement, Truth, joined


class OfUpdates(Statement):
    """A statement on updates alone: true or false for all data."""

    __slots__ = ()

    rule: ClassVar[str] = "the terms of the updates"

    def decided(self) -> tuple[bool | None, str]:
        """Return whether it holds, None where it is not known, and what shows it."""
        raise NotImplementedError

    def truth(self, _: Scope) -> Truth:
        """Compare the terms."""
        try:
            value, shown = self.decided()
        except BadAlgorithm as reason:
            value, shown = None, str(reason)
        return Truth(value, Proof.EXACT, (Step("the terms of the updates", shown),))


@dataclass(frozen=True, slots=True)
class SameUpdate(OfUpdates):
    """Two learners move w (and h, where `whole`) alike, for all data, at a beta and a rho or at all of them (None)."""

    learners: tuple[str, str]
    whole: bool = True
    beta: int | None = None
    rho: int | None = None

    def __str__(self) -> str:
        values = [f"{name} = {value}" for name, value in (("beta", self.beta), ("rho", self.rho)) if value is not None]
        one, other = (TITLES.get(name, name) for name in self.learners)
        weights = "w and h" if self.whole else "w"
        return f"{f'at {joined(values)} ' if values else ''}{one} and {other} update {weights} alike"

    def decided(self) -> tuple[bool | None, str]:
        """Compare the terms."""
        values = {n: Fraction(v) for n, v in (("beta", self.beta), ("rho", self.rho)) if v is not None}
        one, other = (rows(name, **values) for name in self.learners)
        compared = ("w", "h") if self.whole else ("w",)
        same = all(one.get(name, {}) == other.get(name, {}) for name in compared)
        return same, f"{self}: compared term by term"

    def recheck(self, _: Scope) -> bool | None:
        """Compare the updates of vectors of symbols, multiplied out."""
        return identities.same_update(self.learners, self.whole, self.beta, self.rho)


def rows(learner: str | Algorithm, **values: Fraction) -> Mapping[str, Quantity]:
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

    def __str__(self) -> str:
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


def _powers(terms: Quantity, powers: Mapping[str, int]) -> Iterator[int]:
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

    def __str__(self) -> str:
        names, other = joined(TITLES.get(name, name) for name in self.learners), TITLES.get(self.other, self.other)
        return (
            f"{names} take {self.times} times as many multiplications for each feature as {other}, one for each inner "
            f"product and one for each vector that is added, and keep {self.times} times as many weights"
        )

    def decided(self) -> tuple[bool | None, str]:
        """Count them."""
        counts = {name: _costs(name) for name in (*self.learners, self.other)}
        shown = "; ".join(f"{name}: {each} a feature, {kept} n weights" for name, (each, kept) in counts.items())
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


@dataclass(frozen=True, slots=True)
class Pushed(OfAProblem):
    """At an h and the TD fixed point of a problem of one feature every transition moves w by one multiple of alpha."""

    run: Run
    h: Fraction | int
    step: Fraction | int

    says = "at the TD fixed point and h = {0.h} every transition moves w under {0.run} by {0.step} alpha"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it by the update of every transition."""
        problem = problem_named(scope["problem"]).problem
        key = key_matrices(problem)
        fixed = key.A.solve(key.b) if problem.k == 1 else None
        if fixed is None:
            return None, "there is no single feature, or no TD fixed point"
        learner, beta, _ = self.run.at(scope)
        w, h, steps = fixed[0, 0], Fraction(self.h), set()
        for t in problem.transitions:
            if problem.behaviour[t.s][t.a] and problem.d[t.s]:
                x = problem.features[t.s][0]
                y = Fraction(0) if problem.ends(t.s_next) else problem.features[t.s_next][0]
                gamma, rho = problem.discount(t), problem.rho(t.s, t.a)
                delta = t.reward + gamma * w * y - w * x
                dw, _ = find_algorithm(learner).direction(x, y, h, delta, h * x, rho, gamma, beta)
                steps.add(dw)
        return steps == {self.step}, f"w = {w}, steps over alpha: {', '.join(map(str, sorted(steps)))}"

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        steps = again(identities.pushed, scope["problem"], self.run.at(scope), Fraction(self.h))
        return None if steps is None else steps == {self.step}


@dataclass(frozen=True, slots=True)
class Proportional(OfAProblem):
    """Every transition moves w under one learner by so many times what it does under another.

    >>> Proportional("vtrace", "td", Fraction(1, 7)).truth({"problem": "baird"}).value
    True
    """

    learner: str
    other: str
    times: Fraction | int

    rechecked_by = identities.proportional

    def __str__(self) -> str:
        one, other = TITLES[self.learner], TITLES[self.other]
        return f"every transition moves w under {one} by {self.times} times its step under {other}"

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Compare the terms at every importance ratio that occurs."""
        problem = problem_named(scope["problem"]).problem
        ratios = sorted(
            {problem.rho(t.s, t.a) for t in problem.transitions if problem.d[t.s] and problem.behaviour[t.s][t.a]}
        )
        same = all(self._terms(self.learner, 1, rho) == self._terms(self.other, self.times, rho) for rho in ratios)
        return same, f"compared at rho = {', '.join(map(str, ratios))}"

    def _terms(self, learner: str, times: Fraction | int, rho: Fraction) -> Quantity:
        """Return so many times the terms of w that are not 0, for all gamma and beta."""
        terms = rows(learner, rho=rho)["w"]
        return {key: Coefficient(c.numerator * to_fmpq(Fraction(times)), c.denominator) for key, c in terms.items()}


BLOCKS = {(True, True): "A = a'", (True, False): "A", (False, True): "a'", (False, False): "neither A nor a'"}
"""The blocks of an action: whether it was taken, whether it is bootstrapped from."""


def qrc(taken: bool, bootstrapped: bool) -> Algorithm:
    """Return QRC's update in a block, gradients of q being the features.

    h_A += alpha [delta - h_A.x] x - alpha beta h_A, and the h of other actions is not updated;
    w += alpha delta grad q(S, A) - alpha gamma (h_A.x) grad q(S', a').
    """

    def in_block(x: Any, x_next: Any, h: Any, delta: Any, delta_hat: Any, rho: Any, gamma: Any, beta: Any) -> Any:  # noqa: ARG001 - rho is 1
        dw = int(taken) * delta * x - int(bootstrapped) * gamma * delta_hat * x_next
        return dw, int(taken) * ((delta - delta_hat) * x - beta * h)

    return Algorithm("qrc", in_block)


def stacked(learner: str, taken: bool, bootstrapped: bool, values: Mapping[str, Fraction]) -> Mapping[str, Quantity]:
    """Return a learner's update in a block: terms along an x or x' that is 0 there vanish."""
    absent = {name for name, there in (("x", taken), ("x_next", bootstrapped)) if not there}
    return {
        name: {key: c for key, c in terms.items() if absent.isdisjoint(key[1])}
        for name, terms in rows(learner, rho=Fraction(1), **values).items()
    }


@dataclass(frozen=True, slots=True)
class OnActionValues(OfUpdates):
    """QRC with linear action values updates as a learner of prediction does on the features of state and action.

    As in `SameUpdate`, of w or of both weights; where `h_is_zero`, h is held at 0.

    >>> OnActionValues("tdc", beta=0).decided()[0], OnActionValues("tdrc").decided()[0]
    (True, False)
    """

    learner: str
    whole: bool = True
    beta: int | None = None
    h_is_zero: bool = False

    def __str__(self) -> str:
        settings = ([] if self.beta is None else [f"beta = {self.beta}"]) + (["h = 0"] if self.h_is_zero else [])
        name = " and ".join(["QRC", *settings]).replace("QRC and", "QRC with")
        weights = "w and h" if self.whole else "w"
        title = TITLES.get(self.learner, self.learner)
        return f"{name}, its values linear, updates {weights} as {title} does on the features of state and action"

    def decided(self) -> tuple[bool | None, str]:
        """Compare the terms in every block."""
        differing = [name for name, one, other in self._blocks() if one != other]
        return not differing, f"they differ in the block of {differing[0]}" if differing else "the same in every block"

    def recheck(self, _: Scope) -> bool | None:
        """Multiply out both updates of vectors of symbols, three actions together."""
        return identities.on_action_values(self.learner, self.whole, self.beta, self.h_is_zero)

    def _blocks(self) -> Iterator[tuple[str, list[Quantity], list[Quantity]]]:
        values = {} if self.beta is None else {"beta": Fraction(self.beta)}
        for block, name in BLOCKS.items():
            ours = rows(qrc(*block), rho=Fraction(1), **values)
            yield name, self._seen(ours), self._seen(stacked(self.learner, *block, values))

    def _seen(self, parts: Mapping[str, Quantity]) -> list[Quantity]:
        """Return the terms that are compared; at h = 0 those with h are 0."""
        return [
            {key: c for key, c in parts.get(name, {}).items() if not (self.h_is_zero and "h" in names(key))}
            for name in (("w", "h") if self.whole else ("w",))
        ]
