"""The functions of statements on problems: what a claim's text calls, and what node of the tree each gives.

A new one is a line in `FUNCTIONS`: the node's class, and how each argument is read (`arguments.py`), in the order in
which it is written. What may be left out is what the class has a default of. Sentence, truth and second evaluation are
those of the class.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from tdrc_theory.papers.published import ROWS
from verify.paper.facts import cells
from verify.paper.facts.arguments import (
    Reader,
    choice,
    flag,
    learner,
    number,
    parameter,
    property_of_a_matrix,
    several,
    term,
    text,
    whole,
)
from verify.paper.facts.atoms import HYPOTHESES, PLAIN, Does, Expected, Is, Met, Plain, Run, SameFixedPoints
from verify.paper.facts.constant_steps import ConvergesFrom, MeanSettles, MeanUnbounded, MeanWeight, Settles
from verify.paper.facts.distributions import FiniteMoment, FiniteNoise, FiniteRatio, Geometric, Policies
from verify.paper.facts.emphasis import (
    LEARNERS,
    QUANTITIES,
    FiniteMemory,
    FiniteVariance,
    FollowOnMoment,
    FromKeyMatrix,
    Shown,
    SquaredError,
    Stable,
    StepChange,
)
from verify.paper.facts.quantities import BorkarMeyn, Entry, NoiseConstant, Rate, SameShape, SecondReward
from verify.paper.facts.regions import Above, Somewhere
from verify.paper.facts.statement import RELATIONS
from verify.paper.facts.update_terms import Costs, OnActionValues, Proportional, Pushed, SameUpdate, Scales


@dataclass(frozen=True)
class Function:
    """A function of statements.

    Attributes:
        node: returns the node from the arguments by name.
        readers: what reads each argument, in their order.
        of_a_run: whether the node has a run: a learner, and beta and eta, which are left out where the learner has
            none, or where something ranges over them.
    """

    node: Callable[..., Any]
    readers: dict[str, Reader]
    of_a_run: bool = False

    @cached_property
    def signature(self) -> inspect.Signature:
        """The arguments in their order; None is the default of those that may be left out."""
        known = inspect.signature(self.node).parameters.values()
        optional = {each.name for each in known if each.default is not each.empty}
        optional |= {"beta", "eta"} if self.of_a_run else set()
        kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
        return inspect.Signature(
            [inspect.Parameter(name, kind, default=None if name in optional else empty) for name in self.readers]
        )

    def build(self, arguments: dict[str, Any]) -> Any:
        """Return the node."""
        if not self.of_a_run:
            return self.node(**arguments)
        own = {name: value for name, value in arguments.items() if name not in _OF_RUNS}
        run = Run(arguments["learner"], arguments.get("beta"), arguments.get("eta"))
        return self.node(run=run, **own)


def _of(node: Callable[..., Any], **readers: Reader) -> Function:
    return Function(node, readers)


def _of_a_run(node: Callable[..., Any], **readers: Reader) -> Function:
    first = {} if "learner" in readers else {"learner": learner}
    return Function(node, {**first, **readers, "beta": parameter, "eta": parameter}, of_a_run=True)


def _same_update(
    one: str, other: str, whole: bool = True, beta: int | None = None, rho: int | None = None
) -> SameUpdate:
    return SameUpdate((one, other), whole, beta, rho)


def _scales(
    learners: tuple[str, ...], step: int, x: int = 0, R: int = 0, w: int = 0, beta: int = 0, alpha: int = 0
) -> Scales:
    powers = (("x", x), ("R", R), ("w", w), ("beta", beta), ("alpha", alpha))
    return Scales(learners, tuple((name, power) for name, power in powers if power), step)


_OF_RUNS = ("learner", "beta", "eta")
_BY = choice("learner", LEARNERS)
_FREE = choice("parameter", ("beta", "eta"))
_RELATION = choice("relation", RELATIONS)
_ROWS = several(choice("row of the tables", ROWS))
_TABLE = choice("table", cells.TABLES)

FUNCTIONS: dict[str, Function] = {
    "converges": _of_a_run(partial(Expected, does=Does.CONVERGES)),
    "diverges": _of_a_run(partial(Expected, does=Does.DIVERGES)),
    "converges_to_a_point": _of_a_run(partial(Expected, does=Does.TO_A_POINT)),
    "converges_to_a_set": _of_a_run(partial(Expected, does=Does.TO_A_SET)),
    "converges_at_some": _of_a_run(Somewhere, over=_FREE, learner=learner),
    "converges_at_no": _of_a_run(partial(Somewhere, some=False), over=_FREE, learner=learner),
    "converges_above": _of_a_run(Above, over=_FREE, low=number, high=number, learner=learner),
    "converges_from": _of(ConvergesFrom, period=whole, learner=learner, copy=text, alpha=number),
    "settles": _of_a_run(Settles, learner=learner, alpha=parameter),
    "meets": _of_a_run(Met, check=choice("hypothesis", HYPOTHESES), learner=learner),
    "borkar_meyn": _of_a_run(BorkarMeyn),
    "td_fixed_points": _of_a_run(SameFixedPoints),
    "matrix_is": _of(Is, matrix=choice("matrix", ("A", "C", "C_beta^-1 A")), kind=property_of_a_matrix, beta=number),
    "has": _of(Plain, name=choice("property", PLAIN)),
    "pushes": _of_a_run(Pushed, learner=learner, h=number, step=number),
    "proportional": _of(Proportional, learner=learner, other=learner, times=number),
    "same_update": _of(_same_update, one=learner, other=learner, whole=flag, beta=whole, rho=whole),
    "on_action_values": _of(OnActionValues, learner=learner, whole=flag, beta=whole, h_is_zero=flag),
    "costs": _of(Costs, learners=several(learner), times=whole, other=learner),
    "scales": _of(_scales, learners=several(learner), step=whole, x=whole, R=whole, w=whole, beta=whole, alpha=whole),
    "finite_moment": _of(FiniteMoment, rho=whole, x=whole, reward=whole),
    "finite_noise": _of_a_run(FiniteNoise),
    "finite_ratio": _of(FiniteRatio, power=whole),
    "geometric": _of(Geometric, q=number, base=whole, ratio=whole, reward=whole),
    "policies": _of(Policies, p=number, q=number),
    "entry": _of(Entry, matrix=choice("matrix", ("A", "C")), factor=number),
    "rate": _of_a_run(Rate),
    "second_reward": _of(SecondReward, policy=choice("policy", ("behaviour", "target"))),
    "noise_constant": _of_a_run(NoiseConstant, learner=learner, split=flag),
    "areas": _of(cells.Areas, learners=_ROWS, relation=_RELATION, others=_ROWS, times=number, tables=several(_TABLE)),
    "between_tables": _of(cells.Tables, learners=_ROWS, table=_TABLE, relation=_RELATION, against=_TABLE, times=number),
    "bold": _of(cells.Bold, tables=several(_TABLE), alone=flag),
    "stable": _of(Stable, by=_BY),
    "shown": _of(Shown, what=choice("quantity", QUANTITIES), rows=several(several(number)), by=_BY, decimals=whole),
    "from_key_matrix": _of(FromKeyMatrix, by=_BY),
    "step_change": _of(StepChange, weight=number, alpha=number, state=whole, action=whole),
    "value_error": _of(SquaredError, at=choice("learner", ("td", "emphatic-td", "least"))),
    "finite_variance": _of(FiniteVariance, by=_BY, lam=parameter),
    "finite_memory": _of(FiniteMemory, by=_BY),
    "follow_on_moment": _of(FollowOnMoment, power=whole, base=number),
    "mean_settles": _of(MeanSettles, by=_BY, alpha=parameter),
    "mean_unbounded": _of(MeanUnbounded, by=_BY),
    "mean_weight": _of(MeanWeight, by=_BY, alpha=number, updates=whole, expected=flag),
    "same_shape": _of(SameShape, left=term, right=term),
}
"""By name; `on`, `each`, `every`, `everywhere` and `implies` are read apart."""
