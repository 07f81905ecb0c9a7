"""Whether the second moments of a learner's memory are finite, by exact arithmetic.

All memory together is a vector m, and a step makes B m + u of it. Given the mode, its covariance becomes K S + N, where
K S = sum over steps of p B S B^T, and N >= 0 is the spread of the conditional means. K maps positive semidefinite
matrices to such. One component of a memory depends only on what B leads back from it (spaces V with B^T V in V), and
has only the covariances that N leads to there. On these the sum of K^n N is finite iff the spectral radius of K is
below 1, since N reaches the inside of the cone and the component depends on all of it; and that holds iff
W = K^T W + I has a solution that is positive definite, an exact linear system.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.number import from_fmpq
from tdrc_theory.learner.expectation import ExpectationTable, Memory, Terms, block_of, memory_of
from tdrc_theory.learner.modes import ModeStep
from tdrc_theory.learner.quantity import split
from verify.check import Check
from verify.conditions.setting import Setting
from verify.exact.definiteness import is_positive_definite

LARGEST = 600
"""Number of covariances up to which their system is solved."""
LARGEST_IRRATIONAL = 40
"""The same where square roots enter it."""


def trace_variance(setting: Setting) -> Check:
    """Judge whether every memory of a learner has finite variance where the chain is stationary."""
    moments = _Moments(memory_of(setting.process, setting.algorithm, setting.parameters))
    known: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for name in setting.algorithm.memory:
        known[moments.finite(name)].append(name)
    finite, infinite, open_ones = known[True], known[False], known[None]
    holds = False if infinite else None if open_ones else True
    reason = f"the second moments of {', '.join(finite)} are finite"
    if infinite:
        reason = f"the variance of {', '.join(infinite)} grows without bound"
    elif open_ones:
        reason = f"too many covariances enter that of {', '.join(open_ones)}"
    source = "second moments of the memory in each mode"
    return Check.exact("trace-variance", source, holds, reason, finite=finite, infinite=infinite)


class _Arrival(NamedTuple):
    """One step to a mode: from which mode, how probable given that, what it does to the memory and its mean."""

    source: int
    target: int
    probability: Fraction
    B: Matrix
    mean: Matrix


class _Moments:
    """The second moments of all memory of a learner on a problem, as coordinates of one vector."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        scalars = memory.algorithm.scalars
        self.widths = {name: 1 if name in scalars else memory.problem.k for name in memory.algorithm.memory}
        self.size = sum(self.widths.values())

    def finite(self, name: str) -> bool | None:
        """Return whether every component of a memory has finite variance; None where that is not known."""
        names = list(self.widths)
        begin = sum(self.widths[before] for before in names[: names.index(name)])
        result = [self._component(i) for i in range(begin, begin + self.widths[name])]
        return False if False in result else None if None in result else True

    @cached_property
    def means(self) -> list[Matrix]:
        """The conditional mean of all memory in each mode, as columns."""
        tables = [self.memory.means[name] for name in self.widths]
        return [
            Matrix.column([value for table in tables for value in table.select([t], range(table.shape[1])).rows[0]])
            for t in range(len(self.memory.modes.places))
        ]

    @cached_property
    def arrivals(self) -> list[_Arrival]:
        """What every step makes of the memory."""
        modes, table = self.memory.modes, self.memory.table()
        result = []
        for step in modes.steps:
            if step.target is None:
                continue
            rows = [self._row(name, self.memory.rows[step.point][name], step, table) for name in self.widths]
            B, u = Matrix.block([row for row, _ in rows]), Matrix.block([[driven] for _, driven in rows])
            share = from_fmpq(step.probability)
            result.append(_Arrival(step.mode, step.target, share, B, B @ self.means[step.mode] + u))
        return result

    def _row(self, name: str, terms: Terms, step: ModeStep, table: ExpectationTable) -> tuple[list[Matrix], Matrix]:
        """Return B's blocks and u of one memory on one step."""
        width = self.widths[name]
        blocks = {source: Matrix.zeros(width, columns) for source, columns in self.widths.items()}
        driven = Matrix.zeros(width, 1)
        for key, c in terms.items():
            source, *_ = split(key, self.widths.keys())
            if source is None:
                driven = driven + Matrix.column(table.of_step(key, step)) * c
            else:
                blocks[source] = blocks[source] + block_of(table, key, source, step, width) * c
        return list(blocks.values()), driven

    def _component(self, i: int) -> bool | None:
        """Return whether one component has finite variance; None where that takes too many covariances."""
        unit = Matrix.column([int(j == i) for j in range(self.size)])
        seen = _invariant([(a.target, a.source, a.B.T) for a in self.arrivals], [unit] * len(self.means))
        moved = [_within(seen[a.source], a.B.T @ seen[a.target]).T for a in self.arrivals]
        spread = [Matrix.zeros(V.shape[1], 0) for V in seen]
        for a in self.arrivals:
            spread[a.target] = _joined(spread[a.target], seen[a.target].T @ (a.mean - self.means[a.target]))
        for t in self._begins:
            spread[t] = _joined(spread[t], seen[t].T @ self.means[t])
        reached = _invariant([(a.source, a.target, B) for a, B in zip(self.arrivals, moved, strict=True)], spread)
        inner = [_within(reached[a.target], B @ reached[a.source]) for a, B in zip(self.arrivals, moved, strict=True)]
        moves = [(a.source, a.target, a.probability, B) for a, B in zip(self.arrivals, inner, strict=True)]
        return _below_one(moves, [R.shape[1] for R in reached])

    @cached_property
    def _begins(self) -> list[int]:
        """The modes in which episodes begin, without memory: those with more weight than steps lead into them."""
        modes = self.memory.modes
        left = list(modes.weights)
        for step in modes.steps:
            if step.target is not None:
                left[step.target] -= modes.weights[step.mode] * step.probability
        return [t for t, weight in enumerate(left) if weight > 0]


