"""The expected memory of a learner in each mode of a chain: a linear system, solved exactly, and that it exists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.exact.convert import from_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import Modes, kept_apart
from tdrc_theory.learner.offered import check_offered
from tdrc_theory.learner.quantity import Key
from tdrc_theory.learner.table import ExpectationTable
from tdrc_theory.problem import Problem

LARGEST = 600
"""Modes times memories of one kind up to which the system is solved."""

Terms = dict[Key, Fraction]


@dataclass(frozen=True)
class Memory:
    """A learner's memory on a problem: what a step does to it, and its conditional mean in each mode.

    Memory of the next mode is sum_j c_j (memory j) + a part that the step's data give; `means` are by name, (modes, k)
    for vectors and (modes, 1) for numbers. `determinants` are those of the systems that were solved, I - T.
    """

    problem: Problem
    algorithm: Algorithm
    modes: Modes
    rows: tuple[dict[str, Terms], ...]
    means: dict[str, Matrix]
    determinants: list[Number]

    def table(self) -> ExpectationTable:
        """Return the problem's expectations, in which memory is known."""
        return ExpectationTable(self.problem, self.modes, self.means)


def memory_table(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> ExpectationTable:
    """Return the expectations of a problem as a learner with memory needs them."""
    return memory_of(problem, algorithm, parameters).table()


def memory_of(problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction]) -> Memory:
    """Return the expected memory of a learner: numbers first, since vectors may be driven by them.

    Raises:
        BadOption: the problem has no stationary chain, it is too large, or the expected memory does not exist.
    """
    check_offered(problem, algorithm)
    modes = Modes.of_chain(problem, kept_apart(problem, algorithm))
    rows = tuple(algorithm.at({**point, **parameters}) for point in modes.points)
    found = Memory(problem, algorithm, modes, rows, {}, [])
    numbers = tuple(name for name in algorithm.memory if name in algorithm.scalars)
    vectors = tuple(name for name in algorithm.memory if name not in algorithm.scalars)
    for names in (numbers, vectors):
        if names:
            found.means.update(_solved(found, names))
    return found


def _solved(found: Memory, names: tuple[str, ...]) -> dict[str, Matrix]:
    """Return the conditional means of memories of one kind, the other kind's being known or not entering."""
    modes, n = found.modes, len(found.modes.states)
    if n * len(names) > LARGEST:
        raise BadOption(
            f"{found.problem.name}: {n} modes with {len(names)} memories; expected memory is solved up to {LARGEST}"
        )
    T = flint.fmpq_mat(n * len(names), n * len(names))
    driven = Matrix.zeros(n * len(names), found.problem.k if names[0] not in found.algorithm.scalars else 1)
    table = found.table()
    for i, name in enumerate(names):
        for key in sorted({key for row in found.rows for key in row[name]}):
            values = [row[name].get(key, Fraction(0)) for row in found.rows]
            source, factors = _split(key, names)
            weighted = table.by_target(values, factors)
            if source is None:
                part = table.driven(values, factors)
                driven = driven + _placed(part, i, len(names))
            else:
                j = names.index(source)
                for t in range(n):
                    for s in range(n):
                        T[i * n + t, j * n + s] += weighted[t, s] / modes.weights[s]
    inverse = _resolvent(found, Matrix.of_flint(T), names)
    totals = inverse @ driven
    per_mode = [Fraction(1) / from_fmpq(weight) for weight in modes.weights]
    scale = Matrix.diagonal(per_mode)
    return {
        name: scale @ totals.select(range(i * n, (i + 1) * n), range(totals.shape[1])) for i, name in enumerate(names)
    }


def _placed(part: Matrix, i: int, count: int) -> Matrix:
    """Return rows of one memory among those of all of its kind."""
    zeros = Matrix.zeros(*part.shape)
    return Matrix.block([[part if j == i else zeros] for j in range(count)])


def _split(key: Key, names: tuple[str, ...]) -> tuple[str | None, Key]:
    """Return the memory among the names that a product has as a factor, and the other factors."""
    atoms, vectors = key
    for name in names:
        if (name,) in atoms:
            place = atoms.index((name,))
            return name, (atoms[:place] + atoms[place + 1 :], vectors)
        if name in vectors:
            return name, (atoms, ())
    return None, key


def _resolvent(found: Memory, T: Matrix, names: tuple[str, ...]) -> Matrix:
    """Return (I - T)^-1; T has spectral radius below 1 because it is bounded by |T|, and (I - |T|)^-1 >= 0 exists.

    A matrix S >= 0 has spectral radius below 1 iff I - S has an inverse that is >= 0.

    Raises:
        BadOption: the radius is not below 1, or (where T has negative entries) that is not proven.
    """
    identity = Matrix.identity(T.shape[0])
    size = Matrix([[value if value >= 0 else -value for value in row] for row in T.rows])
    bound = (identity - size).solve(identity)
    if bound is None or any(value < 0 for row in bound.rows for value in row):
        why = "grows without bound" if size == T else "is not proven to exist"
        raise BadOption(
            f"{found.algorithm.name} on {found.problem.name}: the expected memory {', '.join(names)} {why}, "
            "so there is no expected update"
        )
    found.determinants.append((identity - T).det())
    inverse: Any = bound if size == T else (identity - T).solve(identity)
    return inverse
