"""The update of one transition, exact: the normal form of a learner as an operator on its weights."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Number
from tdrc_theory.expectation import split
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.quantity import Atom, Key
from tdrc_theory.problem import Problem
from tdrc_theory.steps import only_plain

Vector = tuple[Number, ...]
ZERO, ONE = Fraction(0), Fraction(1)


class SampleUpdate(NamedTuple):
    """The directions of one transition, as a sum over `pairs` and a sparse part.

    Attributes:
        pairs: (u, v), u (m,) and v (m + 1,): u times v.(varrho, 1); m is the number of weights. Those with the same u
            up to a factor are one, so there is one for a TD error, and one for a correction.
        sparse: (i, j, value): weight j times value is part of the direction of weight i (a regulariser's diagonal).
    """

    pairs: tuple[tuple[Vector, Vector], ...]
    sparse: tuple[tuple[int, int, Number], ...]


class SampleUpdater:
    """Makes the sample updates of one learner on one problem."""

    def __init__(self, problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> None:
        """Lay the weights out as `Algorithm.stacked` does.

        Raises:
            BadOption: the learner has memory.
            NotAffine: its update is not affine in its weights.
        """
        if algorithm.memory or "rho_before" in algorithm.trace.names:
            what = ", ".join(algorithm.memory) or "rho_before"
            raise BadOption(f"{algorithm.name}: finite step sizes are predicted without memory only, and it has {what}")
        self.problem = problem
        self.algorithm = algorithm
        gamma = only_plain(problem, "prediction of finite step sizes")
        self.constants = {**parameters, "gamma": gamma, "gamma_next": gamma, "interest": ONE}
        self.places: dict[str, slice] = {}
        at = 0
        for name in algorithm.stacked:
            width = 1 if name in algorithm.scalars else problem.k
            self.places[name] = slice(at, at + width)
            at += width
        self.size = at

    def __call__(self, s: int, s_next: int, rho: Fraction, reward: Fraction) -> SampleUpdate:
        """Return the update of a transition from s to s_next with this importance ratio and reward."""
        problem = self.problem
        rows = self.algorithm.at({**self.constants, "rho": rho, "reward": reward})
        ended = (ZERO,) * problem.k if problem.ends(s_next) else problem.features[s_next]
        data: dict[str, Vector] = {"x": problem.features[s], "x_next": ended}
        columns: dict[tuple[str, str], list[Number]] = {}
        sparse: dict[tuple[int, int], Number] = {}
        for name, terms in rows.items():
            place = self.places[name]
            for key, c in terms.items():
                weight, v, rest = split(key, frozenset(self.places))
                part = _direction(rest, c, data, place.stop - place.start)
                if weight is not None and v is None and weight not in self.algorithm.scalars:
                    start = self.places[weight].start
                    for i, value in enumerate(part):
                        at = place.start + i, start + i
                        sparse[at] = sparse.get(at, ZERO) + value
                    continue
                column = columns.setdefault((weight or "", v or ""), [ZERO] * self.size)
                column[place] = [a + b for a, b in zip(column[place], part, strict=True)]
        order = {name: -i for i, name in enumerate(self.places)} | {"": 1}
        listed = sorted(columns.items(), key=lambda item: (order[item[0][0]], item[0]))
        pairs = _merged([(tuple(u), self._factor(*at, data)) for at, u in listed])
        return SampleUpdate(pairs, tuple((i, j, value) for (i, j), value in sorted(sparse.items()) if value))

    def _factor(self, weight: str, v: str, data: Mapping[str, Vector]) -> Vector:
        """Return what a direction is multiplied by, as a row that acts on (varrho, 1)."""
        row: list[Number] = [ZERO] * (self.size + 1)
        if not weight:
            row[-1] = ONE
        else:
            row[self.places[weight]] = data[v] if v else [ONE]
        return tuple(row)


def _direction(rest: Key, c: Number, data: Mapping[str, Vector], width: int) -> Vector:
    atoms, vectors = rest
    for atom in atoms:
        c = c * _inner(atom, data)
    part = [c] * width
    for name in vectors:
        part = [a * b for a, b in zip(part, data[name], strict=True)]
    return tuple(part)


def _inner(atom: Atom, data: Mapping[str, Vector]) -> Number:
    a, b = (data[name] for name in atom)
    return sum((p * q for p, q in zip(a, b, strict=True)), ZERO)


def _merged(pairs: list[tuple[Vector, Vector]]) -> tuple[tuple[Vector, Vector], ...]:
    """Return pairs with proportional u as one."""
    merged: dict[Vector, tuple[Vector, Number, list[Number]]] = {}
    for u, v in pairs:
        lead = next((value for value in u if value), None)
        if lead is None or not any(v):
            continue
        shape = tuple(value / lead for value in u)
        if shape not in merged:
            merged[shape] = u, lead, list(v)
            continue
        _, base, total = merged[shape]
        total[:] = [a + b * (lead / base) for a, b in zip(total, v, strict=True)]
    return tuple((u, tuple(v)) for u, _, v in merged.values() if any(v))
