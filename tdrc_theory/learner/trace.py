"""The trace: a learner's function is called on symbols, and what it returns is the normal form that all else reads."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Protocol

from tdrc_theory.errors import BadAlgorithm, NotAffine
from tdrc_theory.learner.coefficient import STEP_NUMBERS, Coefficient, names_of_ring, ring
from tdrc_theory.learner.fork import every_path
from tdrc_theory.learner.quantity import Atom, Key, Quantity, UsedAsExponent, dot, term_text
from tdrc_theory.learner.way import Terms, Way

VECTORS = ("x", "x_next", "x_bar")
"""The vectors that a step offers."""


class Declared(Protocol):
    """What is read of a learner here; see `Algorithm`."""

    @property
    def name(self) -> str:
        """See `Algorithm`."""

    @property
    def direction(self) -> Callable[..., Any]:
        """See `Algorithm`."""

    @property
    def weights(self) -> tuple[str, ...]:
        """See `Algorithm`."""

    @property
    def memory(self) -> tuple[str, ...]:
        """See `Algorithm`."""

    @property
    def scalars(self) -> frozenset[str]:
        """See `Algorithm`."""

    @property
    def vectors(self) -> frozenset[str]:
        """See `Algorithm`."""

    @property
    def moves(self) -> tuple[str, ...]:
        """See `Algorithm`."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """See `Algorithm`."""

    @property
    def defaults(self) -> Mapping[str, Fraction]:
        """See `Algorithm`."""

    @property
    def all_weights(self) -> str:
        """See `Algorithm`."""


class Step(dict[str, Any]):
    """What a step moves: `Step(w=..., e=...)`, directions of weights and new values of memory, by name."""


@dataclass(frozen=True)
class Trace:
    """The normal form of a learner.

    Attributes:
        weights: names, in the order of varrho: the value estimate last.
        ways: one, where the function compares nothing.
        exponents: parameters that stand in an exponent, read at their defaults.
        ring: the names that its coefficients are polynomials in.
    """

    weights: tuple[str, ...]
    ways: tuple[Way, ...]
    exponents: frozenset[str]
    ring: tuple[str, ...]

    @cached_property
    def names(self) -> frozenset[str]:
        """The numbers that the update or its comparisons depend on."""
        used: set[str] = set()
        for way in self.ways:
            used.update(*(condition.names for condition in way.conditions))
            used.update(*(c.names for terms in way.rows.values() for c in terms.values()))
        return frozenset(used)

    def reads(self, vector: str) -> bool:
        """Return whether the update depends on a vector."""
        return any(_uses(terms, vector) for way in self.ways for terms in way.rows.values())

    @cached_property
    def of_mean_reward(self) -> tuple[Way, ...] | None:
        """The ways with the reward as a factor, so that its mean on a step suffices; None where it is not affine."""
        ways = tuple(way for way in map(Way.with_reward_apart, self.ways) if way is not None)
        return ways if len(ways) == len(self.ways) else None


def trace(algorithm: Declared) -> Trace:
    """Call the function on symbols, twice on every way through its comparisons.

    Raises:
        NotAffine: the update is not affine in the weights; the message has the offending term.
        BadAlgorithm: the function is not arithmetic on its arguments, or remembers something between its calls.
    """
    exponents: frozenset[str] = frozenset()
    with ring(tuple(algorithm.defaults)):
        for _ in range(len(algorithm.defaults) + 1):
            try:
                ways, again = ([Way(*w) for w in every_path(partial(_rows, algorithm, exponents))] for _ in range(2))
                break
            except UsedAsExponent as error:
                exponents |= error.args[0]
        if ways != again:
            raise BadAlgorithm(
                f"{algorithm.name} is no equation: called twice with the same, it returns different directions"
            )
        if algorithm.weights:
            return Trace((*algorithm.weights[1:], algorithm.weights[0]), tuple(ways), exponents, names_of_ring())
        has_h = any(way.rows["h"] or _uses(way.rows["w"], "h") for way in ways)
        kept = ("h", "w") if has_h else ("w",)
        return Trace(
            kept, tuple(Way(w.conditions, {n: w.rows[n] for n in kept}) for w in ways), exponents, names_of_ring()
        )


def _uses(terms: Terms, name: str) -> bool:
    return any(name in vectors or any(name in atom for atom in atoms) for atoms, vectors in terms)


def _rows(algorithm: Declared, exponents: frozenset[str]) -> dict[str, Terms]:
    """Call the function once, on the way that is being taken."""
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what it prints is not the answer
            arguments = _arguments(algorithm, exponents)
            returned = algorithm.direction(**arguments)
        return _componentwise(returned) if not algorithm.weights else _by_name(algorithm, returned)
    except UsedAsExponent:
        raise
    except NotAffine as error:
        raise NotAffine(f"{algorithm.name} is not affine in {algorithm.all_weights}: {_subject(error)}") from None
    except BadAlgorithm as error:
        raise BadAlgorithm(f"{algorithm.name} {error}") from None
    except (Exception, SystemExit) as error:
        raise BadAlgorithm(f"{algorithm.name} fails where its equation is read: {one_line(error)}") from None


def _subject(error: NotAffine) -> str:
    text = str(error)
    return text if " has the term " in text else f"it {text}"


def _arguments(algorithm: Declared, exponents: frozenset[str]) -> dict[str, Quantity]:
    """Return what the function is called on: a symbol for each of its arguments."""
    old = not algorithm.weights
    vectors = {"x", "x_next", "h"} if old else {*VECTORS, *algorithm.vectors}
    made: dict[str, Any] = {}
    for name in algorithm.arguments:
        if name in exponents:
            default = algorithm.defaults[name]
            made[name] = int(default) if default.denominator == 1 else default
        elif name in vectors:
            made[name] = Quantity.vector(name, old)
        elif name in STEP_NUMBERS or name in algorithm.defaults:
            made[name] = Quantity.constant(Coefficient.named(name), old)
        else:
            made[name] = Quantity.atom(name, componentwise=old)
    return made


def _componentwise(pair: Any) -> dict[str, Terms]:
    """Return the rows of a function of one component, which returns (dw, dh); h moves by eta alpha dh."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise BadAlgorithm(f"returns {_kind(pair)}; an algorithm returns the two directions (dw, dh)")
    directions = {}
    for name, part in zip(("w", "h"), pair, strict=True):
        form = _direction(part, componentwise=True)
        for key, c in form.terms.items():
            if {"h", "x_next"} <= set(key[1]):
                raise BadAlgorithm(
                    f"multiplies h and x_next component by component in d{name}; for h.x' write a function of vectors, "
                    'with dot(h, x_next): @learner(weights="w h")'
                )
            if _degree(key, {"h", "delta", "delta_hat"}) > 1:
                raise NotAffine(f"d{name} has the term {term_text(key, c)}")
        directions[name] = form
    directions["h"] = directions["h"] * Quantity.constant(Coefficient.named("eta"), True)
    x, x_next, w, h = (Quantity.vector(name) for name in ("x", "x_next", "w", "h"))
    gamma, reward = (Quantity.constant(Coefficient.named(name)) for name in ("gamma", "reward"))
    errors: dict[Atom, Quantity] = {
        ("delta",): (reward + gamma * dot(w, x_next) - dot(w, x)),
        ("delta_hat",): dot(h, x),
    }
    return {name: _expanded(form, errors).terms for name, form in directions.items()}


