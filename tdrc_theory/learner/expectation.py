"""The expected update of a learner on a problem, exact: the numeric reader of the normal form.

Every term of a direction is c(numbers of the step) times data: u, the direction, and v, what a weight is multiplied
by. Its expectation is an entry of one table, E[c u v^T]; G and g collect those entries. Memory enters linearly, so its
conditional mean in each mode stands for it, exactly as the features of a state do: a linear system, solved exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product
from operator import attrgetter
from typing import Any, NamedTuple

import flint

from tdrc_theory.errors import BadOption, NoExpectation
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.matrix import SparseTable, sparse_table, whole
from tdrc_theory.exact.number import from_fmpq, to_fmpq
from tdrc_theory.exact.polynomial import is_inside_unit_disc
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import Modes, ModeStep, check_offered, needs_chain
from tdrc_theory.learner.quantity import Atom, Key, names_of, split
from tdrc_theory.learner.step_data import AGAIN
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.steps import rows_after

LARGEST = 600
"""Size up to which a system for expected memory is solved: modes times memories, times k where components mix."""
LARGEST_DECIDED = 200
"""Size up to which a characteristic polynomial decides whether a memory exists, where signs do not."""
_ZERO = flint.fmpq(0)

Terms = dict[Key, Fraction]
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
            values: c at each of the modes' points.
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
                self._cells[weighting] = self._summed(attrgetter("mode", "arrival"), shares, atoms)
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
        rational = {name: table.rational for name, table in self._tables.items()}
        return {name: None if table is None else sparse_table(table.tolist()) for name, table in rational.items()}

    def by_target(self, values: Sequence[Fraction], atoms: tuple[Atom, ...]) -> Cells:
        """Return b p c by the mode that a step leads to and its own, without ends."""
        return self._summed(attrgetter("target", "mode"), [to_fmpq(value) for value in values], atoms)

    def driven(self, values: Sequence[Fraction], factors: Key) -> Matrix:
        """Return (modes, k), or (modes, 1): the sum of d b p c u over the steps that lead to each mode."""
        vector, modes = factors[1][0] if factors[1] else None, len(self.modes.places)
        if vector not in self._after:
            sources = _ones(modes, 1) if vector is None else self._sources[vector]
            return _table(self.by_target(values, factors[0]), modes, modes) @ sources.scaled_rows(self.modes.weights)
        weights, denominator = self._d
        place_of, numbers = attrgetter("target", "arrival"), [to_fmpq(value) for value in values]
        arriving = self._summed(place_of, numbers, factors[0], weights)
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


@dataclass(frozen=True)
class Memory:
    """A learner's memory on a problem: what a step does to it, and its conditional mean in each mode.

    Attributes:
        problem, algorithm, modes: what was solved.
        rows: the normal form at each of the modes' points.
        means: by name, (modes, k) for vectors and (modes, 1) for numbers.
        transitions: T of each of the systems z = T z + c that were solved, one after the other.
    """

    problem: Problem
    algorithm: Algorithm
    modes: Modes
    rows: tuple[dict[str, Terms], ...]
    means: dict[str, Matrix]
    transitions: list[Matrix]

    def table(self) -> ExpectationTable:
        """Return the problem's expectations, in which memory is known."""
        return ExpectationTable(self.problem, self.modes, self.means)


