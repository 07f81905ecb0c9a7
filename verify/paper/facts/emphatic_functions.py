"""The functions of statements on emphatic learners: what a claim's text calls, and the node that each gives."""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.formula_reader import read_formula
from verify.paper.facts.arguments import Context, Count, Flag, Number, Parameter, choice, listed, number
from verify.paper.facts.constant_step_means import MeanSettles, MeanUnbounded, MeanWeight
from verify.paper.facts.emphasis import LEARNERS, QUANTITIES, FromKeyMatrix, Shown, SquaredError, Stable, StepChange
from verify.paper.facts.shapes_compared import SameShape
from verify.paper.facts.traces import FiniteMemory, FiniteVariance, FollowOnMoment


def _rows(node: ast.expr, context: Context) -> tuple[tuple[Fraction | int, ...], ...]:
    """Return a list of lists of numbers."""
    return tuple(tuple(number(entry, context) for entry in listed(row, context)) for row in listed(node, context))


def _term(node: ast.expr, context: Context) -> Expr:
    """Return a term of formulas."""
    return read_formula(node, context.definitions)


By: TypeAlias = Annotated[str, choice("learner", LEARNERS)]
At: TypeAlias = Annotated[str, choice("learner", ("td", "emphatic-td", "least"))]
What: TypeAlias = Annotated[str, choice("quantity", QUANTITIES)]
Table: TypeAlias = Annotated[tuple[tuple[Fraction | int, ...], ...], _rows]
Term: TypeAlias = Annotated[Expr, _term]


def stable(by: By) -> Stable:
    """The learner's expected update is stable."""
    return Stable(by)


def shown(what: What, rows: Table, by: By = "td", decimals: Count | None = None) -> Shown:
    """A quantity of the problem is what is printed."""
    return Shown(what, rows, by, decimals)


def from_key_matrix(by: By) -> FromKeyMatrix:
    """A of the learner's expected update is X^T K X."""
    return FromKeyMatrix(by)


def step_change(weight: Number, alpha: Number, state: Count, action: Count) -> StepChange:
    """What one update of TD(0) adds to the only weight."""
    return StepChange(weight, alpha, state, action)


def value_error(at: At) -> SquaredError:
    """The mean square value error where a learner rests, or the least."""
    return SquaredError(at)


def finite_variance(by: By, lam: Parameter) -> FiniteVariance:
    """The trace of the learner has finite variance."""
    return FiniteVariance(by, lam)


def finite_memory(by: By) -> FiniteMemory:
    """The memory of the learner takes finitely many values."""
    return FiniteMemory(by)


def follow_on_moment(power: Count, base: Number) -> FollowOnMoment:
    """A moment of the follow-on trace, with interest in the first state alone, is a power of a number."""
    return FollowOnMoment(power, base)


def mean_settles(by: By, alpha: Parameter) -> MeanSettles:
    """At a constant step size the expected weight goes to 0."""
    return MeanSettles(by, alpha)


def mean_unbounded(by: By) -> MeanUnbounded:
    """At every constant step size, but where an update ends at 0, the expected weight is unbounded."""
    return MeanUnbounded(by)


def mean_weight(by: By, alpha: Number, updates: Count, expected: Flag = False) -> MeanWeight:
    """The mean of the only weight after some updates, or what the expected update makes of it."""
    return MeanWeight(by, alpha, updates, expected)


def same_shape(left: Term, right: Term) -> SameShape:
    """Two terms of formulas have the same shape."""
    return SameShape(left, right)


EMPHATIC: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        *(stable, shown, from_key_matrix, step_change, value_error, finite_variance, finite_memory, follow_on_moment),
        *(mean_settles, mean_unbounded, mean_weight, same_shape),
    )
}
"""By name; a part of `FUNCTIONS`."""
