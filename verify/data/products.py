"""Which sums over transitions a learner's expected update consists of: the reader of the normal form for data.

Each term of a direction is a number of the step times an outer product of two vectors of the step. Its mean over
transitions is an entry of G or g, and learners that differ only in the numbers before such means share their sums.
Memory is carried from row to row.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import driving_order, mixes_components, split
from tdrc_theory.learner.quantity import Atom, Coefficient, Condition, names_of
from tdrc_theory.learner.trace import Way
from verify.data.transitions import VECTORS, Transitions

Numbers = Mapping[str, np.ndarray]
"""{name: (n,)} of some rows."""
Vectors = Mapping[str, np.ndarray]
"""{name: (n, k)} of some rows."""


class Factor(NamedTuple):
    """A number of a step: a product of powers, over a polynomial, 0 where a condition does not hold."""

    conditions: tuple[Condition, ...] = ()
    powers: tuple[tuple[str, int], ...] = ()
    below: Coefficient | None = None

    def at(self, numbers: Numbers, count: int) -> np.ndarray:
        """Return it for each row (count,)."""
        value = np.ones(count)
        for condition in self.conditions:
            value = value * _holds(condition, numbers)
        for name, power in self.powers:
            value = value * numbers[name] ** power
        if self.below is not None:
            value = value / polynomial(self.below, numbers)
        return value


class Product(NamedTuple):
    """The mean of a factor times dot products times u v^T; without u or v, of what is left.

    Attributes:
        factor, atoms: numbers of the step.
        u, v: names of vectors, or None.
    """

    factor: Factor = Factor()
    atoms: tuple[Atom, ...] = ()
    u: str | None = None
    v: str | None = None

    def weight(self, numbers: Numbers, vectors: Vectors) -> np.ndarray:
        """Return the number before u v^T at each row (n,)."""
        weight = self.factor.at(numbers, len(numbers["reward"]))
        for atom in self.atoms:
            weight = weight * (numbers[atom[0]] if len(atom) == 1 else inner(vectors, *atom))
        return weight

    def rows(self, numbers: Numbers, vectors: Vectors) -> np.ndarray:
        """Return it at each row where it has no v: (n, k), or (n,) without u."""
        weight = self.weight(numbers, vectors)
        return weight if self.u is None else weight[:, None] * vectors[self.u]

    def total(self, numbers: Numbers, vectors: Vectors) -> np.ndarray:
        """Return its sum over rows: (k, k), (k,) or ()."""
        weight = self.weight(numbers, vectors)
        if self.u is None:
            return np.asarray(weight.sum()) if self.v is None else weight @ vectors[self.v]
        if self.v is None:
            return weight @ vectors[self.u]
        return (weight[:, None] * vectors[self.u]).T @ vectors[self.v]


ROW = Product()
SQUARE = Product(u="x", v="x")
_RHO = Factor(powers=(("rho", 1),))
RATIO = Product(_RHO)
RATIO_SQUARE = Product(Factor(powers=(("rho", 2),)))


class KeyProducts(NamedTuple):
    """What A, b and C are made of: C = E[square], A = E[here] - gamma E[ahead], b = E[paid]."""

    square: Product
    here: Product
    ahead: Product
    paid: Product


def key_products(columns: Collection[str]) -> KeyProducts:
    """Return what A, b and C are made of: with a column x_bar, those of action values."""
    if "x_bar" in columns:
        return KeyProducts(SQUARE, SQUARE, Product(u="x", v="x_bar"), Product(Factor(powers=(("reward", 1),)), u="x"))
    paid = Product(Factor(powers=(("reward", 1), ("rho", 1))), u="x")
    return KeyProducts(SQUARE, Product(_RHO, u="x", v="x"), Product(_RHO, u="x", v="x_next"), paid)


def own_products(columns: Collection[str]) -> tuple[Product, ...]:
    """Return what A, b, C and the ratios' mean and variance need, whatever the learner."""
    return tuple(dict.fromkeys((ROW, RATIO, RATIO_SQUARE, *key_products(columns))))


