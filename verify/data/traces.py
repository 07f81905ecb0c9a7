"""A learner's memory along logged episodes: its value before each row, from 0 where an episode starts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.expectation import driving_order, mixes_components
from tdrc_theory.learner.quantity import names_of
from verify.data.products import Product, bound_ways, factors
from verify.data.transitions import Transitions


def remembers(algorithm: Algorithm) -> bool:
    """Return whether a learner reads earlier rows."""
    return bool(algorithm.memory) or "rho_before" in algorithm.trace.names


class Memory:
    """What a learner remembers, carried from one piece of the data to the next.

    Each memory is a number of the step times itself plus what drives it, z = a z + u: where memories drive one another
    in a circle, or their components mix, it is not computed.
    """

    def __init__(self, algorithm: Algorithm, parameters: Mapping[str, Fraction], gamma: Fraction) -> None:
        """Read the recursion off the learner's function.

        Raises:
            BadOption: a memory is of another kind.
        """
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
    parts: list[tuple[float, Product]],
    numbers: Mapping[str, np.ndarray],
    vectors: Mapping[str, np.ndarray],
    shape: tuple[int, ...],
) -> np.ndarray:
    total = np.zeros(shape)
    for share, product in parts:
        total = total + share * product.rows(numbers, vectors)
    return total
