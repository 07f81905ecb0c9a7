"""The tables made again: the best of a learner's configurations in each cell, under each variant, with the printed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from simulate.compute import compute
from simulate.piece import Piece
from simulate.store import Store
from simulate.sweep.experiment import Case, PredictionExperiment
from simulate.sweep.experiment_file import TableReader, load_variants, parse_experiment
from simulate.sweep.study import Areas, outcomes
from simulate.uncertainty import estimate
from tdrc_theory.cli.finite import finite
from tdrc_theory.errors import BadExperiment
from tdrc_theory.exact.number import number_text
from tdrc_theory.papers.published import PROBLEMS, ROWS, STEP_SIZES, TABLES, Place, Published, printed_like, published
from tdrc_theory.tables.table import Table


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
    def as_printed(self) -> tuple[bool, bool] | None:
        """Return whether mean and standard error are the published ones to the printed digit; None where none are."""
        if self.printed is None:
            return None
        mean, error = self.printed.mean, self.printed.standard_error
        return printed_like(self.mean, mean) == mean, printed_like(self.standard_error, error) == error

    @property
    def matches(self) -> bool | None:
        """Return whether both match."""
        return self.as_printed and all(self.as_printed)

    @property
    def difference(self) -> float | None:
        """Return ours less the published mean, in standard errors: the root of the sum of both squares, as shown."""
        if self.printed is None or not math.isfinite(self.mean):
            return None
        both = math.hypot(self.standard_error, float(self.printed.standard_error))
        return (self.mean - float(self.printed.mean)) / both

    @property
    def of_rule(self) -> tuple[str, ...]:
        """Return the names of the step-size rule's own parameters."""
        return tuple(piece_of(self.case).rule.parameters)

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object, with more."""
        best, printed = self.areas.configuration, self.printed
        mean_matches, error_matches = self.as_printed or (None, None)
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
            "mean_matches": mean_matches,
            "standard_error_matches": error_matches,
            "difference": self.difference,
            "standard_error_of_area": finite(estimate(self.areas.runs).standard_error),
            "rule": self.case.step_size,
            "alpha": str(best.alpha),
            "eta": str(best.value("eta")) if secondary else None,
            "beta": str(best.value("beta") or 0) if secondary else None,
            "parameters": {name: str(best.value(name)) for name in self.of_rule},
            "configurations": len(self.areas.configurations),
            "diverged_configurations": int(np.isinf(self.areas.means).sum()),
            "alpha_at_edge": self.areas.edge != 0,
        }


def piece_of(case: Case) -> Piece:
    """Return what a case of the tables computes."""
    assert isinstance(case.piece, Piece), "of prediction"
    return case.piece


def chosen_cells(
    cases: Mapping[Place, Case],
    step_size: str | None = None,
    row: str | None = None,
    problem: str | None = None,
    *,
    more: bool = False,
) -> dict[Place, Case]:
    """Return a variant's cases in those of the published cells that have a step size, row and problem; None is all.

    With `more`, there are rows that the paper lacks: TDC++, TDRC with beta = 1, and TDRC with single updates.
    """
    places = list(published())
    if more:
        rows = dict.fromkeys(place.row for place, case in cases.items() if place.row not in ROWS and case.along is None)
        every = (Place(rule, name, on) for rule in STEP_SIZES for on in PROBLEMS for name in rows)
        places += [place for place in every if place in cases]
    wanted = (step_size, row, problem)
    chosen = (p for p in places if all(wish in (None, value) for wish, value in zip(wanted, p, strict=True)))
    return {place: cases[place] for place in chosen}


def cells(
    cases: Mapping[Place, Case],
    variant: Variant,
    store: Store,
    *,
    workers: int | None = None,
    cluster: str | None = None,
) -> dict[Place, Cell]:
    """Run cases, extend the grids that the variant says are to be extended, and return the best of each.

    The variant of the cases says how the standard error is defined; see `simulate.compute.compute` for the rest.
    """
    results, _ = outcomes(cases.values(), store, workers=workers, cluster=cluster, title=variant.name)
    areas = [Areas(case.configurations, outcome.area) for case, outcome in results]
    errors = [estimate(each.runs)[:2] for each in areas]
    if variant.of_each_point:
        chosen = zip(results, areas, strict=True)
        pieces = [replace(piece_of(case).of_lanes([each.best]), thin=1) for (case, _), each in chosen]
        curves = compute(pieces, store, workers=workers, cluster=cluster, title=variant.name)
        errors = [(float(curve.mean.mean()), float(curve.standard_error().mean())) for curve in curves]
    every = zip(cases, results, areas, errors, strict=True)
    return {place: Cell(place, case, each, *error) for place, (case, _), each, error in every}


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
        return {
            # The table of Adam has been made with several rules.
            Place(case.step_size if case.step_size in STEP_SIZES else "adam", case.algorithm, case.problem): case
            for case in run.cases()
        }


def read_variants(path: Path) -> tuple[Variant, ...]:
    """Return the variants of a file.

    Raises:
        BadExperiment: it cannot be read or describes none; the message names file, key and value.
    """
    return tuple(replace(each, name=name) for name, each in load_variants(path, read=_variant).items())


def _variant(data: dict[str, Any], folder: Path) -> Variant:
    own = TableReader({key: data[key] for key in _OWN if key in data}, "")
    rest = {key: value for key, value in data.items() if key not in _OWN}
    if own.has("rows"):
        rest["learners"] = [*data.get("learners", []), *data["rows"]]
    experiment = parse_experiment(rest, folder)
    if not isinstance(experiment, PredictionExperiment):
        raise BadExperiment("is an experiment of control")
    of_each_point = own.one_of("standard_error", _ERRORS) == "of each point"
    return Variant(name=experiment.name, about=own.texts("about"), experiment=experiment, of_each_point=of_each_point)


VARIANTS = AS_RUN, AS_STATED, CORRECTED = read_variants(TABLES)


_MATCHES = {None: "", (True, True): "yes", (True, False): "the mean", (False, True): "the error", (False, False): "no"}
"""What of a cell is as printed, in words."""
_TITLES = ("row", "problem", "ours", "published", "difference", "as printed", "best at")


def plain_text(variant: Variant, cells: Sequence[Cell], runs: int) -> str:
    """Return a table for each step-size rule, and how many cells are as printed."""
    description = "\n".join(f"  {line}" for line in variant.about)
    head = (
        f"{variant.name}, {runs} runs; mean RMSPBE +- standard error; differences are in standard errors\n{description}"
    )
    shown = [f"{table.name}\n{table.text()}" for table in tables(variant, cells) if table.rows]
    return "\n\n".join([head, *shown, count_text(cells)]) + "\n"


def tables(variant: Variant, cells: Sequence[Cell]) -> list[Table]:
    """Return a table for each step-size rule."""
    by_rule = {name: [cell for cell in cells if cell.place.step_size == name] for name in STEP_SIZES}
    return [Table(name, _TITLES, [row(cell, variant.of_each_point) for cell in own]) for name, own in by_rule.items()]


def row(cell: Cell, of_each_point: bool) -> tuple[str, ...]:
    """Return a cell as a row of a table."""
    texts = ours_text(cell, of_each_point), published_text(cell), difference_text(cell), _MATCHES[cell.as_printed]
    best = cell.areas.configuration
    at = [f"alpha {number_text(best.alpha)}{' (end of the grid)' if cell.areas.edge else ''}"]
    if len(cell.areas.values("eta")) > 1:
        at.append(f"eta {number_text(best.value('eta') or Fraction(1))}")
    at += [f"{name} {float(value):g}" for name, value in best.parameters if name in cell.of_rule]
    return cell.place.row, cell.place.problem, *texts, ", ".join(at)


def count_text(cells: Sequence[Cell]) -> str:
    """Return how many cells are as printed."""
    printed = [cell.as_printed for cell in cells if cell.as_printed is not None]
    means, errors = (sum(each[part] for each in printed) for part in (0, 1))
    return f"as printed: {sum(map(all, printed))} of {len(printed)} cells ({means} means, {errors} standard errors)"


def ours_text(cell: Cell, of_each_point: bool) -> str:
    """Return a mean with its standard error, with the digits that the published one has."""
    if not math.isfinite(cell.mean):
        return "diverged"
    like = cell.printed or ("0.000", "0.000")
    more = "" if of_each_point else "0"  # a standard error of the area has its first digit one place later
    return f"{printed_like(cell.mean, like[0] + more)} +- {printed_like(cell.standard_error, like[1] + more)}"


def published_text(cell: Cell) -> str:
    """Return the published cell, empty where there is none."""
    return "" if cell.printed is None else f"{cell.printed.mean} +- {cell.printed.standard_error}"


def difference_text(cell: Cell) -> str:
    """Return how many standard errors both are apart."""
    return "" if cell.difference is None else f"{cell.difference:+.1f}"