def memory_of(
    problem: Problem,
    algorithm: Algorithm,
    parameters: Mapping[str, Fraction],
    *,
    formal: bool = False,
    modes: Modes | None = None,
) -> Memory:
    """Return the expected memory of a learner, what drives others first.

    Args:
        problem, algorithm, parameters: whose memory.
        formal: solve the systems where they have one solution, whether or not it is the expected memory: for
            what is a rational function of a parameter, and then known everywhere.
        modes: those of the chain, where they are known already.

    Raises:
        BadOption: the problem has no stationary chain, or it is too large.
        NoExpectation: the expected memory does not exist, or (formal) a system is singular.
    """
    check_offered(problem, algorithm)
    if modes is None:
        modes = Modes.of_chain(problem, algorithm)
    rows = tuple(algorithm.at({**point, **parameters}) for point in modes.points)
    memory = Memory(problem, algorithm, modes, rows, {}, [])
    for names in driving_order(algorithm):
        T, c = _system(memory, names)
        try:
            totals = _solved(T, c) if formal else _sum_of_powers(T, c)
        except NoExpectation as why:
            what = f"{algorithm.name} on {problem.name}: the expected memory {', '.join(names)}"
            raise NoExpectation(f"{what} {why}, so there is no expected update") from None
        memory.transitions.append(T)
        memory.means.update(_means(memory, names, totals))
    return memory


def driving_order(algorithm: Algorithm) -> list[tuple[str, ...]]:
    """Return the memories in groups that drive one another, each group after those that drive it."""
    names, ways = algorithm.memory, algorithm.trace.ways
    drivers = {name: {n for way in ways for key in way.rows[name] for n in names_of(key)} & {*names} for name in names}
    for _ in names:
        drivers = {name: direct.union(*(drivers[other] for other in direct)) for name, direct in drivers.items()}
    mutual = {name: {name} | {other for other in drivers[name] if name in drivers[other]} for name in names}
    groups = {tuple(name for name in names if name in group) for group in mutual.values()}
    return sorted(groups, key=lambda group: (len(drivers[group[0]] | set(group)), names.index(group[0])))


def mixes_components(algorithm: Algorithm, names: tuple[str, ...]) -> bool:
    """Return whether memories of a group drive one another otherwise than component by component."""
    atoms = [atom for way in algorithm.trace.ways for row in names for key in way.rows[row] for atom in key[0]]
    crossed = any(len(atom) == 2 and not set(names).isdisjoint(atom) for atom in atoms)
    return crossed or len({name in algorithm.scalars for name in names}) > 1


def widths(algorithm: Algorithm, names: tuple[str, ...], k: int) -> list[int]:
    """Return how many unknowns each memory of a group has in a mode; where components do not mix, all share one."""
    mixed = mixes_components(algorithm, names)
    return [k if mixed and name not in algorithm.scalars else 1 for name in names]


def _system(memory: Memory, names: tuple[str, ...]) -> tuple[Matrix, Matrix]:
    """Return T and c of z = T z + c, z the group's memory in each mode times the mode's weight.

    Where components do not mix, z is (names x modes, k) and T acts on its rows; else z is one column, by name, mode and
    component.
    """
    n, k, table = len(memory.modes.places), memory.problem.k, memory.table()
    mixed, wide = mixes_components(memory.algorithm, names), widths(memory.algorithm, names, k)
    size = n * sum(wide)
    if size > LARGEST:
        needed = f"{', '.join(names)} in {n} modes needs {size} equations"
        raise BadOption(f"{memory.problem.name}: {needed}; expected memory is solved up to {LARGEST}")
    T = flint.fmpq_mat(size, size)
    offsets = [n * sum(wide[:i]) for i in range(len(names))]
    driven = [Matrix.zeros(n, 1 if name in memory.algorithm.scalars else k) for name in names]
    for i, name in enumerate(names):
        for key in sorted({key for row in memory.rows for key in row[name]}):
            values = [row[name].get(key, Fraction(0)) for row in memory.rows]
            source, *_ = split(key, set(names))
            if source is None:
                driven[i] = driven[i] + table.driven(values, key)
                continue
            j = names.index(source)
            for (t, r), (s, c), value in _entries(memory, table, values, key, source, wide[i]):
                T[offsets[i] + t * wide[i] + r, offsets[j] + s * wide[j] + c] += value
    parts = [Matrix.column([v for row in part.rows for v in row]) if mixed else part for part in driven]
    return Matrix.of_flint(T), Matrix.block([[part] for part in parts])


