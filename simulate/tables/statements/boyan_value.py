"""Whether the features of Boyan's chain represent the value function, decided exactly."""

from __future__ import annotations

from fractions import Fraction

from simulate.statement import Statement, Support
from simulate.tables.comparison import Evidence
from tdrc_theory.exact import Matrix
from tdrc_theory.problem import Problem
from tdrc_theory.problems import find_problem


def target_values(problem: Problem) -> Matrix:
    """Return v_pi (S, 1), the solution of v = r + gamma P v under the target policy."""
    P = [[Fraction(0)] * problem.states for _ in range(problem.states)]
    r = [Fraction(0)] * problem.states
    for s, a, s_next, probability, reward in problem.transitions:
        mass = problem.target[s][a] * probability
        r[s] += mass * reward
        if not problem.ends(s_next):
            P[s][s_next] += mass
    values = (Matrix.identity(problem.states) - Matrix(P) * problem.gamma).solve(Matrix.column(r))
    assert values is not None, "episodes end, or gamma < 1"
    return values


def _judge(evidence: Evidence) -> Support:  # noqa: ARG001 - no run is needed
    problem = find_problem("boyan")
    values = target_values(problem)
    X = Matrix(problem.features)
    weights = (X.T @ X).solve(X.T @ values)
    assert weights is not None, "the features are independent"
    rest = values - X @ weights
    told = f"the best fit is off by up to {abs(rest.to_float()).max():.2g} in a state"
    return Support(rest.is_zero(), "exactly linear" if rest.is_zero() else told)


BOYAN_VALUE = Statement(
    "boyan-value-linear", "Section 4.1",
    "the features of Boyan's chain represent its value function perfectly", _judge, proof="exact",
)  # fmt: skip
