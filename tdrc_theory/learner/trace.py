"""The trace: the normal form of a learner, read off the record of its function."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import NamedTuple

from tdrc_theory.errors import BadAlgorithm, NotAffine
from tdrc_theory.learner.quantity import (
    REWARD,
    Coefficient,
    Condition,
    Key,
    Quantity,
    atom,
    constant,
    names_of,
    product,
    read,
    ring,
    term_text,
)
from tdrc_theory.learner.record import NUMBER, Node, every_path, leaves, reached
from tdrc_theory.learner.recording import RecordedStep

Known = dict[Node, Quantity]


class Way(NamedTuple):
    """One way through the function's comparisons.

    Attributes:
        conditions: what the numbers of the step have to satisfy.
        rows: {weights: direction, memory: value after the step}, each {factors: coefficient}.
    """

    conditions: tuple[Condition, ...]
    rows: dict[str, Quantity]

    def is_open(self, values: Mapping[str, Fraction]) -> bool:
        """Return whether its conditions hold at these values."""
        return all(condition.holds(values) for condition in self.conditions)

    def bound(self, values: Mapping[str, Fraction]) -> Way | None:
        """Return it with numbers for some names; None where its conditions do not hold there."""
        conditions = [condition.bound(values) for condition in self.conditions]
        if any(condition.decided() is False for condition in conditions):
            return None
        rows = {row: {key: b for key, c in terms.items() if (b := c.bound(values))} for row, terms in self.rows.items()}
        return Way(tuple(c for c in conditions if c.decided() is None), rows)

    def with_reward_apart(self) -> Way | None:
        """Return it with the reward among the factors, not in coefficients; None where it is not affine in it."""
        if any("reward" in condition.names for condition in self.conditions):
            return None
        rows: dict[str, Quantity] = {row: {} for row in self.rows}
        for row, terms in self.rows.items():
            for (atoms, vectors), c in terms.items():
                parts = c.split("reward")
                if parts is None:
                    return None
                keys = (atoms, vectors), (tuple(sorted((*atoms, REWARD))), vectors)
                rows[row] |= {key: part for key, part in zip(keys, parts, strict=True) if part}
        return Way(self.conditions, rows)


@dataclass(frozen=True)
class Trace:
    """The normal form of a learner.

    Attributes:
        weights: names, in the order of varrho: the value estimate last.
        ways: one, where the function compares nothing.
    """

    weights: tuple[str, ...]
    ways: tuple[Way, ...]

    @property
    def terms(self) -> list[tuple[Key, Coefficient]]:
        """The products of all rows on all ways, with their coefficients."""
        return [term for way in self.ways for terms in way.rows.values() for term in terms.items()]

    @cached_property
    def names(self) -> frozenset[str]:
        """The numbers that the update or its comparisons depend on."""
        compared = [condition.names for way in self.ways for condition in way.conditions]
        return frozenset().union(*compared, *(c.names for _, c in self.terms))

    def reads(self, name: str) -> bool:
        """Return whether the update depends on a vector or a number."""
        return name in self.names or any(name in names_of(key) for key, _ in self.terms)


def trace(name: str, step: RecordedStep, defaults: Mapping[str, Fraction]) -> Trace:
    """Read a learner's record on every way through its comparisons; a parameter in an exponent is read at its default.

    Raises:
        NotAffine: the update is not affine in the weights; the message has the offending term.
        BadAlgorithm: it is not arithmetic on the function's arguments.
    """
    nodes = list(reached(step.outputs.values()))
    raised = leaves(node.operands[1] for node in nodes if node.operation == "**")
    exponents = {leaf: defaults[str(leaf)] for leaf in raised if leaf.value in defaults}
    rows = _rows_of_components if step.errors else _rows_of_vectors
    weights = tuple(step.weights)
    try:
        with ring(tuple(defaults)):
            known = {leaf: constant(value) for leaf, value in exponents.items()}
            ways = [Way(*way) for way in every_path(partial(rows, step, known))]
    except BadAlgorithm as error:
        why = str(error).replace("gamma_next", "gamma") if step.errors else str(error)  # as its function calls it
        if not isinstance(error, NotAffine):
            raise BadAlgorithm(f"{name} {why}") from None
        every = ("w", "h") if step.errors else weights
        affine_in = f"({', '.join(every)})" if len(every) > 1 else every[0]
        subject = why if " has the term " in why else f"it {why}"
        raise NotAffine(f"{name} is not affine in {affine_in}: {subject}") from None
    if step.errors:
        has_h = any(way.rows["h"] or any("h" in names_of(key) for key in way.rows["w"]) for way in ways)
        weights = ("w", "h") if has_h else ("w",)
        ways = [Way(way.conditions, {n: way.rows[n] for n in reversed(weights)}) for way in ways]
    return Trace((*weights[1:], weights[0]), tuple(ways))


def _rows_of_components(step: RecordedStep, known: Known) -> dict[str, Quantity]:
    """Return the rows of a function of one component on the way that is being taken; h moves by eta alpha dh."""
    known = dict(known)
    named = {**known, **{node: atom(error) for error, node in step.errors.items()}}
    rows = {}
    for name in ("w", "h"):
        node = step.directions.get(name, step.record.number(0))
        for key, c in _direction(node, named).items():
            if {"h", "x_next"} <= set(key[1]):
                raise BadAlgorithm(
                    f"multiplies h and x_next component by component in d{name}; for h.x' write a function of vectors, "
                    'with dot(h, x_next): @learner(weights="w h")'
                )
            if _degree(key, {"h", *step.errors}) > 1:
                raise NotAffine(f"d{name} has the term {term_text(key, c)}")
        rows[name] = read(node, known)
    return {**rows, "h": product(rows["h"], constant(Coefficient.named("eta")))}


def _rows_of_vectors(step: RecordedStep, known: Known) -> dict[str, Quantity]:
    """Return the rows of a function of vectors on the way that is being taken, affine in weights and in memory."""
    known = dict(known)
    rows = {name: _direction(node, known) for name, node in step.outputs.items()}
    for name, terms in rows.items():
        for key, c in terms.items():
            if _degree(key, step.weights) > 1:
                raise NotAffine(f"{name} has the term {term_text(key, c)}")
            if _degree(key, step.memory) > 1:
                raise BadAlgorithm(f"is not affine in its memory: {name} has the term {term_text(key, c)}")
    return rows


def _direction(node: Node, known: Known) -> Quantity:
    try:
        return read(node, known)
    except BadAlgorithm as error:
        raise error if node.operation != NUMBER else BadAlgorithm(f"{error}; a direction is a number") from None


def _degree(key: Key, names: Collection[str]) -> int:
    """Return how many factors of a product have these names."""
    return sum(name in names for name in names_of(key))