def _expanded(form: Quantity, meanings: Mapping[Atom, Quantity]) -> Quantity:
    """Return a form with its named atoms replaced by what they mean."""
    total = Quantity({}, componentwise=True)
    for (atoms, vectors), c in form.terms.items():
        product = Quantity({((), vectors): c}, componentwise=True)
        for atom in atoms:
            product = product * Quantity(meanings[atom].terms, componentwise=True)
        total = total + product
    return total


def _by_name(algorithm: Declared, step: Any) -> dict[str, Terms]:
    """Return the rows of a function that returns a Step, checked: each of its kind, weights affine, memory apart."""
    if not isinstance(step, Step):
        raise BadAlgorithm(
            f"returns {_kind(step)}; a learner returns Step({', '.join(f'{n}=...' for n in algorithm.moves)})"
        )
    unknown, missing = set(step) - set(algorithm.moves), set(algorithm.moves) - set(step)
    if unknown or missing:
        wrong = f"returns {min(unknown)}, which it does not declare" if unknown else f"does not return {min(missing)}"
        raise BadAlgorithm(f"{wrong}; its Step has {', '.join(algorithm.moves)}")
    return {name: _checked_row(algorithm, name, _direction(step[name])) for name in algorithm.moves}


def _checked_row(algorithm: Declared, name: str, form: Quantity) -> Terms:
    weights, memory = set(algorithm.weights), set(algorithm.memory)
    if form.terms and form.is_vector() is (name in algorithm.scalars):
        kinds = ("a number", "a vector") if name in algorithm.scalars else ("a vector", "a number")
        raise BadAlgorithm(f"returns {name} = {form}: {name} is {kinds[0]}, and this is {kinds[1]}")
    for key, c in form.terms.items():
        if name in memory and _degree(key, weights):
            raise BadAlgorithm(
                f"computes its memory {name} from weights ({term_text(key, c)}); memory is driven by the chain alone: "
                "declare it among the weights"
            )
        if _degree(key, weights) > 1:
            raise NotAffine(f"{name} has the term {term_text(key, c)}")
        if _degree(key, memory) > 1:
            raise BadAlgorithm(f"is not affine in its memory: {name} has the term {term_text(key, c)}")
    return form.terms


def _degree(key: Key, names: set[str]) -> int:
    atoms, vectors = key
    return sum(name in names for atom in atoms for name in atom) + sum(name in names for name in vectors)


def _direction(part: Any, componentwise: bool = False) -> Quantity:
    try:
        return part if isinstance(part, Quantity) else Quantity.constant(part, componentwise)
    except BadAlgorithm as error:
        if isinstance(part, float):
            raise BadAlgorithm(f"{error}; a direction is a number") from None
        raise BadAlgorithm(f"returns {_kind(part)} as a direction; a direction is a number") from None


def _kind(value: Any) -> str:
    if isinstance(value, Quantity):
        return "one vector or number"
    return f"a tuple of {len(value)}" if isinstance(value, tuple) else f"a value of type {type(value).__name__}"


def one_line(error: BaseException) -> str:
    """Return an error's type and message on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
