"""The expected memory of a learner in each mode of a chain: a linear system, solved exactly, and its existence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import flint

from tdrc_theory.errors import BadOption, NoExpectation
from tdrc_theory.exact import Matrix
from tdrc_theory.exact.convert import from_fmpq
from tdrc_theory.exact.polynomial import is_inside_unit_disc
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import Modes, ModeStep
from tdrc_theory.learner.offered import check_offered
from tdrc_theory.learner.quantity import Key, names_of, split
from tdrc_theory.learner.table import ExpectationTable
from tdrc_theory.problem import Problem

LARGEST = 600
"""Size up to which a system for expected memory is solved: modes times memories, times k where components mix."""
LARGEST_DECIDED = 200
"""Size up to which a characteristic polynomial decides whether a memory exists, where signs do not."""

Terms = dict[Key, Fraction]


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
            totals = _formal_solution(T, c) if formal else _solution(T, c)
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
    """Return the matrix B of a product that is linear in a memory: on one step it is B times the memory before it.

    Args:
        table: the problem's expectations.
        key: the product's factors: a number times the memory, a vector times it where it is a number, or times its dot
            product with data.
        source: the memory's name.
        step: on which step.
        width: components of the product.
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


def _formal_solution(T: Matrix, c: Matrix) -> Matrix:
    """Return (I - T)^-1 c."""
    system = Matrix.identity(T.shape[0]) - T
    totals = None if system.det() == 0 else system.solve(c)
    if totals is None:
        raise NoExpectation("has no expectation")
    return totals


def _solution(T: Matrix, c: Matrix) -> Matrix:
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
    basis = _driven_space(T, c)
    inside = basis.solve(T @ basis)
    start = basis.solve(c)
    assert inside is not None, "the space is invariant"
    assert start is not None, "the space holds c"
    if not is_inside_unit_disc(inside.charpoly()):
        raise NoExpectation("grows without bound")
    within = (Matrix.identity(inside.shape[0]) - inside).solve(start)
    assert within is not None, "1 is no eigenvalue"
    return basis @ within


def _driven_space(T: Matrix, c: Matrix) -> Matrix:
    """Return a basis, as columns, of the least space that holds those of c and that T maps into itself."""
    basis = c.column_basis()
    while True:
        larger = Matrix.block([[basis, T @ basis]]).column_basis()
        if larger.shape == basis.shape:
            return basis
        basis = larger


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
