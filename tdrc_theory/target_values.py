"""The values that the target policy really has, exact: what features are to represent (eq. 1)."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.exact import Matrix
from tdrc_theory.problem import Problem


def target_values(problem: Problem) -> Matrix | None:
    """Return v_pi (S, 1), a solution of v = r + gamma P v under the target policy, 0 in terminal states.

    It is the only one where gamma < 1 or every episode ends; elsewhere there may be none, which is None.
    """
    bellman, r = _bellman(problem)
    return bellman.solve(r)


def values_are_unique(problem: Problem) -> bool:
    """Return whether v = r + gamma P v has one solution, whatever the rewards: gamma < 1, or every episode ends."""
    bellman, _ = _bellman(problem)
    return bellman.rank() == problem.states


def _bellman(problem: Problem) -> tuple[Matrix, Matrix]:
    """Return I - gamma P and r."""
    P = [[Fraction(0)] * problem.states for _ in range(problem.states)]
    r = [Fraction(0)] * problem.states
    for s, a, s_next, probability, reward in problem.transitions:
        mass = problem.target[s][a] * probability
        r[s] += mass * reward
        if not problem.ends(s_next):
            P[s][s_next] += mass
    return Matrix.identity(problem.states) - Matrix(P) * problem.gamma, Matrix.column(r)
