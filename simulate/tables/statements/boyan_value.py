"""Whether the features of Boyan's chain represent the value function, decided exactly."""

from __future__ import annotations

from simulate.statement import Statement, Support
from simulate.tables.comparison import Evidence
from tdrc_theory.exact import Matrix
from tdrc_theory.problems import find_problem
from tdrc_theory.target_values import target_values


def _judge(evidence: Evidence) -> Support:  # noqa: ARG001 - no run is needed
    problem = find_problem("boyan")
    values = target_values(problem)
    assert values is not None, "its episodes end"
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
