"""The table of expectations of one problem, exact: E[c u v^T] for data u and v of a step and c of its numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from operator import attrgetter
from typing import Any

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.convert import from_fmpq, to_fmpq
from tdrc_theory.exact.sparse_table import SparseTable, sparse_table, whole
from tdrc_theory.learner.modes import Modes, ModeStep
from tdrc_theory.learner.quantity import Atom, Key
from tdrc_theory.learner.step_data import AGAIN
from tdrc_theory.problem import Problem
from tdrc_theory.problem.steps import rows_after

_ZERO = flint.fmpq(0)


_MODE_AND_ARRIVAL = attrgetter("mode", "arrival")
_TARGET_AND_MODE = attrgetter("target", "mode")
_TARGET_AND_ARRIVAL = attrgetter("target", "arrival")

Cells = dict[tuple[int, int], flint.fmpq]


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
        reached = {name: Matrix(rows) for name, rows in rows_after(problem).items()}
        x = reached["x_next"].select(self.modes.places, range(problem.k))
        self._arrivals = len(self.modes.arrivals)
        self._after = reached
        if self.modes.second:
            first, second = zip(*self.modes.arrivals, strict=True)
            self._after = {name: rows.select(first, range(problem.k)) for name, rows in reached.items()}
            again = {name: reached[own] for name, own in AGAIN.items() if own in reached}
            self._after |= {name: rows.select(second, range(problem.k)) for name, rows in again.items()}
        self._sources = {"x": x, **(memory or {})}
        self._tables = {**self._sources, **self._after}
        self._entries: dict[object, Matrix] = {}
        self._cells: dict[object, Cells] = {}

    @property
    def points(self) -> tuple[dict[str, Fraction], ...]:
        """The numbers that a step can have: rho, reward, and what else `Modes` keeps apart."""
        return self.modes.points

    def entry(
        self,
        values: Sequence[Fraction | flint.fmpq],
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
            atoms: numbers that c is multiplied by: memory that is a number, and dot products of data.
            width: of u; default k.
        """
        if v in self._sources and len(u) == 1 and u[0] in self._after:
            return self.entry(values, (v,), u[0], atoms).T
        numbers, width = [to_fmpq(value) for value in values], self.problem.k if width is None else width
        lead = next((value for value in numbers if value), None)
        if lead is None:
            return Matrix.zeros(width, self.problem.k if v is not None else 1)
        shares = [value / lead for value in numbers]  # what differs by a factor is computed once
        weighting = tuple([(int(share.p), int(share.q)) for share in shares]), atoms  # cheap to hash
        key = u, v, width, weighting
        if key not in self._entries:
            if weighting not in self._cells:
                self._cells[weighting] = self._summed(_MODE_AND_ARRIVAL, shares, atoms)
            self._entries[key] = self._computed(self._cells[weighting], u, v, width)
        return self._entries[key] if lead == 1 else self._entries[key] * lead

    def _computed(self, cells: Cells, u: tuple[str, ...], v: str | None, width: int) -> Matrix:
        """Return the entry of what steps are weighted by, b p c by mode and arrival."""
        n = len(self.modes.places)
        before, after = ([name for name in u if name in tables] for tables in (self._sources, self._after))
        is_sparse = bool(before) and all(name is None or self._sparse[name] for name in (*u, v))
        tables: Mapping[str, Any] = self._sparse if is_sparse else self._tables  # the same is done with either
        d: Sequence[Any] = self._d if is_sparse else (self.modes.weights,)
        start = _product(tables, before) if before else _ones(n, width)
        right = _ones(n, 1, is_sparse) if v is None else tables[v]
        if after or v in self._after:
            moves = _table(cells, n, self._arrivals, is_sparse)
        if v in self._after and after:
            expected = _product(tables, after).hadamard(moves.T @ start.scaled_rows(*d)).T @ right
            return Matrix.of_flint(expected.dense()) if is_sparse else expected
        if v in self._after:
            right = moves @ right
        elif after:
            start = start.hadamard(moves @ _product(tables, after))
        else:
            totals = [_ZERO] * n
            for (mode, _), value in cells.items():
                totals[mode] += value
            right = right.scaled_rows(*(whole(totals) if is_sparse else (totals,)))
        expected = start.T @ right.scaled_rows(*d)
        return Matrix.of_flint(expected.dense()) if is_sparse else expected

    @cached_property
    def _d(self) -> tuple[list[flint.fmpz], flint.fmpz]:
        """The modes' weights as whole numbers, and their denominator: exact ones of a chain have thousands of digits.

        So they are multiplied by once a mode, after what differs between its steps is summed.
        """
        return whole(self.modes.weights)

    @cached_property
    def _sparse(self) -> dict[str, SparseTable | None]:
        """Those of the tables that are large and sparse, as such; None for others."""
        return {name: sparse_table(table.rational) for name, table in self._tables.items()}

    def by_target(self, values: Sequence[Fraction], atoms: tuple[Atom, ...]) -> Cells:
        """Return b p c by the mode that a step leads to and its own, without ends."""
        return self._summed(_TARGET_AND_MODE, [to_fmpq(value) for value in values], atoms)

    def driven(self, values: Sequence[Fraction], factors: Key) -> Matrix:
        """Return (modes, k), or (modes, 1): the sum of d b p c u over the steps that lead to each mode."""
        vector, modes = factors[1][0] if factors[1] else None, len(self.modes.places)
        if vector not in self._after:
            sources = _ones(modes, 1) if vector is None else self._sources[vector]
            return _table(self.by_target(values, factors[0]), modes, modes) @ sources.scaled_rows(self.modes.weights)
        weights, denominator = self._d
        arriving = self._summed(_TARGET_AND_ARRIVAL, [to_fmpq(value) for value in values], factors[0], weights)
        return _table(arriving, modes, self._arrivals) * flint.fmpq(1, denominator) @ self._after[vector]

    def of_step(self, key: Key, step: ModeStep) -> tuple[Number, ...]:
        """Return a product's value on one step, memory by its mean: (k,), or (1,) where it is a number."""
        scale = from_fmpq(math.prod((self._atom(atom, step) for atom in key[0]), start=flint.fmpq(1)))
        return tuple(scale * value for name in key[1] for value in self._row(name, step).rows[0]) or (scale,)

    def _summed(
        self,
        place_of: Callable[[ModeStep], tuple[Any, Any]],
        values: Sequence[flint.fmpq],
        atoms: tuple[Atom, ...],
        weights: Sequence[flint.fmpz] | None = None,
    ) -> Cells:
        """Return b p c of the steps that have a place, and times their mode's weight if there are any, by place."""
        cells: Cells = {}
        for step in self.modes.steps:
            place = place_of(step)
            if place[0] is None:
                continue
            share = step.probability * values[step.point]
            for atom in atoms:
                share *= self._atom(atom, step)
            if weights is not None:
                share *= weights[step.mode]
            cells[place] = cells[place] + share if place in cells else share
        return cells

    def _row(self, name: str, step: ModeStep) -> Matrix:
        """Return a vector of a step, or a memory that is a number, as a row."""
        table = self._tables[name]
        return table.select([step.arrival if name in self._after else step.mode], range(table.shape[1]))

    def _atom(self, atom: Atom, step: ModeStep) -> flint.fmpq:
        first, *others = (self._row(name, step) for name in atom)
        value = first @ others[0].T if others else first
        if value.rational is None:
            raise BadOption(f"{self.problem.name}: {' . '.join(atom)} is irrational here, which is not computed with")
        return value.rational[0, 0]


def _product(tables: Mapping[str, Any], names: Sequence[str]) -> Any:
    """Return the componentwise product of vectors."""
    return reduce(lambda product, name: product.hadamard(tables[name]), names[1:], tables[names[0]])


def _table(cells: Cells, rows: int, columns: int, is_sparse: bool = False) -> Any:
    """Return cells as a table."""
    if is_sparse:
        listed: list[dict[int, flint.fmpq]] = [{} for _ in range(rows)]
        for (row, column), value in cells.items():
            listed[row][column] = value
        return SparseTable.of(listed, columns)
    entries = [_ZERO] * (rows * columns)
    for (row, column), value in cells.items():
        entries[row * columns + column] = value
    return Matrix.of_flint(flint.fmpq_mat(rows, columns, entries))


def _ones(count: int, width: int, is_sparse: bool = False) -> Any:
    if is_sparse:
        return SparseTable([dict.fromkeys(range(width), flint.fmpz(1))] * count, flint.fmpz(1), width)
    return Matrix.of_flint(flint.fmpq_mat(count, width, [1] * (count * width)))
