"""The update of one transition, exact: the normal form of a learner as an operator on its weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

from tdrc_theory.exact import Number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import BEFORE, check_offered, kept_apart
from tdrc_theory.learner.quantity import Atom, Key, names_of, split
from tdrc_theory.learner.step_data import AGAIN
from tdrc_theory.problem import Problem
from tdrc_theory.problem.steps import ChainStep, numbered, rows_after, state_of

Vector = tuple[Number, ...]
Memory = tuple[Vector, ...]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class SampleUpdate:
    """The directions of one transition, as a sum over `pairs` and a sparse part; its hash is computed once.

    Attributes:
        pairs: (u, v), u (m,) and v (m + 1,): u times v.(varrho, 1); m is the number of weights. Those with the same u
            up to a factor are one, so there is one for a TD error, and one for a correction.
        sparse: (i, j, value): weight j times value is part of the direction of weight i (a regulariser's diagonal).
    """

    pairs: tuple[tuple[Vector, Vector], ...]
    sparse: tuple[tuple[int, int, Number], ...]

    @cached_property
    def _hash(self) -> int:
        return hash((self.pairs, self.sparse))

    def rows(self, m: int) -> list[list[Number]]:
        """Return the update as a linear map of (varrho, 1): m rows of m + 1 numbers."""
        rows: list[list[Number]] = [[ZERO] * (m + 1) for _ in range(m)]
        for i, j, value in self.sparse:
            rows[i][j] = value
        for u, v in self.pairs:
            for row, a in zip(rows, u, strict=True):
                row[:] = [x + a * y for x, y in zip(row, v, strict=True)]
        return rows

    def __hash__(self) -> int:
        return self._hash


def _rounded(rows: Iterable[Vector]) -> Any:
    return tuple(tuple(float(value) for value in row) for row in rows)


def places_of(algorithm: Algorithm, k: int) -> dict[str, slice]:
    """Return where each of the weights is in varrho."""
    widths = [1 if name in algorithm.scalars else k for name in algorithm.stacked]
    ends = zip(algorithm.stacked, widths, accumulate(widths), strict=True)
    return {name: slice(end - width, end) for name, width, end in ends}


_Term = tuple[slice, str | None, str | None, Key, Fraction]
"""A product in the direction of the weights at a place: what `split` returns, and its coefficient."""
_Rule = tuple[list[_Term], list[dict[Key, Fraction]], bool]
"""What a step does to the weights, and to each memory, and whether the weights read the features where it arrives."""


class SampleUpdater:
    """Makes the sample updates of one learner on one problem, and what they make of its memory."""

    def __init__(
        self,
        problem: Problem,
        algorithm: Algorithm,
        parameters: Mapping[str, Fraction],
        still: frozenset[str] = frozenset(),
        floats: bool = False,
    ) -> None:
        """Lay the weights out as `Algorithm.stacked` does.

        Args:
            problem, algorithm, parameters: what is asked about.
            still: names of weights that no update moves, whatever the learner's function returns for them.
            floats: whether features are rounded to floats, so that memory may be floats too: for estimates.

        Raises:
            NotAffine: the update is not affine in the weights.
            BadOption: the learner is not for problems of this kind.
        """
        check_offered(problem, algorithm)
        self.still = still
        self.problem = problem
        self.algorithm = algorithm
        self.parameters = parameters
        self.apart = kept_apart(problem, algorithm)
        self.places = places_of(algorithm, problem.k)
        self.size = algorithm.size(problem.k)
        self._x, self._after = problem.rows, rows_after(problem)
        if floats:
            self._x, self._after = _rounded(self._x), {name: _rounded(rows) for name, rows in self._after.items()}
        widths = (1 if name in algorithm.scalars else problem.k for name in algorithm.memory)
        self.empty: Memory = tuple((ZERO,) * width for width in widths)
        self._rows: dict[tuple[tuple[int, int], ...], _Rule] = {}
        self._alike = [numbered(rows) for rows in (self._x, *self._after.values())]
        self._known: dict[tuple[int, ...], SampleUpdate] = {}
        self._read: dict[object, tuple[dict[str, Fraction], _Rule]] = {}

    def __call__(
        self, step: ChainStep, before: tuple[Fraction, ...] = (), memory: Memory = ()
    ) -> tuple[SampleUpdate, Memory]:
        """Return the update of a step and the memory after it.

        Args:
            step: the step.
            before: numbers of the step before, by the names in `apart`.
            memory: values in the order of `Algorithm.memory`, vectors (k,) and numbers (1,).
        """
        here = id(step.numbers), step.place, before
        if here not in self._read:  # which keeps the numbers, so that no others have their identity
            own = {"gamma": self.problem.gamma_at(state_of(self.problem, step.place))}
            numbers = step.numbers | own | dict(zip(self.apart, before, strict=True))
            self._read[here] = step.numbers, self._at(numbers)
        _, (weights, remembered, reads_arrival) = self._read[here]
        alike, *after = self._alike
        reached = (step.arrival, *(() if step.second is None else (step.second,))) if reads_arrival else ()
        known = id(weights), alike[step.place], *(numbers[place] for place in reached for numbers in after)
        if not memory and known in self._known:
            return self._known[known], ()
        data: dict[str, Vector] = {name: rows[step.arrival] for name, rows in self._after.items()}
        if step.second is not None:
            data |= {name: self._after[own][step.second] for name, own in AGAIN.items() if own in self._after}
        data |= {"x": self._x[step.place], **dict(zip(self.algorithm.memory, memory, strict=True))}
        update = self._update(weights, data)
        if not memory:
            self._known[known] = update
        kept: list[Vector] = []
        for terms, value in zip(remembered, self.empty, strict=True):
            for key, c in terms.items():
                value = tuple(_sum(value, _direction(key, c, data, len(value))))
            kept.append(value)
        return update, tuple(kept)

    def after(self, step: ChainStep) -> tuple[Fraction, ...]:
        """Return the numbers of a step that the next one reads, by the names in `apart`."""
        return tuple(step.numbers[BEFORE[name]] for name in self.apart)

    def _at(self, numbers: Mapping[str, Fraction]) -> _Rule:
        """Return the learner's normal form with all numbers of a step."""
        known = tuple([value.as_integer_ratio() for value in numbers.values()])  # cheaper to hash than fractions
        if known not in self._rows:
            rows, names = self.algorithm.at({**self.parameters, **numbers}), frozenset(self.places)
            weights = [
                (place, *split(key, names), c)
                for name, place in self.places.items()
                if name not in self.still
                for key, c in rows[name].items()
            ]
            arrived = {*self._after, *AGAIN}
            reads_arrival = any(arrived & {v, *names_of(rest)} for _, _, v, rest, _ in weights)
            self._rows[known] = weights, [rows[name] for name in self.algorithm.memory], reads_arrival
        return self._rows[known]

    def _update(self, terms: Iterable[_Term], data: Mapping[str, Vector]) -> SampleUpdate:
        columns: dict[tuple[str, str], list[Number]] = {}
        sparse: dict[tuple[int, int], Number] = {}
        for place, weight, v, rest, c in terms:
            part = _direction(rest, c, data, place.stop - place.start)
            if weight is not None and v is None and weight not in self.algorithm.scalars:
                start = self.places[weight].start
                for i, value in enumerate(part):
                    at = place.start + i, start + i
                    sparse[at] = sparse.get(at, ZERO) + value
                continue
            column = columns.setdefault((weight or "", v or ""), [ZERO] * self.size)
            column[place] = _sum(column[place], part)
        order = {name: -i for i, name in enumerate(self.places)} | {"": 1}
        listed = sorted(columns.items(), key=lambda item: (order[item[0][0]], item[0]))
        pairs: list[tuple[Vector, Vector]] = []
        for (weight, v), u in listed:  # times a row that acts on (varrho, 1)
            row: list[Number] = [ZERO] * (self.size + 1)
            row[self.places[weight] if weight else slice(-1, None)] = data[v] if v else [ONE]
            pairs.append((tuple(u), tuple(row)))
        return SampleUpdate(_merged(pairs), tuple((i, j, c) for (i, j), c in sorted(sparse.items()) if c))


def _direction(rest: Key, c: Number, data: Mapping[str, Vector], width: int) -> Vector:
    atoms, vectors = rest
    for atom in atoms:
        c = c * _inner(atom, data)
    if not vectors:
        return (c,) * width
    part = [c * b if b else b for b in data[vectors[0]]]
    for name in vectors[1:]:
        part = [a * b for a, b in zip(part, data[name], strict=True)]
    return tuple(part)


def _sum(u: Sequence[Number], v: Sequence[Number]) -> list[Number]:
    return [(a + b if a else b) if b else a for a, b in zip(u, v, strict=True)]


def _inner(atom: Atom, data: Mapping[str, Vector]) -> Number:
    """Return a dot product, or a memory that is a number."""
    if len(atom) == 1:
        return data[atom[0]][0]
    a, b = (data[name] for name in atom)
    return sum((p * q for p, q in zip(a, b, strict=True) if p and q), ZERO)


def _merged(pairs: list[tuple[Vector, Vector]]) -> tuple[tuple[Vector, Vector], ...]:
    """Return pairs with proportional u as one."""
    merged: dict[Vector, tuple[Vector, Number, list[Number]]] = {}
    for u, v in pairs:
        lead = next((value for value in u if value), None)
        if lead is None or not any(v):
            continue
        shape = tuple(value / lead if value else value for value in u)
        if shape not in merged:
            merged[shape] = u, lead, list(v)
            continue
        _, base, total = merged[shape]
        share = lead / base
        total[:] = [a + b * share if b else a for a, b in zip(total, v, strict=True)]
    return tuple((u, tuple(v)) for u, _, v in merged.values() if any(v))