class Term(NamedTuple):
    """What a product adds to G, or (column None) to g.

    Attributes:
        row, column: names of weights.
        share: the number before it.
        product: whose mean is added.
        transposed: that of v u^T stands for it.
        diagonal: it is a number, and is added on the diagonal.
    """

    row: str
    column: str | None
    share: float
    product: Product
    transposed: bool = False
    diagonal: bool = False


class Form(NamedTuple):
    """A learner at values of its parameters, as what it adds to G and g, and to its memory.

    Attributes:
        algorithm, parameters: which.
        gamma: the discount.
        terms: of its weights.
    """

    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    gamma: Fraction
    terms: tuple[Term, ...]

    @property
    def products(self) -> tuple[Product, ...]:
        """What it needs the means of."""
        return tuple(dict.fromkeys(term.product for term in self.terms))


def form_of(algorithm: Algorithm, parameters: Mapping[str, Fraction], gamma: Fraction) -> Form:
    """Return what a learner needs.

    Raises:
        BadOption: its update multiplies vectors component by component, so that it depends on more than such means.
    """
    terms: list[Term] = []
    weights = frozenset(algorithm.stacked)
    for way in bound_ways(algorithm, parameters, gamma):
        for row in algorithm.stacked:
            for key, c in way.rows[row].items():
                column, v, (atoms, vectors) = split(key, weights)
                by_component = column is not None and v is None and column not in algorithm.scalars
                direction = not by_component and row not in algorithm.scalars
                if len(vectors) != int(direction):
                    raise BadOption(
                        f"{algorithm.name} multiplies vectors component by component; its data need a chain"
                    )
                u = vectors[0] if vectors else None
                turned = u is not None and v is not None and (v, u) < (u, v)
                ends = (v, u) if turned else (u, v)
                for share, factor in factors(way.conditions, c):
                    terms.append(Term(row, column, share, Product(factor, atoms, *ends), turned, by_component))
    return Form(algorithm, parameters, gamma, tuple(terms))


def bound_ways(algorithm: Algorithm, parameters: Mapping[str, Fraction], gamma: Fraction) -> tuple[Way, ...]:
    """Return a learner's normal form with numbers for its parameters and the discount."""
    return algorithm.bound({**parameters, "gamma": gamma, "gamma_next": gamma})


def factors(conditions: Sequence[Condition], c: Coefficient) -> list[tuple[float, Factor]]:
    """Return a coefficient as a sum of numbers times factors."""
    names = c.numerator.context().names()
    below = None if c.denominator.is_one() else Coefficient(c.denominator)
    result = []
    for powers, share in c.numerator.to_dict().items():
        listed = tuple((n, int(e)) for n, e in zip(names, powers, strict=True) if e)
        result.append((int(share.p) / int(share.q), Factor(tuple(conditions), listed, below)))
    return result


def polynomial(c: Coefficient, numbers: Numbers) -> np.ndarray:
    """Return a coefficient at each row."""
    parts = []
    for part in (c.numerator, c.denominator):
        names, total = part.context().names(), np.zeros(())
        for powers, share in part.to_dict().items():
            value: np.ndarray | float = int(share.p) / int(share.q)
            for name, power in zip(names, powers, strict=True):
                value = value * numbers[name] ** int(power) if power else value
            total = total + value
        parts.append(total)
    return parts[0] / parts[1]


def _holds(condition: Condition, numbers: Numbers) -> np.ndarray:
    difference = polynomial(condition.left - condition.right, numbers)
    result = {"<": difference < 0, "<=": difference <= 0, "==": difference == 0}[condition.relation]
    return result == condition.taken


def inner(vectors: Vectors, a: str, b: str) -> np.ndarray:
    """Return the dot products of two vectors, row by row."""
    return np.einsum("ij,ij->i", vectors[a], vectors[b])