def block_of(table: ExpectationTable, key: Key, source: str, step: ModeStep, width: int) -> Matrix:
    """Return the matrix B of a product that is linear in a memory `source`: on one step B times the memory before it.

    The product, of `width` components, is a number times the memory, a vector times it where it is a number, or a
    vector times its dot product with data.
    """
    _, other, (atoms, across) = split(key, {source})
    (scale,) = table.of_step((atoms, ()), step)
    if other is None and not across:
        return Matrix.identity(width) * scale
    left, right = (Matrix([table.of_step(((), names), step)]) for names in (across, (other,) if other else ()))
    return (left.T @ right) * scale


def _entries(
    memory: Memory, table: ExpectationTable, values: list[Fraction], key: Key, source: str, width: int
) -> Iterator[tuple[tuple[int, int], tuple[int, int], flint.fmpq]]:
    """Yield ((mode after, component), (mode before, component), what of the latter's total a product makes)."""
    _, other, (atoms, across) = split(key, {source})
    if other is None and not across:  # the same in each component, and from one mode to another
        for (t, s), share in table.by_target(values, atoms).items():
            yield from (((t, i), (s, i), share) for i in range(width))
        return
    for step in memory.modes.steps:
        if step.target is not None and values[step.point]:
            probability = from_fmpq(step.probability)
            block = (block_of(table, key, source, step, width) * values[step.point] * probability).rational
            if block is None:
                raise BadOption(
                    f"{memory.problem.name}: {source} goes with irrational features, which is not computed with"
                )
            for i, row in enumerate(block.tolist()):
                yield from (((step.target, i), (step.mode, j), value) for j, value in enumerate(row))


def _solved(T: Matrix, c: Matrix) -> Matrix:
    """Return (I - T)^-1 c."""
    system = Matrix.identity(T.shape[0]) - T
    if system.det() == 0 or (totals := system.solve(c)) is None:
        raise NoExpectation("has no expectation")
    return totals


def _sum_of_powers(T: Matrix, c: Matrix) -> Matrix:
    """Return the sum of T^n c, which is the memory that starts from 0, after many steps.

    T has spectral radius below 1 where |T| has, and a matrix S >= 0 has iff I - S has an inverse that is >= 0. Else the
    eigenvalues of T on the least invariant space that holds c decide: the sum is finite iff they are all inside the
    unit circle, since c leads into each of their directions.

    Raises:
        NoExpectation: the sum is infinite, or that is not known.
    """
    identity = Matrix.identity(T.shape[0])
    size = Matrix([[value if value >= 0 else -value for value in row] for row in T.rows])
    bound = (identity - size).solve(identity)
    if bound is not None and all(value >= 0 for row in bound.rows for value in row):
        totals = bound @ c if size == T else (identity - T).solve(c)
        assert totals is not None, "the radius is below 1"
        return totals
    if T.shape[0] > LARGEST_DECIDED or c.rational is None:
        raise NoExpectation("grows without bound" if size == T else "is not proven to exist")
    basis, before = c.column_basis(), None
    while before is None or basis.shape != before.shape:
        before, basis = basis, Matrix.block([[basis, T @ basis]]).column_basis()
    inside, start = basis.solve(T @ basis), basis.solve(c)
    assert inside is not None, "the space is invariant"
    assert start is not None, "the space holds c"
    if not is_inside_unit_disc(inside.charpoly()):
        raise NoExpectation("grows without bound")
    return basis @ _solved(inside, start)


def _means(memory: Memory, names: tuple[str, ...], totals: Matrix) -> dict[str, Matrix]:
    """Return the conditional mean of each memory of a group, by name, from its totals."""
    n, wide = len(memory.modes.places), widths(memory.algorithm, names, memory.problem.k)
    scale = Matrix.diagonal([Fraction(1) / from_fmpq(weight) for weight in memory.modes.weights])
    means, row = {}, 0
    for name, width in zip(names, wide, strict=True):
        part = totals.select(range(row, row + n * width), range(totals.shape[1]))
        row += n * width
        if width > 1:
            part = Matrix([[part[t * width + c, 0] for c in range(width)] for t in range(n)])
        means[name] = scale @ part
    return means


