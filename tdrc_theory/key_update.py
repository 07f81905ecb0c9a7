"""The expected update of a learner in A, b and C, where these determine it: read off its normal form once."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from typing import NamedTuple

from tdrc_theory.exact import Matrix
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.coefficient import Coefficient
from tdrc_theory.learner.quantity import REWARD, Key, split, term_text

Block = dict[str, Fraction]
"""A block of G as a sum {name: factor} of the matrices A, A^T, C and I; that of g is a factor of b."""


class KeyUpdate(NamedTuple):
    """G and g as sums of the key matrices.

    Attributes:
        names: of the weights, in the order of `Algorithm.stacked`.
        blocks: {(row, column): sum}, without blocks of zeros.
        constants: {row: factor of b}.
    """

    names: tuple[str, ...]
    blocks: dict[tuple[str, str], Block]
    constants: dict[str, Fraction]

    def at(self, key: tuple[Matrix, Matrix, Matrix]) -> tuple[Matrix, Matrix]:
        """Return G (n, n) and g (n, 1) of a problem with these A, b and C."""
        A, b, C = key
        k = A.shape[0]
        known = {"A": A, "A^T": A.T, "C": C, "I": Matrix.identity(k)}
        zeros, none = Matrix.zeros(k, k), Matrix.zeros(k, 1)
        blocks = {
            place: reduce(operator.add, [_times(known[name], factor) for name, factor in block.items()])
            for place, block in self.blocks.items()
        }
        G = Matrix.block([[blocks.get((row, column), zeros) for column in self.names] for row in self.names])
        constants = [[b * self.constants[row]] if row in self.constants else [none] for row in self.names]
        return G, Matrix.block(constants)


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


def _times(M: Matrix, factor: Fraction) -> Matrix:
    """Return a multiple; most factors are 1 or -1, which is cheaper."""
    return M if factor == 1 else -M if factor == -1 else M * factor


def key_update(algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> KeyUpdate | Undetermined:
    """Return a learner's expected update in A, b and C of a problem with features by state, or why they do not give it.

    Args:
        algorithm: any learner.
        parameters: exact; as `algorithm.parameters` returns them.

    Raises:
        NotAffine, BadAlgorithm: as `Algorithm.trace`.
    """
    return _read(algorithm, tuple(parameters.items()))


@lru_cache(maxsize=256)
def _read(algorithm: Algorithm, parameters: tuple[tuple[str, Fraction], ...]) -> KeyUpdate | Undetermined:
    if algorithm.for_action_values:
        return Undetermined("it is for action values")
    if algorithm.memory or algorithm.scalars:
        return Undetermined("it has memory or numbers that move")
    if algorithm.second:
        return Undetermined(f"it reads {algorithm.second[0]}, of a second transition from the same state")
    ways = [way.with_reward_apart() for way in algorithm.bound(dict(parameters))]
    if len(ways) != 1 or ways[0] is None:
        return Undetermined("it branches on numbers of a step, or is not affine in the reward")
    blocks: dict[tuple[str, str], Block] = {}
    constants: dict[str, Fraction] = {}
    for row in algorithm.stacked:
        for key, c in ways[0].rows[row].items():
            weight, found = _term(algorithm, key, c)
            if found is None:
                return Undetermined("", (key, c))
            if weight is None:
                constants[row] = constants.get(row, Fraction(0)) + found["b"]
            else:
                block = blocks.setdefault((row, weight), {})
                for name, factor in found.items():
                    block[name] = block.get(name, Fraction(0)) + factor
    kept = {place: {name: f for name, f in block.items() if f} for place, block in blocks.items()}
    return KeyUpdate(algorithm.stacked, {p: block for p, block in kept.items() if block}, constants)


def _term(algorithm: Algorithm, key: Key, c: Coefficient) -> tuple[str | None, Block | None]:
    """Return the weight in a product, and what multiplies it in expectation; None where A, b and C do not say."""
    weight, v, (atoms, vectors) = split(key, frozenset(algorithm.stacked))
    of_state, of_step = _of_state(c), _of_step(c, "gamma_next" if "x_next" in (*vectors, v) else None)
    if weight is None:
        known = (atoms, vectors) == ((REWARD,), ("x",)) and of_step is not None
        return None, {"b": of_step} if known and of_step is not None else None
    if atoms:
        return weight, None
    if (vectors, v) == (("x",), "x") and of_state is not None:
        return weight, {"C": of_state}
    if (vectors, v) == ((), None) and of_state is not None:
        return weight, {"I": of_state}
    # E[rho gamma x x'^T] = C - A.
    if (vectors, v) == (("x",), "x_next") and of_step is not None:
        return weight, {"C": of_step, "A": -of_step}
    if (vectors, v) == (("x_next",), "x") and of_step is not None:
        return weight, {"C": of_step, "A^T": -of_step}
    return weight, None


def _of_state(c: Coefficient) -> Fraction | None:
    """Return E[c | state] of what is affine in rho and depends on no other number, since E[rho | state] = 1."""
    parts = c.split("rho")
    if parts is None or any(part.names for part in parts):
        return None
    return parts[0].at({}) + parts[1].at({})


def _of_step(c: Coefficient, discount: str | None) -> Fraction | None:
    """Return q of c = q rho, or of c = q rho gamma where there is a discount; None for any other form."""
    for name in filter(None, ("rho", discount)):
        parts = c.split(name)
        if parts is None or parts[0]:
            return None
        c = parts[1]
    return None if c.names else c.at({})
