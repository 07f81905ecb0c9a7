"""What the terms of learners' updates have in common, and how they scale: for all data, read off the update itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from tdrc_theory import notation
from tdrc_theory.algorithm import Terms
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.form import Exponents
from verify.check import Proof
from verify.paper.facts.atoms import TITLES
from verify.paper.facts.statement import joined
from verify.paper.facts.truth import Scope, Statement, Truth
from verify.paper.judgement import Step


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
        import sympy

        symbols = dict(zip(("rho", "gamma", "beta"), notation.sympy_symbols("rho", "gamma", "beta"), strict=True))
        symbols |= {n: sympy.Integer(v) for n, v in (("beta", self.beta), ("rho", self.rho)) if v is not None}
        try:
            one, other = (_at(name, symbols) for name in self.learners)
        except BadAlgorithm as reason:  # it compares a symbol with a number
            return None, str(reason)
        return one[: 1 + self.whole] == other[: 1 + self.whole], f"{self.sentence()}: compared term by term"


def _at(learner: str, symbols: dict[str, Any]) -> tuple[dict[Exponents, Any], ...]:
    """Return the terms of w and of h that are not zero, at symbols or numbers."""
    algorithm = find_algorithm(learner)
    beta = algorithm.fixed.get("beta", symbols["beta"])
    terms = algorithm.terms(symbols["rho"], symbols["gamma"], beta)
    return tuple({key: c for key, c in part.items() if c != 0} for part in terms)


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
        ways = [terms for name in self.learners for _, terms in find_algorithm(name).symbolic_terms()]
        if powers.get("R", 0) != powers.get("x", 0) + powers.get("w", 0):
            return False, "R and w.x, which delta adds, are multiplied by different powers of c"
        found = {power for terms in ways for power in _powers(terms, powers)}
        shown = ", ".join(map(str, sorted(found)))
        return found == {self.step}, f"powers of c of the terms of alpha dw and alpha dh: {shown}"


_WEIGHTS = {"x": "features", "R": "rewards", "w": "w and h"}


def _power(power: int) -> str:
    return "c" if power == 1 else f"c^{power}"


def _powers(terms: Terms, powers: dict[str, int]) -> Iterator[int]:
    """Yield the power of c of every term; one at beta^n in its coefficient has n times beta's."""
    x, w, beta, alpha = (powers.get(name, 0) for name in ("x", "w", "beta", "alpha"))
    for part in terms:
        for (at_x, at_next, at_h, delta, guess), coefficient in part.items():
            for n in _beta_powers(coefficient) if coefficient != 0 else ():
                yield (at_x + at_next) * x + at_h * w + (delta + guess) * (x + w) + n * beta + alpha


def _beta_powers(coefficient: Any) -> set[int]:
    """Return the powers of beta in a sympy coefficient that is a polynomial in it."""
    import sympy

    (beta,) = notation.sympy_symbols("beta")
    return {powers[0] for powers, _ in sympy.Poly(coefficient, beta).terms()}


@dataclass(frozen=True, slots=True)
class Costs(OfUpdates):
    """Learners multiply so many times as often for each feature as another does, and keep so many times its weights.

    Counted are the multiplications of a component, features being dense: one for each of the inner products w.x and
    w.x' (where delta occurs) and h.x (where delta_hat does), and one for each of the vectors x, x' and h that is added
    to w or to h. Numbers are first multiplied together; they do not depend on the number of features.
    """

    learners: tuple[str, ...]
    times: int
    other: str

    def sentence(self) -> str:
        """Return the English sentence."""
        names, other = joined(TITLES.get(name, name) for name in self.learners), TITLES.get(self.other, self.other)
        return (
            f"{names} take {self.times} times as many multiplications for each feature as {other}, "
            f"and keep {self.times} times as many weights"
        )

    def decided(self) -> tuple[bool | None, str]:
        """Count them."""
        try:
            counts = {name: _costs(name) for name in (*self.learners, self.other)}
        except BadAlgorithm as reason:  # it compares a symbol with a number
            return None, str(reason)
        shown = "; ".join(
            f"{name}: {products} a feature, {kept} n weights" for name, (products, kept) in counts.items()
        )
        wanted = tuple(self.times * count for count in counts[self.other])
        return all(counts[name] == wanted for name in self.learners), shown


def _costs(learner: str) -> tuple[int, int]:
    """Return (multiplications for each feature, weights for each feature), for general rho, gamma and beta."""
    symbols = dict(zip(("rho", "gamma", "beta"), notation.sympy_symbols("rho", "gamma", "beta"), strict=True))
    parts = _at(learner, symbols)
    keys = [key for part in parts for key in part]
    inner = 2 * any(key[3] for key in keys) + any(key[4] for key in keys)
    vectors = sum(len({key[:3] for key in part}) for part in parts)
    return inner + vectors, sum(bool(part) for part in parts)
