"""The three ways to make the tables, and what differs between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from simulate.environment import Environment
from simulate.step_sizes import StepSize
from simulate.step_sizes.adagrad import ADAGRAD
from simulate.step_sizes.adam import ADAM
from simulate.step_sizes.amsgrad import AMSGRAD
from simulate.step_sizes.constant import CONSTANT
from simulate.tables.double_update import DOUBLE_UPDATE
from simulate.tables.environments import STATED_STEPS, STEPS, fresh, replayed
from tdrc_theory.paper_settings import RUN_BETA
from tdrc_theory.registry import named


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant:
    """How the tables are made.

    Attributes:
        name: what the option calls it.
        told: what is particular about it, a line each.
        beta: of TDRC, and of TDC++ in the further rows.
        environment: `(problem, seed) -> Environment`.
        every: the RMSPBE is read after updates 1, 1 + every, ...
        rules: the rule of each table.
        tdrc_rules: tables in which TDRC had another rule.
        lowest: log2 of the smallest alpha in each table; the largest is 1.
        of_each_point: whether the error shown is the average over time of the standard error at each point, instead of
            the standard error of the area.
        uncapped: whether alpha's grid is extended until the best is inside it.
    """

    name: str
    told: tuple[str, ...]
    beta: Fraction
    environment: Callable[[str, int], Environment]
    every: int
    rules: Mapping[str, StepSize]
    tdrc_rules: Mapping[str, StepSize]
    lowest: Mapping[str, int]
    of_each_point: bool
    uncapped: bool

    def without_cap(self) -> Variant:
        """Return the same with alpha's grid extended until the best is inside it."""
        return self if self.uncapped else replace(self, uncapped=True, told=(*self.told, _UNCAPPED))

    def rule(self, step_size: str, row: str) -> StepSize:
        """Return the rule of a row in a table."""
        return (self.tdrc_rules if row == "tdrc" else self.rules).get(step_size) or self.rules[step_size]


_UNCAPPED = "alpha's grid goes on until the best is inside it"
_RULES = {"constant": CONSTANT, "adagrad": ADAGRAD, "adam": AMSGRAD}
_LOWEST = {"constant": -7, "adagrad": -7, "adam": -7}

AS_RUN = Variant(
    name="as-run",
    told=(
        "the paper's own random streams; 3000 steps on the walk, 10000 on Boyan's chain, 5000 on Baird's problem",
        "RMSPBE after updates 1, 11, 21, ...; the error is the average over time of the standard error at each point",
        "TDRC has beta = 0.8; Adam is AMSGrad without bias correction, and TDRC's steps there are taken twice",
    ),
    beta=RUN_BETA,
    environment=lambda problem, seed: replayed(problem, STEPS[problem], error_weights=True),  # noqa: ARG005
    every=10,
    rules=_RULES,
    tdrc_rules={"adam": DOUBLE_UPDATE},
    lowest=_LOWEST,
    of_each_point=True,
    uncapped=False,
)

AS_STATED = Variant(
    name="as-stated",
    told=(
        "what the text says, on the paper's own random streams: 3000 steps on every problem, RMSPBE after each of them",
        "the error is the standard error of the area; d is that of the behaviour policy",
        "TDRC has beta = 1; Adam has its bias correction, and alpha from 2^-8 as its caption says",
    ),
    beta=Fraction(1),
    environment=lambda problem, seed: replayed(problem, STATED_STEPS[problem], error_weights=False),  # noqa: ARG005
    every=1,
    rules={**_RULES, "adam": ADAM},
    tdrc_rules={},
    lowest={**_LOWEST, "adam": -8},
    of_each_point=False,
    uncapped=False,
)

CORRECTED = Variant(
    name="corrected",
    told=(
        "fresh experience, as many steps as were really run, RMSPBE after updates 1, 11, 21, ... under the exact d",
        "the error is the standard error of the area",
        _UNCAPPED,
        "TDRC has beta = 1; Adam is AMSGrad without bias correction, and every step is taken once",
    ),
    beta=Fraction(1),
    environment=lambda problem, seed: fresh(problem, STEPS[problem], seed),
    every=10,
    rules=_RULES,
    tdrc_rules={},
    lowest=_LOWEST,
    of_each_point=False,
    uncapped=True,
)

VARIANTS = (AS_RUN, AS_STATED, CORRECTED)


def find_variant(name: str) -> Variant:
    """Return a variant by name.

    Raises:
        UnknownName: there is none of that name.
    """
    return named("variant", name, VARIANTS)
