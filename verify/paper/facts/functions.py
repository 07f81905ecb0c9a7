"""The functions of statements on problems: what a claim's text calls, and what node of the tree each gives.

A new one is a builder here, whose annotations say how its arguments are read (`arguments.py`), and a line in
`FUNCTIONS`. Sentence, truth and second evaluation are those of the node's class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verify.paper.facts import cells, quantities
from verify.paper.facts.action_values import OnActionValues
from verify.paper.facts.arguments import (
    Check,
    Copied,
    Count,
    EntryMatrix,
    Flag,
    Free,
    Learner,
    Learners,
    Matrix,
    Number,
    Parameter,
    Plainly,
    Policy,
    Property,
    Relation,
    Rows,
    Table,
    Tables,
)
from verify.paper.facts.atoms import Does, Expected, Is, Met, Run, SameFixedPoints
from verify.paper.facts.constant_steps import Settles
from verify.paper.facts.distributions import FiniteMoment, FiniteNoise, FiniteRatio, Geometric, Policies
from verify.paper.facts.emphatic_functions import EMPHATIC
from verify.paper.facts.periods import ConvergesFrom
from verify.paper.facts.properties import Plain
from verify.paper.facts.quantities import BorkarMeyn, Entry, NoiseConstant, Rate, SecondReward
from verify.paper.facts.regions import Above, Somewhere
from verify.paper.facts.transitions import Proportional, Pushed
from verify.paper.facts.update_terms import Costs, SameUpdate, Scales

Setting = Parameter | None
"""A parameter of a learner, or nothing where it has none or something ranges over it."""


def converges(learner: Learner, beta: Setting = None, eta: Setting = None) -> Expected:
    """The learner's expected update converges."""
    return Expected(Run(learner, beta, eta), Does.CONVERGES)


def diverges(learner: Learner, beta: Setting = None, eta: Setting = None) -> Expected:
    """The learner's expected update does not converge."""
    return Expected(Run(learner, beta, eta), Does.DIVERGES)


def converges_to_a_point(learner: Learner, beta: Setting = None, eta: Setting = None) -> Expected:
    """The learner's expected update converges to a single point."""
    return Expected(Run(learner, beta, eta), Does.TO_A_POINT)


def converges_to_a_set(learner: Learner, beta: Setting = None, eta: Setting = None) -> Expected:
    """The learner's expected update converges to a set of TD fixed points."""
    return Expected(Run(learner, beta, eta), Does.TO_A_SET)


def converges_at_some(over: Free, learner: Learner, beta: Setting = None, eta: Setting = None) -> Somewhere:
    """It converges at some value of the parameter that is left free."""
    return Somewhere(Run(learner, beta, eta), over)


def converges_at_no(over: Free, learner: Learner, beta: Setting = None, eta: Setting = None) -> Somewhere:
    """It converges at no value of the parameter that is left free."""
    return Somewhere(Run(learner, beta, eta), over, some=False)


def converges_above(
    over: Free, low: Number, high: Number, learner: Learner, beta: Setting = None, eta: Setting = None
) -> Above:
    """It converges exactly above one value of the parameter that is left free, from `low` to `high`."""
    return Above(Run(learner, beta, eta), over, low, high)  # type: ignore[arg-type]


def settles(learner: Learner, alpha: Parameter, beta: Setting = None, eta: Setting = None) -> Settles:
    """With a constant step size the expected weights converge."""
    return Settles(Run(learner, beta, eta), alpha)


def converges_from(period: Count, learner: Learner, copy: Copied, alpha: Number) -> ConvergesFrom:
    """With weights copied after every N updates the expected weights converge exactly where N is at least `period`."""
    return ConvergesFrom(learner, copy, alpha, period)


def meets(check: Check, learner: Learner, beta: Setting = None, eta: Setting = None) -> Met:
    """The learner meets a hypothesis of the theorem."""
    return Met(check, Run(learner, beta, eta))


def borkar_meyn(learner: Learner, beta: Setting = None, eta: Setting = None) -> BorkarMeyn:
    """Conditions (i) to (v) of Borkar and Meyn hold."""
    return BorkarMeyn(Run(learner, beta, eta))


def td_fixed_points(learner: Learner, beta: Setting = None, eta: Setting = None) -> SameFixedPoints:
    """The learner rests where TD does, and nowhere else."""
    return SameFixedPoints(Run(learner, beta, eta))


def matrix_is(matrix: Matrix, kind: Property, beta: Number | None = None) -> Is:
    """A matrix of the problem has a property."""
    return Is(matrix, kind, beta)


