"""From one step of a learner to its expectation, on a given problem, exactly: the numeric reader of the normal form.

Every term of a direction is c(numbers of the step) times data: u, the direction, and v, what a weight is multiplied
by. Its expectation is an entry of one table, E[c u v^T]; G and g collect those entries. Memory enters linearly, so its
conditional mean in each mode stands for it, exactly as the features of a state do.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from tdrc_theory.exact import Matrix
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.coefficient import STEP_NUMBERS
from tdrc_theory.learner.memory import memory_table
from tdrc_theory.learner.modes import Modes, needs_chain
from tdrc_theory.learner.offered import check_offered
from tdrc_theory.learner.quantity import Key, split
from tdrc_theory.learner.table import ExpectationTable
from tdrc_theory.matrix_problem import MatrixProblem
from tdrc_theory.problem import Problem


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
        table = memory_table(problem, algorithm, parameters)
    else:
        check_offered(problem, algorithm)
        if isinstance(table, Problem) or not _tells_apart(table.modes, algorithm):
            table = table_for(problem, algorithm)
    return averaged_update(table, algorithm, parameters)


def table_for(problem: Problem, algorithm: Algorithm) -> ExpectationTable:
    """Return a problem's expectations, in which points differ only by what a learner without memory reads."""
    if algorithm.trace.of_mean_reward is None:
        return ExpectationTable(problem)
    names = (algorithm.trace.names | {"rho", "gamma", "gamma_next"}) - {"reward"}
    return ExpectationTable(problem, Modes.of_states(problem, frozenset(names)))


def _tells_apart(modes: Modes, algorithm: Algorithm) -> bool:
    """Return whether modes keep apart what a learner reads."""
    affine = algorithm.trace.of_mean_reward is not None
    return modes.names is None or (affine and algorithm.trace.names & set(STEP_NUMBERS) - {"reward"} <= modes.names)


def averaged_update(
    table: ExpectationTable, algorithm: Algorithm, parameters: Mapping[str, Fraction]
) -> ExpectedUpdate:
    """Return G and g from a table that knows what the learner needs: its memory by conditional means."""
    ways = None if table.modes.names is None else algorithm.trace.of_mean_reward
    rows_at = [algorithm.at({**point, **parameters}, ways) for point in table.points]
    G, g = [], []
    for name in algorithm.stacked:
        blocks, constant = _expected_row(table, algorithm, name, [rows[name] for rows in rows_at])
        G.append(blocks)
        g.append([constant])
    return ExpectedUpdate(Matrix.block(G), Matrix.block(g))


def _expected_row(
    table: ExpectationTable, algorithm: Algorithm, name: str, terms: list[dict[Key, Fraction]]
) -> tuple[list[Matrix], Matrix]:
    """Return a row of G's blocks and of g, from the row's terms at each of the table's points."""
    k = table.problem.k
    width = 1 if name in algorithm.scalars else k
    blocks = {column: Matrix.zeros(width, 1 if column in algorithm.scalars else k) for column in algorithm.stacked}
    constant = Matrix.zeros(width, 1)
    for key in sorted({key for each in terms for key in each}):
        values = [each.get(key, Fraction(0)) for each in terms]
        weight, v, rest = split(key, frozenset(algorithm.stacked))
        atoms, vectors = rest
        if weight is None:
            constant += table.entry(values, vectors, None, atoms, width)
        elif v is None and weight not in algorithm.scalars:
            alone = table.entry(values, vectors, None, atoms, width)
            blocks[weight] += Matrix.diagonal([row[0] for row in alone.rows])
        else:
            blocks[weight] += table.entry(values, vectors, v, atoms, width)
    return [blocks[column] for column in algorithm.stacked], constant
