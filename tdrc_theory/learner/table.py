"""The table of expectations of one problem, exact: E[c u v^T] for data u and v of a step and c of its numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.convert import from_fmpq, to_fmpq
from tdrc_theory.learner.modes import Modes, ModeStep
from tdrc_theory.learner.quantity import REWARD, Atom, Key
from tdrc_theory.problem import Problem
from tdrc_theory.steps import rows_after

Coefficient = Callable[[Fraction], Fraction] | Sequence[Fraction]
"""A function of the importance ratio: as such, or by its values at the table's `points`."""
_ZERO = flint.fmpq(0)


class Weighting(NamedTuple):
    """What steps are weighted by, at each of a table's points: `lead`, the first that is not 0, times `shares`."""

    lead: flint.fmpq
    shares: tuple[flint.fmpq, ...]
    key: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, values: Sequence[Fraction | flint.fmpq]) -> Weighting:
        """Return a weighting by its values."""
        numbers = [to_fmpq(value) for value in values]
        lead = next((value for value in numbers if value), _ZERO)
        shares = tuple([value / lead for value in numbers]) if lead else ()
        return cls(lead, shares, tuple([(int(share.p), int(share.q)) for share in shares]))  # cheap to hash

    def alone(self) -> Weighting:
        """Return its shares."""
        return Weighting(flint.fmpq(1), self.shares, self.key)

    def times(self, factor: flint.fmpq) -> Weighting:
        """Return it, multiplied by a number."""
        return Weighting(self.lead * factor, self.shares, self.key)


Weight = tuple[Weighting, tuple[Atom, ...]]
"""What a step is weighted by, and numbers of it that this is multiplied by."""


