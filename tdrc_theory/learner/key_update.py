"""The expected update of a learner in terms of A, b and C, where these determine it, read off its normal form once."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from typing import NamedTuple

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import to_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.quantity import REWARD, Coefficient, Key, split, term_text
from tdrc_theory.learner.trace import Way

Block = dict[str, flint.fmpq]
"""A block of G as a sum {name: factor} of the matrices A, A^T, C and I."""
Key3 = tuple[Matrix, Matrix, Matrix]
"""A (k, k), b (k, 1) and C (k, k)."""
_Signs = dict[tuple[tuple[str, ...], str | None], dict[str, int]]
_OF_STATE: _Signs = {(("x",), "x"): {"C": 1}, ((), None): {"I": 1}}
_OF_STEP: _Signs = {(("x",), "x_next"): {"C": 1, "A": -1}, (("x_next",), "x"): {"C": 1, "A^T": -1}}
"""The signs of matrices in E[u v^T] and in E[rho gamma u v^T], by u and v."""
Form = tuple[dict[tuple[str, str], dict[str, Coefficient]], dict[str, Coefficient]]
"""The blocks of G, and the factors of b, as functions of a learner's parameters."""


class KeyUpdate(NamedTuple):
    """G and g as sums of the key matrices.

    Attributes:
        names: of the weights, in the order of `Algorithm.stacked`.
        blocks: {(row, column): sum}, without blocks of zeros.
        constants: {row: factor of b}.
    """

    names: tuple[str, ...]
    blocks: dict[tuple[str, str], Block]
    constants: dict[str, flint.fmpq]

    @property
    def has_td_rows(self) -> bool:
        """Whether each block row of G and g is (..., -c A | c b) for a number c, whatever A, b and C are."""
        pairs = [(self.blocks.get((row, self.names[-1]), {}), self.constants.get(row)) for row in self.names]
        return all(block == ({"A": -c} if c else {}) for block, c in pairs)

    def at(self, key: Key3) -> tuple[Matrix, Matrix]:
        """Return G (n, n) and g (n, 1) of a problem with these A, b and C."""
        A, b, _ = key
        k = A.shape[0]
        zeros, none = Matrix.zeros(k, k), Matrix.zeros(k, 1)
        blocks = {place: combined(block, key) for place, block in self.blocks.items()}
        G = Matrix.block([[blocks.get((row, column), zeros) for column in self.names] for row in self.names])
        constants = [[b * self.constants[row]] if row in self.constants else [none] for row in self.names]
        return G, Matrix.block(constants)


def combined(block: Block, key: Key3) -> Matrix:
    """Return a sum of multiples of A, A^T, C and I, (k, k)."""
    A, _, C = key
    makers = {"A": lambda: A, "A^T": lambda: A.T, "C": lambda: C, "I": lambda: Matrix.identity(A.shape[0])}
    return reduce(operator.add, [makers[name]() * factor for name, factor in block.items()])


class Undetermined(NamedTuple):
    """Why A, b and C do not give a learner's expected update.

    Attributes:
        reason: in words; empty where one term is why.
        term: factors and coefficient of that.
    """

    reason: str
    term: tuple[Key, Coefficient] | None = None

    def __str__(self) -> str:
        if self.term is None:
            return f"{self.reason}, and A, b and C alone are given"
        return f"its update has {term_text(*self.term)}, whose expectation A, b and C do not give"


def key_update(algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> KeyUpdate | Undetermined:
    """Return a learner's expected update in A, b and C of a problem with features by state, or why they do not give it.

    The parameters are exact, as `algorithm.parameters` returns them. It raises what `Algorithm.trace` does.
    """
    return _read(algorithm, tuple(parameters.items()))


@lru_cache(maxsize=256)
def _read(algorithm: Algorithm, parameters: tuple[tuple[str, Fraction], ...]) -> KeyUpdate | Undetermined:
    values = dict(parameters)
    form = _form(algorithm)
    if isinstance(form, Undetermined):  # with numbers in their place, terms may vanish, and ways be closed
        form = _form_of(algorithm, algorithm.bound(values), frozenset())
    if isinstance(form, Undetermined):
        return form
    point = {name: to_fmpq(value) for name, value in values.items()}
    blocks = {place: {n: v for n, c in block.items() if (v := c.at_point(point))} for place, block in form[0].items()}
    constants = {row: c.at_point(point) for row, c in form[1].items()}
    return KeyUpdate(algorithm.stacked, {place: block for place, block in blocks.items() if block}, constants)


@lru_cache(maxsize=256)
def _form(algorithm: Algorithm) -> Form | Undetermined:
    """Return the update with its parameters as they are named."""
    return _form_of(algorithm, algorithm.trace.ways, frozenset(algorithm.own_parameters))


def _form_of(algorithm: Algorithm, ways: Sequence[Way], parameters: frozenset[str]) -> Form | Undetermined:
    if algorithm.for_action_values:
        return Undetermined("it is for action values")
    if algorithm.memory or algorithm.scalars:
        return Undetermined("it has memory or numbers that move")
    if algorithm.second:
        return Undetermined(f"it reads {algorithm.second[0]}, of a second transition from the same state")
    apart = [way.with_reward_apart() for way in ways]
    if len(apart) != 1 or apart[0] is None or apart[0].conditions:
        return Undetermined("it branches on numbers of a step, or is not affine in the reward")
    blocks: dict[tuple[str, str], dict[str, Coefficient]] = {}
    constants: dict[str, Coefficient] = {}
    for row in algorithm.stacked:
        for key, c in apart[0].rows[row].items():
            weight, result = _term(algorithm, key, c, parameters)
            if result is None:
                return Undetermined("", (key, c))
            total = constants if weight is None else blocks.setdefault((row, weight), {})
            for name, factor in result.items():
                place = row if weight is None else name
                total[place] = total[place] + factor if place in total else factor
    return blocks, constants


def _term(
    algorithm: Algorithm, key: Key, c: Coefficient, parameters: frozenset[str]
) -> tuple[str | None, dict[str, Coefficient] | None]:
    """Return the weight in a product, and what multiplies it in expectation; None where A, b and C do not say."""
    weight, v, (atoms, vectors) = split(key, frozenset(algorithm.stacked))
    if (atoms, vectors, weight) == ((REWARD,), ("x",), None):
        factor, signs = _of_step(c, None, parameters), {"b": 1}
    elif not atoms and weight is not None and (vectors, v) in _OF_STATE:
        parts, signs = c.split("rho"), _OF_STATE[vectors, v]  # which it is affine in, since E[rho | state] = 1
        factor = None if parts is None or not all(part.names <= parameters for part in parts) else parts[0] + parts[1]
    elif not atoms and weight is not None and (vectors, v) in _OF_STEP:
        factor, signs = _of_step(c, "gamma_next", parameters), _OF_STEP[vectors, v]
    else:
        return weight, None
    return weight, None if factor is None else {name: factor if sign > 0 else -factor for name, sign in signs.items()}


def _of_step(c: Coefficient, discount: str | None, parameters: frozenset[str]) -> Coefficient | None:
    """Return q of c = q rho, or of c = q rho gamma where there is a discount; None for any other form."""
    for name in filter(None, ("rho", discount)):
        parts = c.split(name)
        if parts is None or parts[0]:
            return None
        c = parts[1]
    return c if c.names <= parameters else None