def check_offered(form: Form, available: Collection[str], name: str) -> None:
    """Refuse a learner that reads what the data lack, or that is not for action values where the data are.

    Raises:
        BadOption: it reads x_bar, rho_next or pi, and there is no such column; or there is x_bar, and it reads x_next;
            or it reads a second transition.
    """
    read = {*form.algorithm.trace.names, *(v for v in VECTORS if form.algorithm.trace.reads(v))}
    if "x_bar" in available and "x_next" in read and not form.algorithm.for_action_values:
        raise BadOption(
            f"{form.algorithm.name} reads x_next, and {name} has action values (a column x_bar), where x_next has the "
            "action that behaviour takes there; choose a learner of action values, expected-sarsa say"
        )
    if form.algorithm.second:
        raise BadOption(
            f"{form.algorithm.name} reads {form.algorithm.second[0]}, of a second transition from the same state, "
            f"and {name} has one from each; choose a learner that reads one"
        )
    for needed, column in (("x_bar", "x_bar"), ("rho_next", "rho_next"), ("pi", "target")):
        if needed in read and column not in available:
            raise BadOption(f"{form.algorithm.name} reads {needed}, and {name} has no column {column}")


class Memory:
    """What a learner remembers, carried from one piece of the data to the next.

    Each memory is a number of the step times itself plus what drives it, z = a z + u: where memories drive one another
    in a circle, or their components mix, it is not computed.
    """

    def __init__(self, algorithm: Algorithm, parameters: Mapping[str, Fraction], gamma: Fraction) -> None:
        """Read the recursion off the learner's function; BadOption where a memory is of another kind."""
        self.algorithm = algorithm
        self._own: dict[str, list[tuple[float, Product]]] = {}
        self._driven: dict[str, list[tuple[float, Product]]] = {}
        self._last: dict[str, np.ndarray | float] = {}
        self._rho_before = 1.0
        ways = bound_ways(algorithm, parameters, gamma)
        for names in driving_order(algorithm):
            if len(names) > 1 or mixes_components(algorithm, names):
                raise BadOption(f"{algorithm.name}: its memory {', '.join(names)} is not estimated from data")
            (name,) = names
            self._own[name], self._driven[name] = [], []
            for way in ways:
                for key, c in way.rows[name].items():
                    mine, (atoms, vectors) = name in names_of(key), key
                    if mine:
                        atoms = tuple(atom for atom in atoms if name not in atom)
                        vectors = tuple(vector for vector in vectors if vector != name)
                    if len(vectors) > (0 if mine else 1):
                        raise BadOption(f"{algorithm.name}: its memory {name} is not estimated from data")
                    result = [(s, Product(f, atoms, *vectors)) for s, f in factors(way.conditions, c)]
                    (self._own if mine else self._driven)[name].extend(result)

    def before(self, rows: Transitions) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Return all numbers and vectors of some rows, memory among them, with its value before each row."""
        rho = rows.numbers["rho"]
        rho_before = np.where(rows.starts, 1.0, np.concatenate([[self._rho_before], rho[:-1]]))
        self._rho_before = float(rho[-1])
        numbers, vectors = {**rows.numbers, "rho_before": rho_before}, dict(rows.vectors)
        for name, own in self._own.items():
            number = name in self.algorithm.scalars
            width = () if number else vectors["x"].shape[1:]
            scale = _value(own, numbers, vectors, (len(rows),))
            driven = _value(self._driven[name], numbers, vectors, (len(rows), *width))
            (numbers if number else vectors)[name] = self._along(name, rows.starts, scale, driven)
        return numbers, vectors

    def _along(self, name: str, starts: np.ndarray, scale: np.ndarray, driven: np.ndarray) -> np.ndarray:
        before = np.empty_like(driven)
        last = self._last.get(name, 0.0)
        for t, start in enumerate(starts):
            if start:
                last = 0.0
            before[t] = last
            last = scale[t] * last + driven[t]
        self._last[name] = last
        return before


def _value(
    parts: list[tuple[float, Product]], numbers: Numbers, vectors: Vectors, shape: tuple[int, ...]
) -> np.ndarray:
    total = np.zeros(shape)
    for share, product in parts:
        total = total + share * product.rows(numbers, vectors)
    return total