class ExpectationTable:
    """The expectations of one problem, under d, the behaviour policy and the transitions."""

    def __init__(
        self, problem: Problem, modes: Modes | None = None, memory: Mapping[str, Matrix] | None = None
    ) -> None:
        """Build the table.

        Args:
            problem: whose expectations.
            modes: what the chain can be in; default: the states.
            memory: conditional means given the mode, (modes, k) or (modes, 1), by name.
        """
        self.problem = problem
        self.modes = Modes.of_states(problem) if modes is None else modes
        self._after = {name: Matrix(arrived) for name, arrived in rows_after(problem).items()}
        x = self._after["x_next"].select(self.modes.places, range(problem.k))
        self._sources = {"x": x, **(memory or {})}
        self._entries: dict[object, Matrix] = {}
        self._weighted: dict[object, list[flint.fmpq]] = {}

    @property
    def points(self) -> tuple[dict[str, Fraction], ...]:
        """The numbers that a step can have: rho, reward, and what else `Modes` keeps apart."""
        return self.modes.points

    @property
    def ratios(self) -> list[Fraction]:
        """The importance ratios that can occur."""
        return sorted({point["rho"] for point in self.points})

    def with_x(self, coefficient: Coefficient, powers: tuple[int, int] = (1, 0)) -> Matrix:
        """Return E[c(rho) phi x^T], phi = x^a x'^b by component and `powers` = (a, b)."""
        return self.entry(self._values(coefficient), _phi(powers), "x")

    def with_x_next(self, coefficient: Coefficient, powers: tuple[int, int] = (1, 0)) -> Matrix:
        """Return E[c(rho) phi x'^T]."""
        return self.entry(self._values(coefficient), _phi(powers), "x_next")

    def with_reward(self, coefficient: Coefficient, powers: tuple[int, int] = (1, 0)) -> Matrix:
        """Return E[c(rho) phi R], a column."""
        return self.entry(self._values(coefficient), _phi(powers), atoms=(REWARD,))

    def alone(self, coefficient: Coefficient, powers: tuple[int, int] = (1, 0)) -> Matrix:
        """Return E[c(rho) phi], a column."""
        return self.entry(self._values(coefficient), _phi(powers))

    def _values(self, coefficient: Coefficient) -> Sequence[Fraction]:
        return [coefficient(point["rho"]) for point in self.points] if callable(coefficient) else coefficient

    def entry(
        self,
        values: Sequence[Fraction | flint.fmpq] | Weighting,
        u: tuple[str, ...],
        v: str | None = None,
        atoms: tuple[Atom, ...] = (),
        width: int | None = None,
    ) -> Matrix:
        """Return E[c u v^T]; what was asked for before is not computed again.

        Args:
            values: c at each of `points`.
            u: vectors that are multiplied componentwise; none stands for ones.
            v: a vector, or None for the number 1.
            atoms: numbers that c is multiplied by: the reward, memory that is a number, and dot products of data.
            width: of u; default k.
        """
        c = values if isinstance(values, Weighting) else Weighting.of(values)
        width = self.problem.k if width is None else width
        if not c.lead:
            return Matrix.zeros(width, self.problem.k if v is not None else 1)
        key = u, v, atoms, width, c.key
        if key not in self._entries:
            self._entries[key] = self._computed((c, atoms), u, v, width)
        return self._entries[key] if c.lead == 1 else self._entries[key] * c.lead

    def _computed(self, weight: Weight, u: tuple[str, ...], v: str | None, width: int) -> Matrix:
        if v in self._sources and len(u) == 1 and u[0] in self._after:
            return self.entry(weight[0].alone(), (v,), u[0], weight[1]).T
        before = [self._sources[name] for name in u if name in self._sources]
        after = [self._after[name] for name in u if name in self._after]
        n, places = len(self.modes.places), self.problem.places + 1
        if v in self._after:
            left = self._mass(weight).T @ _product(before, n, width)
            return (_product(after, places, width).hadamard(left) if after else left).T @ self._after[v]
        right = _ones(n) if v is None else self._sources[v]
        if after:
            return _product(before, n, width).hadamard(self._mass(weight) @ _product(after, places, width)).T @ right
        return _product(before, n, width).T @ right.scaled_rows(self._masses_of_modes(weight))

    def by_target(self, values: Sequence[Fraction], factors: Key) -> flint.fmpq_mat:
        """Return (modes, modes): d b p c by the mode that a step leads to and its own, without ends."""
        n = len(self.modes.places)
        mass, scaled = flint.fmpq_mat(n, n), [to_fmpq(value) for value in values]
        for step, target in zip(self.modes.steps, self.modes.targets, strict=True):
            if target is not None:
                mass[target, step.mode] += self._share(step, scaled, factors[0])
        return mass

    def driven(self, values: Sequence[Fraction], factors: Key) -> Matrix:
        """Return (modes, k), or (modes, 1): the sum of d b p c u over the steps that lead to each mode."""
        vector = factors[1][0] if factors[1] else None
        n = len(self.modes.places)
        if vector not in self._after:
            sources = _ones(n) if vector is None else self._sources[vector]
            return Matrix.of_flint(self.by_target(values, factors)) @ sources
        arriving, scaled = flint.fmpq_mat(n, self.problem.places + 1), [to_fmpq(value) for value in values]
        for step, target in zip(self.modes.steps, self.modes.targets, strict=True):
            if target is not None:
                arriving[target, step.arrival] += self._share(step, scaled, factors[0])
        return Matrix.of_flint(arriving) @ self._after[vector]

    def of_step(self, key: Key, step: ModeStep, apart: str) -> tuple[tuple[Number, ...], Fraction]:
        """Return a product's value on one step, memory by its mean, and that of its factors that are numbers.

        A memory that is a number and kept apart is not among these.
        """
        factor, number = flint.fmpq(1), Fraction(1)
        for atom in key[0]:
            value = self._atom(atom, step.mode, step.arrival)
            if atom == (apart,):
                number = from_fmpq(value)
            else:
                factor *= value
        scale = from_fmpq(factor)
        if not key[1]:
            return (scale * number,), scale
        (name,) = key[1]
        rows, i = self._row(name, step.mode, step.arrival)
        return tuple(scale * number * v for v in rows.select([i], range(rows.shape[1])).rows[0]), scale

    def _share(self, step: ModeStep, factors: Sequence[flint.fmpq], atoms: tuple[Atom, ...]) -> flint.fmpq:
        share = step.mass * factors[step.point]
        for atom in atoms:
            share *= step.reward if atom == REWARD else self._atom(atom, step.mode, step.arrival)
        return share

    def _mass(self, weight: Weight) -> Matrix:
        """Return the (modes, places + 1) matrix of d b p c, by mode and arrival."""
        columns = self.problem.places + 1
        mass = [_ZERO] * (len(self.modes.places) * columns)
        for step, share in zip(self.modes.steps, self._shares(weight), strict=True):
            mass[step.mode * columns + step.arrival] += share
        return Matrix.of_flint(flint.fmpq_mat(len(self.modes.places), columns, mass))

    def _masses_of_modes(self, weight: Weight) -> list[flint.fmpq]:
        """Return the sums of the rows of `_mass`."""
        masses = [_ZERO] * len(self.modes.places)
        for step, share in zip(self.modes.steps, self._shares(weight), strict=True):
            masses[step.mode] += share
        return masses

    def _shares(self, weight: Weight) -> list[flint.fmpq]:
        """Return d b p c of each step."""
        c, atoms = weight
        key = c.key, atoms
        if key not in self._weighted:
            if atoms:
                self._weighted[key] = [self._share(step, c.shares, atoms) for step in self.modes.steps]
            else:
                self._weighted[key] = [step.mass * c.shares[step.point] for step in self.modes.steps]
        return self._weighted[key]

    def _row(self, name: str, mode: int, arrival: int) -> tuple[Matrix, int]:
        """Return where a vector of a step stands: in which table, and which row."""
        return (self._after[name], arrival) if name in self._after else (self._sources[name], mode)

    def _atom(self, atom: Atom, mode: int, arrival: int) -> flint.fmpq:
        rows = [self._row(name, mode, arrival) for name in atom]
        table, i = rows[0]
        vector = table.select([i], range(table.shape[1]))
        if len(rows) == 2:
            other, j = rows[1]
            vector = vector @ other.select([j], range(other.shape[1])).T
        if vector.rational is None:
            raise BadOption(f"{self.problem.name}: {' . '.join(atom)} is irrational here, which is not computed with")
        return vector.rational[0, 0]


def _phi(powers: tuple[int, int]) -> tuple[str, ...]:
    return ("x",) * powers[0] + ("x_next",) * powers[1]


def _product(vectors: Sequence[Matrix], count: int, width: int) -> Matrix:
    """Return the componentwise product of vectors, (count, width); ones where there are none."""
    if not vectors:
        return Matrix.of_flint(flint.fmpq_mat(count, width, [1] * (count * width)))
    product = vectors[0]
    for other in vectors[1:]:
        product = product.hadamard(other)
    return product


def _ones(count: int) -> Matrix:
    return Matrix.of_flint(flint.fmpq_mat(count, 1, [1] * count))
