"""The ways to make the tables, as `tables.toml` of the paper's folder has them, and what differs between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from simulate.environment import Environment
from simulate.step_sizes import StepSize, find_step_size
from simulate.sweep.table import Table
from simulate.tables.double_update import DOUBLE_UPDATE
from simulate.tables.environments import fresh, replayed
from tdrc_theory.errors import BadExperiment
from tdrc_theory.paper_settings import TABLES
from tdrc_theory.reader import shown
from tdrc_theory.registry import named
from tdrc_theory.toml_file import toml_file

UNCAPPED = "alpha's grid goes on until the best is inside it"
_EXPERIENCE = ("replayed", "fresh")
_ERRORS = ("of the area", "of each point")
_MOST = 10**6


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant:
    """How the tables are made.

    Attributes:
        name: what the option calls it.
        told: what is particular about it, a line each.
        runs: of each configuration.
        steps: how long each problem is run, by name.
        beta: of TDRC, and of TDC++ in the further rows.
        replays: whether experience is that of the paper's own runs.
        error_weights: d(s) in the RMSPBE by problem, where it is not the problem's own.
        every: the RMSPBE is read after updates 1, 1 + every, ...
        rules: the rule of each table.
        tdrc_rules: tables in which TDRC had another rule.
        alphas: powers of 2 in each table.
        etas: powers of 2 of rows that tune eta.
        decays: values of the rules' own parameters.
        eta_study: powers of 2 in the study of TDC's eta.
        beta_study: values in the study of TDRC's beta.
        of_each_point: whether the error shown is the average over time of the standard error at each point, instead of
            the standard error of the area.
        uncapped: whether alpha's grid is extended until the best is inside it.
    """

    name: str
    told: tuple[str, ...]
    runs: int
    steps: Mapping[str, int]
    beta: Fraction
    replays: bool
    error_weights: Mapping[str, tuple[Fraction, ...]]
    every: int
    rules: Mapping[str, StepSize]
    tdrc_rules: Mapping[str, StepSize]
    alphas: Mapping[str, range]
    etas: Mapping[str, range]
    decays: tuple[Fraction, ...]
    eta_study: range
    beta_study: tuple[Fraction, ...]
    of_each_point: bool
    uncapped: bool

    def without_cap(self) -> Variant:
        """Return the same with alpha's grid extended until the best is inside it."""
        return self if self.uncapped else replace(self, uncapped=True, told=(*self.told, UNCAPPED))

    def rule(self, step_size: str, row: str) -> StepSize:
        """Return the rule of a row in a table."""
        return (self.tdrc_rules if row == "tdrc" else self.rules).get(step_size) or self.rules[step_size]

    def environment(self, problem: str, seed: int) -> Environment:
        """Return a problem with its experience; `seed` is of fresh experience."""
        if self.replays:
            return replayed(problem, self.steps[problem], self.error_weights.get(problem))
        return fresh(problem, self.steps[problem], seed)


def read_variants(path: Path) -> tuple[Variant, ...]:
    """Return the variants of a file.

    Raises:
        BadExperiment: it cannot be read or describes none; the message names file, key and value.
    """
    with toml_file(path, BadExperiment) as data:
        variants = data.pop("variants", {})
        if not isinstance(variants, dict) or not variants:
            raise BadExperiment(f"variants: {shown(variants)} is not a table of tables")
        return tuple(_variant(name, {**data, **own}) for name, own in variants.items())


def _variant(name: str, data: Mapping[str, Any]) -> Variant:
    top = Table(data, f"variant {name}: ")
    top.text("name")
    problems = top.texts("problems")
    found = Variant(
        name=name,
        told=top.texts("about"),
        runs=top.whole("runs", 2, _MOST),
        steps=dict(zip(problems, _steps(top, len(problems)), strict=True)),
        beta=top.number("beta"),
        replays=top.one_of("experience", _EXPERIENCE) == "replayed",
        error_weights=_each(top.table("error_weights"), lambda table, key: table.numbers(key)),
        every=top.whole("every", 1, _MOST),
        rules=_each(top.table("rules"), _rule),
        tdrc_rules=_each(top.table("tdrc_rules"), _rule),
        alphas=_each(top.table("alpha"), _powers),
        etas=_each(top.table("eta"), _powers),
        decays=top.grid("decays"),
        eta_study=_powers(studies := top.table("studies"), "eta"),
        beta_study=studies.grid("beta"),
        of_each_point=top.one_of("standard_error", _ERRORS) == "of each point",
        uncapped=top.truth("extend_alpha"),
    )
    for table in (top, studies):
        table.finish()
    return found


def _steps(top: Table, count: int) -> tuple[int, ...]:
    found = top.numbers("steps")
    if len(found) != count or any(steps.denominator != 1 or steps < 1 for steps in found):
        raise top.refuse("steps", f"one number of updates for each of the {count} problems is needed")
    return tuple(map(int, found))


def _each(table: Table, read: Any) -> dict[str, Any]:
    return {key: read(table, key) for key in table.keys}


def _rule(table: Table, key: str) -> StepSize:
    name = table.text(key)
    return DOUBLE_UPDATE if name == DOUBLE_UPDATE.name else table.made(key, partial(find_step_size, name))


def _powers(table: Table, key: str) -> range:
    ends = table.table(key)
    low, high = (ends.whole(end, -100, 100) for end in ("from", "to"))
    ends.finish()
    return range(low, high + 1)


VARIANTS = AS_RUN, AS_STATED, CORRECTED = read_variants(TABLES)


def find_variant(name: str) -> Variant:
    """Return a variant by name.

    Raises:
        UnknownName: there is none of that name.
    """
    return named("variant", name, VARIANTS)