def has(name: Plainly) -> Plain:
    """The problem has a property, by its name."""
    return Plain(name)


def pushes(learner: Learner, h: Number, step: Number, beta: Setting = None, eta: Setting = None) -> Pushed:
    """At the TD fixed point every transition moves w by the same multiple of alpha."""
    return Pushed(Run(learner, beta, eta), h, step)


def proportional(learner: Learner, other: Learner, times: Number) -> Proportional:
    """Every transition moves w by so many times what it does under another learner."""
    return Proportional(learner, other, times)


def same_update(
    one: Learner, other: Learner, whole: Flag = True, beta: Count | None = None, rho: Count | None = None
) -> SameUpdate:
    """Two learners move w (or w and h) alike, for all data."""
    return SameUpdate((one, other), whole, beta, rho)


def on_action_values(
    learner: Learner, whole: Flag = True, beta: Count | None = None, h_is_zero: Flag = False
) -> OnActionValues:
    """QRC with linear action values updates as a learner of prediction does."""
    return OnActionValues(learner, whole, beta, h_is_zero)


def costs(learners: Learners, times: Count, other: Learner) -> Costs:
    """Learners take so many times the multiplications and weights of another."""
    return Costs(learners, times, other)


def scales(
    learners: Learners, step: Count, x: Count = 0, R: Count = 0, w: Count = 0, beta: Count = 0, alpha: Count = 0
) -> Scales:
    """Multiplying data and weights by powers of c multiplies the steps by a power of c."""
    powers = (("x", x), ("R", R), ("w", w), ("beta", beta), ("alpha", alpha))
    return Scales(learners, tuple((name, power) for name, power in powers if power), step)


def finite_moment(rho: Count = 0, x: Count = 0, reward: Count = 0) -> FiniteMoment:
    """A moment of the sample is finite."""
    return FiniteMoment(rho, x, reward)


def finite_noise(learner: Learner, beta: Setting = None, eta: Setting = None) -> FiniteNoise:
    """The second moment of the noise is finite."""
    return FiniteNoise(Run(learner, beta, eta))


def finite_ratio(power: Count = 2) -> FiniteRatio:
    """A moment of the importance ratio is finite."""
    return FiniteRatio(power)


def geometric(q: Number, base: Count, ratio: Count = 1, reward: Count = 0) -> Geometric:
    """A distribution of samples with a geometric tail."""
    return Geometric(q, base, ratio, reward)  # type: ignore[arg-type]


def policies(p: Number, q: Number) -> Policies:
    """A target and a behaviour policy with geometric tails."""
    return Policies(p, q)  # type: ignore[arg-type]


def entry(matrix: EntryMatrix, factor: Number = 1) -> Entry:
    """The only entry of A or C, times a factor."""
    return Entry(matrix, factor)


def rate(learner: Learner, beta: Setting = None, eta: Setting = None) -> Rate:
    """The spectral abscissa of a learner's G."""
    return Rate(Run(learner, beta, eta))


def second_reward(policy: Policy) -> SecondReward:
    """The mean of the reward one step later, under a policy."""
    return SecondReward(policy)


def noise_constant(learner: Learner, split: Flag, beta: Setting = None, eta: Setting = None) -> NoiseConstant:
    """The constant of the noise bound."""
    return quantities.NoiseConstant(Run(learner, beta, eta), split)


def areas(learners: Rows, relation: Relation, others: Rows, times: Number = 1, tables: Tables = ("adagrad",)) -> Any:
    """Published areas of learners beside those of others."""
    return cells.Areas(learners, relation, others, times, tables)


def between_tables(learners: Rows, table: Table, relation: Relation, against: Table, times: Number = 1) -> Any:
    """Published areas of learners in one table beside their own in another."""
    return cells.Tables(learners, table, relation, against, times)


def bold(tables: Tables, alone: Flag) -> Any:
    """The bold cell of each column has the least mean."""
    return cells.Bold(tables, alone)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        *(converges, diverges, converges_to_a_point, converges_to_a_set, converges_at_some, converges_at_no),
        *(converges_above, converges_from, settles, meets, borkar_meyn, td_fixed_points, matrix_is, has, pushes),
        *(proportional, same_update, on_action_values, costs, scales),
        *(finite_moment, finite_noise, finite_ratio, geometric, policies),
        *(entry, rate, second_reward, noise_constant, areas, between_tables, bold),
    )
} | EMPHATIC
"""By name; `on`, `each`, `every`, `everywhere` and `implies` are read apart."""
