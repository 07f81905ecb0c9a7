"""Cells of the tables: the best of a learner's configurations, in the experiment that a variant of the tables is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from simulate.compute import compute
from simulate.piece import Piece
from simulate.store import Store
from simulate.sweep.case import Case
from simulate.sweep.experiment import PredictionExperiment
from simulate.sweep.experiment_file import load_variants, parse_experiment
from simulate.sweep.study import Areas, outcomes
from simulate.sweep.table import Table
from simulate.uncertainty import estimate
from tdrc_theory.cli.finite import finite
from tdrc_theory.errors import BadExperiment
from tdrc_theory.papers.published import PROBLEMS, ROWS, STEP_SIZES, TABLES, Place, Published, printed_like, published


class Wanted(NamedTuple):
    """A choice of cells; None stands for all."""

    step_size: str | None = None
    row: str | None = None
    problem: str | None = None

    def has(self, place: Place) -> bool:
        """Return whether a cell is among them."""
        return all(wish in (None, value) for wish, value in zip(self, place, strict=True))


@dataclass(frozen=True, eq=False)
class Cell:
    """The best configuration of a learner on a problem.

    Attributes:
        place: where it stands.
        case: what was run.
        areas: what each configuration gave.
        mean, standard_error: of the best one, as the variant defines the error; inf and nan where every one diverged.
    """

    place: Place
    case: Case
    areas: Areas
    mean: float
    standard_error: float

    @property
    def printed(self) -> Published | None:
        """Return the published cell in its place."""
        return published().get(self.place)

    @property
    def mean_matches(self) -> bool | None:
        """Return whether the mean is the published one to the printed digit; None where none is published."""
        return None if self.printed is None else printed_like(self.mean, self.printed.mean) == self.printed.mean

    @property
    def error_matches(self) -> bool | None:
        """Return the same of the standard error."""
        if self.printed is None:
            return None
        return printed_like(self.standard_error, self.printed.standard_error) == self.printed.standard_error

    @property
    def matches(self) -> bool | None:
        """Return whether both match."""
        return None if self.printed is None else bool(self.mean_matches and self.error_matches)

    @property
    def difference(self) -> float | None:
        """Return ours less the published mean, in standard errors: the root of the sum of both squares, as shown."""
        if self.printed is None or not math.isfinite(self.mean):
            return None
        return (self.mean - float(self.printed.mean)) / math.hypot(
            self.standard_error, float(self.printed.standard_error)
        )

    @property
    def of_rule(self) -> tuple[str, ...]:
        """Return the names of the step-size rule's own parameters."""
        return tuple(piece_of(self.case).rule.parameters)

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object, with more."""
        best, printed = self.areas.configuration, self.printed
        secondary = "h" in piece_of(self.case).algorithm.stacked
        return {
            "stepsize": self.place.step_size,
            "algorithm": self.place.row,
            "problem": self.place.problem,
            "mean": finite(self.mean),
            "standard_error": finite(self.standard_error),
            "published_mean": printed and printed.mean,
            "published_standard_error": printed and printed.standard_error,
            "matches": self.matches,
            "mean_matches": self.mean_matches,
            "standard_error_matches": self.error_matches,
            "difference": self.difference,
            "standard_error_of_area": finite(estimate(self.areas.runs).standard_error),
            "rule": self.case.step_size,
            "alpha": str(best.alpha),
            "eta": str(best.value("eta")) if secondary else None,
            "beta": str(best.value("beta") or 0) if secondary else None,
            "parameters": {name: str(best.value(name)) for name in self.of_rule},
            "configurations": len(self.areas.configurations),
            "diverged_configurations": self.areas.diverged,
            "alpha_at_edge": self.areas.edge != 0,
        }


def piece_of(case: Case) -> Piece:
    """Return what a case of the tables computes."""
    assert isinstance(case.piece, Piece), "of prediction"
    return case.piece


def published_cells(cases: Mapping[Place, Case], wanted: Wanted) -> dict[Place, Case]:
    """Return those of the published cells."""
    return {place: cases[place] for place in published() if wanted.has(place)}


def further_cells(cases: Mapping[Place, Case], wanted: Wanted) -> dict[Place, Case]:
    """Return those of rows that the paper lacks: TDC++, TDRC with beta = 1, and TDRC with single updates."""
    rows = dict.fromkeys(place.row for place, case in cases.items() if place.row not in ROWS and case.along is None)
    every = (Place(step_size, row, problem) for step_size in STEP_SIZES for problem in PROBLEMS for row in rows)
    return {place: cases[place] for place in every if place in cases and wanted.has(place)}


def cells(
    cases: Mapping[Place, Case],
    variant: Variant,
    store: Store,
    *,
    workers: int | None = None,
    cluster: str | None = None,
) -> dict[Place, Cell]:
    """Run cases, extend the grids that the variant says are to be extended, and return the best of each.

    Args:
        cases: those of the variant's.
        variant: says how the standard error is defined.
        store: keeps what is computed; what it holds is not computed again.
        workers, cluster: see `simulate.compute.compute`.
    """
    results, _ = outcomes(cases.values(), store, workers=workers, cluster=cluster, title=variant.name)
    areas = [Areas(case.configurations, outcome.area) for case, outcome in results]
    errors = [estimate(each.runs)[:2] for each in areas]
    if variant.of_each_point:
        pieces = [
            replace(piece_of(case).of_lanes([each.best]), thin=1)
            for (case, _), each in zip(results, areas, strict=True)
        ]
        curves = compute(pieces, store, workers=workers, cluster=cluster, title=variant.name)
        errors = [(float(curve.mean.mean()), float(curve.standard_error().mean())) for curve in curves]
    return {
        place: Cell(place, case, each, *error)
        for place, (case, _), each, error in zip(cases, results, areas, errors, strict=True)
    }


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