def _joined(basis: Matrix, columns: Matrix) -> Matrix:
    """Return a basis of the span of both."""
    return Matrix.block([[basis, columns]]).column_basis()


def _within(basis: Matrix, columns: Matrix) -> Matrix:
    """Return coordinates of columns in the span of a basis."""
    solution = basis.solve(columns)
    assert solution is not None, "they are in its span"
    return solution


def _invariant(maps: list[tuple[int, int, Matrix]], spaces: list[Matrix]) -> list[Matrix]:
    """Return bases of the least spaces, one a mode, that hold those given and that each (from, to, map) respects."""
    result, changed = list(spaces), set(range(len(spaces)))
    while changed:
        begun, changed = changed, set()
        for source, target, matrix in maps:
            if source in begun and result[source].shape[1]:
                larger = _joined(result[target], matrix @ result[source])
                if larger.shape[1] > result[target].shape[1]:
                    result[target] = larger
                    changed.add(target)
    return result


def _below_one(moves: list[tuple[int, int, Fraction, Matrix]], sizes: list[int]) -> bool | None:
    """Return whether S -> sum of p B S B^T, on blocks of these sizes, has spectral radius below 1.

    It has iff W = sum of p B^T W B + I has a positive definite solution.
    """
    places = [(s, i, j) for s, size in enumerate(sizes) for i in range(size) for j in range(i, size)]
    if not places:
        return True
    rational = all(B.rational is not None for _, _, _, B in moves)
    if len(places) > (LARGEST if rational else LARGEST_IRRATIONAL):
        return None
    index = {place: row for row, place in enumerate(places)}
    index |= {(s, j, i): row for (s, i, j), row in index.items()}
    kernel: list[list[Any]] = [[Fraction(0)] * len(places) for _ in places]
    for s, t, p, B in moves:
        rows = B.rows
        for i in range(sizes[s]):
            for j in range(i, sizes[s]):
                row = kernel[index[s, i, j]]
                for a in range(sizes[t]):
                    for b in range(sizes[t]):
                        row[index[t, a, b]] += p * rows[a][i] * rows[b][j]
    unit = Matrix.column([int(i == j) for _, i, j in places])
    W = (Matrix.identity(len(places)) - Matrix(kernel)).solve(unit)
    return W is not None and all(
        is_positive_definite(Matrix([[W[index[s, i, j], 0] for j in range(size)] for i in range(size)]))
        for s, size in enumerate(sizes)
    )
