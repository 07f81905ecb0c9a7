"""The table of expectations of one problem, exact: E[c u v^T] for data u and v of a step and c of its numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.convert import from_fmpq, to_fmpq
from tdrc_theory.exact.sparse_table import SparseTable, entrywise, sparse_table
from tdrc_theory.learner.modes import Modes, ModeStep
from tdrc_theory.learner.quantity import REWARD, Atom, Key
from tdrc_theory.problem import Problem
from tdrc_theory.steps import rows_after

Coefficient = Callable[[Fraction], Fraction] | Sequence[Fraction]
"""A function of the importance ratio: as such, or by its values at the table's `points`."""


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
        rows = problem.rows
        self._sources = {"x": Matrix([rows[place] for place in self.modes.places]), **(memory or {})}
        self._after = {name: Matrix(arrived) for name, arrived in rows_after(problem).items()}
        self._entries: dict[object, Matrix] = {}
        self._sparse: dict[str, SparseTable | None] = {}

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
        values: Sequence[Fraction],
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
        lead = next((value for value in values if value), None)
        width = self.problem.k if width is None else width
        if lead is None:
            return Matrix.zeros(width, self.problem.k if v is not None else 1)
        shares = tuple(_quotient(value, lead) for value in values)  # pairs are cheaper to hash than fractions
        key = u, v, atoms, width, shares
        if key not in self._entries:
            self._entries[key] = self._computed([flint.fmpq(*share) for share in shares], u, v, atoms, width)
        return self._entries[key] if lead == 1 else self._entries[key] * lead

    def _computed(
        self, values: Sequence[flint.fmpq], u: tuple[str, ...], v: str | None, atoms: tuple[Atom, ...], width: int
    ) -> Matrix:
        cells, n = self._cells(values, atoms), len(self.modes.places)
        sparse = self._of_sparse(cells, u, v, width)
        if sparse is not None:
            return Matrix.of_flint(sparse)
        mass = self._mass(cells)
        before = _product([self._sources[name] for name in u if name in self._sources], n, width)
        later = [self._after[name] for name in u if name in self._after]
        after = _product(later, self.problem.places + 1, width)
        if v in self._after:
            left = mass.T @ before
            return (after.hadamard(left) if later else left).T @ self._after[v]
        return before.hadamard(mass @ after).T @ (_ones(n) if v is None else self._sources[v])

    def _of_sparse(
        self, cells: dict[tuple[int, int], flint.fmpq], u: tuple[str, ...], v: str | None, width: int
    ) -> flint.fmpq_mat | None:
        """Return the same from sparse tables; None where u is of the next step alone, or a vector is not sparse."""
        tables = {name: self._sparse_table(name) for name in (*u, v) if name is not None}
        known = {name: table for name, table in tables.items() if table is not None}
        before = [known[name] for name in u if name in known and name not in self._after]
        if not before or len(known) < len(tables):
            return None
        later = [known[name] for name in u if name in self._after]
        n, ends = len(self.modes.places), self.problem.places + 1
        rows: list[dict[int, flint.fmpq]] = [{} for _ in range(n)]
        for (mode, arrival), value in cells.items():
            rows[mode][arrival] = value
        mass, start = SparseTable.of(rows), entrywise(before)
        if v in self._after:
            arriving = mass.transposed(ends) @ start
            return (entrywise([arriving, *later]).transposed(width) @ known[v]).dense(self._after[v].shape[1])
        if later:
            start = entrywise([start, mass @ entrywise(later)])
        else:  # a number for each mode, whatever the column
            sums = [{i: sum(row.values(), flint.fmpz(0))} for i, row in enumerate(mass.rows)]
            start = SparseTable(sums, mass.denominator) @ start
        if v is None:
            return (start.transposed(width) @ SparseTable([{0: flint.fmpz(1)}] * n, flint.fmpz(1))).dense(1)
        return (start.transposed(width) @ known[v]).dense(self._sources[v].shape[1])

    def _sparse_table(self, name: str) -> SparseTable | None:
        if name not in self._sparse:
            self._sparse[name] = sparse_table((self._after if name in self._after else self._sources)[name].rational)
        return self._sparse[name]

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

    def _cells(self, factors: Sequence[flint.fmpq], atoms: tuple[Atom, ...]) -> dict[tuple[int, int], flint.fmpq]:
        """Return d b p c by mode and arrival."""
        cells: dict[tuple[int, int], flint.fmpq] = {}
        for step in self.modes.steps:
            key = step.mode, step.arrival
            share = self._share(step, factors, atoms)
            cells[key] = cells[key] + share if key in cells else share
        return cells

    def _mass(self, cells: dict[tuple[int, int], flint.fmpq]) -> Matrix:
        """Return the (modes, places + 1) matrix of cells."""
        mass = flint.fmpq_mat(len(self.modes.places), self.problem.places + 1)
        for place, value in cells.items():
            mass[place] = value
        return Matrix.of_flint(mass)

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


def _quotient(value: Fraction, divisor: Fraction) -> tuple[int, int]:
    """Return value / divisor as numerator and denominator, reduced, the latter positive."""
    top, below = value.numerator * divisor.denominator, value.denominator * divisor.numerator
    common = math.gcd(top, below) if below > 0 else -math.gcd(top, below)
    return top // common, below // common


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
