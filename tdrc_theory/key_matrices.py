"""The key matrices A, b and C of a problem, exact (the definitions below eq. 7)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tdrc_theory.exact import Matrix
from tdrc_theory.learner.quantity import REWARD
from tdrc_theory.learner.table import ExpectationTable
from tdrc_theory.matrix_problem import MatrixProblem
from tdrc_theory.problem import Problem


class KeyMatrices(NamedTuple):
    """A = E[rho x (x - gamma x')^T] (k, k), b = E[rho R x] (k, 1) and C = E[x x^T] (k, k), in expectation over d.

    gamma is the discount of the transition. For action values A = E[x (x - gamma x_bar)^T] and b = E[R x], in
    expectation over d(s) b(a|s), with x_bar = sum_a' pi(a'|s') x(s', a').
    """

    A: Matrix
    b: Matrix
    C: Matrix

    @property
    def H(self) -> Matrix:
        """Return the symmetric part of A."""
        return (self.A + self.A.T) * Fraction(1, 2)


def key_matrices(problem: Problem | MatrixProblem | ExpectationTable) -> KeyMatrices:
    """Return A, b and C of a problem.

    >>> from tdrc_theory.problems import find_problem
    >>> key_matrices(find_problem("two-state"))
    KeyMatrices(A=Matrix([['-47/100']]), b=Matrix([['0']]), C=Matrix([['5/2']]))
    """
    if isinstance(problem, MatrixProblem):
        return KeyMatrices(problem.A, problem.b, problem.C)
    table = problem if isinstance(problem, ExpectationTable) else ExpectationTable(problem)
    one = [Fraction(1) for _ in table.points]
    after, ratio = ("x_bar", one) if table.problem.action_values else ("x_next", [p["rho"] for p in table.points])
    discounted = [rho * point["gamma_next"] for rho, point in zip(ratio, table.points, strict=True)]
    A = table.entry(ratio, ("x",), "x") - table.entry(discounted, ("x",), after)
    return KeyMatrices(A, table.entry(ratio, ("x",), atoms=(REWARD,)), table.entry(one, ("x",), "x"))
