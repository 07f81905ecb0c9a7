"""The ways to make the tables, as `tables.toml` of the paper's folder has them: an experiment each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simulate.sweep.case import Case
from simulate.sweep.experiment import PredictionExperiment
from simulate.sweep.experiment_file import load_variants, parse_experiment
from simulate.sweep.table import Table
from tdrc_theory.errors import BadExperiment
from tdrc_theory.papers.published import TABLES, Place

UNCAPPED = "alpha's grid goes on until the best is inside it"
_ERRORS = ("of the area", "of each point")
_OWN = ("about", "standard_error", "rows")
"""Keys that an experiment besides the tables has not."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant:
    """How the tables are made.

    Attributes:
        name: what the option calls it.
        about: what is particular to it, a line each.
        experiment: what is run, every row and study of the tables.
        of_each_point: whether the error shown is the average over time of the standard error at each point, instead of
            the standard error of the area.
    """

    name: str
    about: tuple[str, ...]
    experiment: PredictionExperiment
    of_each_point: bool

    def without_cap(self) -> Variant:
        """Return the same with alpha's grid extended until the best is inside it."""
        if self.experiment.extend_alpha:
            return self
        return replace(self, experiment=replace(self.experiment, extend_alpha=True), about=(*self.about, UNCAPPED))

    def cases(self, runs: int, seed: int = 0) -> dict[Place, Case]:
        """Return what is run, by where it belongs; `seed` is of fresh experience."""
        run = replace(self.experiment, runs=runs, seed=seed)
        return {Place(table_of(case.step_size), case.algorithm, case.problem): case for case in run.cases()}


def table_of(rule: str) -> str:
    """Return the table that a step-size rule belongs to: that of Adam has been made with several."""
    return rule if rule in ("constant", "adagrad") else "adam"


def read_variants(path: Path) -> tuple[Variant, ...]:
    """Return the variants of a file.

    Raises:
        BadExperiment: it cannot be read or describes none; the message names file, key and value.
    """
    return tuple(replace(each, name=name) for name, each in load_variants(path, read=_variant).items())


def _variant(data: dict[str, Any], folder: Path) -> Variant:
    own = Table({key: data[key] for key in _OWN if key in data}, "")
    rest = {key: value for key, value in data.items() if key not in _OWN}
    if own.has("rows"):
        rest["learners"] = [*data.get("learners", []), *data["rows"]]
    experiment = parse_experiment(rest, folder)
    if not isinstance(experiment, PredictionExperiment):
        raise BadExperiment("is an experiment of control")
    of_each_point = own.one_of("standard_error", _ERRORS) == "of each point"
    return Variant(name=experiment.name, about=own.texts("about"), experiment=experiment, of_each_point=of_each_point)


VARIANTS = AS_RUN, AS_STATED, CORRECTED = read_variants(TABLES)