class ExpectedUpdate(NamedTuple):
    """E[directions] = G varrho + g, with varrho as in `Algorithm.stacked`: (h, w), or w (eq. 10 of the appendix)."""

    G: Matrix
    g: Matrix


def expected_update(
    table: ExpectationTable | Problem | MatrixProblem, algorithm: Algorithm, parameters: Mapping[str, Fraction]
) -> ExpectedUpdate:
    """Return G and g of a learner on a problem, derived from its function.

    Args:
        table: the problem, or its expectations where more than one update is asked for.
        algorithm: any learner.
        parameters: exact; as `algorithm.parameters` returns them.

    Returns:
        G (n, n) and g (n, 1), n = `algorithm.size(k)`, rows and columns in the order of `algorithm.stacked`.

    Raises:
        NotAffine: the update is not affine in the weights.
        BadAlgorithm: the function is not arithmetic on its arguments.
        BadOption: it has memory and the problem no stationary chain, its expected memory does not exist, or it is not
            for problems of this kind (see `check_offered`), or A, b and C alone are given, and do not determine it.
    """
    if isinstance(table, MatrixProblem):
        return ExpectedUpdate(*table.expected_update(algorithm, parameters))
    problem = table.problem if isinstance(table, ExpectationTable) else table
    if needs_chain(problem, algorithm):
        table = memory_of(problem, algorithm, parameters).table()
    else:
        check_offered(problem, algorithm)
        if isinstance(table, Problem) or not set(algorithm.second) <= set(table.modes.second):
            table = table_for(problem, algorithm)
    return averaged_update(table, algorithm, parameters)


def table_for(problem: Problem, algorithm: Algorithm) -> ExpectationTable:
    """Return a problem's expectations, of what a learner without memory reads of a second transition too."""
    return ExpectationTable(problem, Modes.of_states(problem, algorithm.second))


def averaged_update(
    table: ExpectationTable, algorithm: Algorithm, parameters: Mapping[str, Fraction]
) -> ExpectedUpdate:
    """Return G and g from a table that knows what the learner needs: its memory by conditional means."""
    values = [{**point, **parameters} for point in table.modes.points]
    points = [{name: to_fmpq(point[name]) for name in algorithm.trace.names if name in point} for point in values]
    ways = [  # each with the points at which it is open, None for the others
        (way, [point if way.is_open(at) else None for point, at in zip(points, values, strict=True)])
        for way in algorithm.trace.ways
    ]
    rows, columns, weights = algorithm.stacked, (*algorithm.stacked, None), frozenset(algorithm.stacked)
    wide = {name: 1 if name is None or name in algorithm.scalars else table.problem.k for name in columns}
    blocks: dict[tuple[str, str | None], Matrix] = {}
    terms = ((row, key, c, at) for row in rows for way, at in ways for key, c in way.rows[row].items())
    with algorithm.placed_errors():
        for row, key, c, at in terms:
            weight, v, (atoms, vectors) = split(key, weights)
            shares = [_ZERO if point is None else c.at_point(point) for point in at]
            expected = table.entry(shares, vectors, v, atoms, wide[row])
            if v is None and weight is not None and weight not in algorithm.scalars:
                expected = Matrix.diagonal([value for value, *_ in expected.rows])
            blocks[row, weight] = blocks[row, weight] + expected if (row, weight) in blocks else expected
    for place in set(product(rows, columns)) - blocks.keys():
        blocks[place] = Matrix.zeros(*(wide[name] for name in place))
    G = Matrix.block([[blocks[row, column] for column in rows] for row in rows])
    return ExpectedUpdate(G, Matrix.block([[blocks[row, None]] for row in rows]))
