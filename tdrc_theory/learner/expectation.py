"""The expected update of a learner on a problem, exact: the numeric reader of the normal form.

Every term of a direction is c(numbers of the step) times data: u, the direction, and v, what a weight is multiplied
by. Its expectation is an entry of one table, E[c u v^T]; G and g collect those entries. Memory enters linearly, so its
conditional mean in each mode stands for it, exactly as the features of a state do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import flint

from tdrc_theory.exact import Matrix
from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.memory import memory_of
from tdrc_theory.learner.modes import Modes, needs_chain
from tdrc_theory.learner.offered import check_offered
from tdrc_theory.learner.quantity import split
from tdrc_theory.learner.table import ExpectationTable
from tdrc_theory.learner.trace import Way
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem

Point = Mapping[str, flint.fmpq]


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
    values = [{**point, **parameters} for point in table.points]
    points = [{name: to_fmpq(point[name]) for name in algorithm.trace.names if name in point} for point in values]
    ways = [
        (way, [point if way.is_open(at) else None for point, at in zip(points, values, strict=True)])
        for way in algorithm.trace.ways
    ]
    with algorithm.placed_errors():
        rows = [_expected_row(table, algorithm, name, ways) for name in algorithm.stacked]
    return ExpectedUpdate(Matrix.block([blocks for blocks, _ in rows]), Matrix.block([[g] for _, g in rows]))


def _expected_row(
    table: ExpectationTable, algorithm: Algorithm, name: str, ways: Sequence[tuple[Way, Sequence[Point | None]]]
) -> tuple[list[Matrix], Matrix]:
    """Return a row of G's blocks and of g; a way has the table's points, None where it is not open."""
    k, weights = table.problem.k, frozenset(algorithm.stacked)
    width = 1 if name in algorithm.scalars else k
    blocks: dict[str | None, Matrix] = {}
    for way, points in ways:
        for key, c in way.rows[name].items():
            weight, v, (atoms, vectors) = split(key, weights)
            values = [flint.fmpq(0) if point is None else c.at_point(point) for point in points]
            expected = table.entry(values, vectors, v, atoms, width)
            if v is None and weight is not None and weight not in algorithm.scalars:
                expected = Matrix.diagonal([row[0] for row in expected.rows])
            blocks[weight] = blocks[weight] + expected if weight in blocks else expected
    for column in {None, *weights} - blocks.keys():
        blocks[column] = Matrix.zeros(width, 1 if column is None or column in algorithm.scalars else k)
    return [blocks[column] for column in algorithm.stacked], blocks[None]
