"""Experiments of prediction and the first paper's tables: areas under learning curves, compared each at its best.

Run i of two learners has the same experience where they are of one problem, so that areas are compared run by run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from simulate.paper.statement import Seen, Truth, Unseen, shown
from simulate.piece import Piece
from simulate.sweep.experiment import Case
from simulate.sweep.study import Areas
from simulate.tables.cell import Cell
from simulate.uncertainty import Interval, t_quantile
from simulate.work import RunOutcome
from tdrc_theory.judgement import Step
from tdrc_theory.papers.published import PROBLEMS, ROWS, STEP_SIZES, Place

_PLACE = ("problem", "step_size", "steps", "reward_scale")
CERTAIN = 2.0
"""Standard errors of the mean of paired differences from which on one area is taken to be lower than another."""


def seen_in(results: list[tuple[Case, RunOutcome]], definitions: Mapping[str, Fraction]) -> Seen:
    """Return what statements see of cases and what they gave."""

    def one(algorithm: str, chosen: Mapping[str, Any]) -> tuple[Case, RunOutcome]:
        place = {name: value for name, value in chosen.items() if name in _PLACE}
        fitting = [
            (case, outcome)
            for case, outcome in results
            if case.algorithm == algorithm
            and place.items() <= {"problem": case.problem, "step_size": case.step_size, **case.place}.items()
        ]
        if len(fitting) != 1:
            allowed = "; ".join(f"{case.algorithm} on {case.problem}, {case.step_size}" for case, _ in results)
            several = "several" if fitting else "no"
            raise Unseen(f"{several} runs of {shown(algorithm)} are as asked; those of one are needed, of: {allowed}")
        return fitting[0]

    def area(algorithm: str, **chosen: Any) -> Areas:
        case, outcome = one(algorithm, chosen)
        areas = Areas(case.configurations, outcome.area)
        return at(areas, **{name: value for name, value in chosen.items() if name not in _PLACE})

    def error(algorithm: str, after: Fraction, **chosen: Any) -> Interval:
        case, outcome = one(algorithm, chosen)
        if after not in case.points:
            points = f"{case.points[0]}, {case.points[0] + case.points.step}, ... {case.points[-1]}"
            raise Unseen(f"the error is not read after {shown(after)} updates; allowed: {points}")
        lane = case.configurations.index(area(algorithm, **chosen).configuration)
        point = case.points.index(int(after))
        mean = float(outcome.mean[point, lane])
        reach = t_quantile(outcome.runs - 1) * float(outcome.standard_error()[point, lane])
        return Interval(mean, mean - reach, mean + reach)

    def start(algorithm: str, **chosen: Any) -> float:
        case, _ = one(algorithm, chosen)
        assert isinstance(case.piece, Piece), "of prediction"
        return float(case.piece.environment.error(case.piece.environment.initial_weights))

    def below(areas: Areas, limit: float | Fraction) -> int:
        return int(np.count_nonzero(areas.runs < float(limit)))

    names: dict[str, Any] = {
        "runs": Fraction(results[0][1].runs),
        "problems": list(dict.fromkeys(case.problem for case, _ in results)),
        "algorithms": list(dict.fromkeys(case.algorithm for case, _ in results)),
    }
    return Seen(names, {**comparisons(definitions), "area": area, "error": error, "start": start, "below": below})


def ratio(one: Areas, other: Areas) -> float:
    """Return how many times as high the first is; nan where both diverged."""
    first, second = _areas(one).mean, _areas(other).mean
    return first / second if math.isfinite(second) else math.nan if math.isinf(first) else 0.0


def is_lower(one: Areas, other: Areas) -> bool:
    """Return whether the first is lower by more than chance explains."""
    if not (math.isfinite(_areas(one).mean) and math.isfinite(_areas(other).mean)):
        return math.isfinite(one.mean)
    differences = other.runs - one.runs
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    return float(np.mean(differences)) > CERTAIN * error


def at(areas: Areas, **values: Fraction) -> Areas:
    """Return the configurations in which parameters have these values."""
    chosen = _areas(areas)
    for name, value in values.items():
        there = chosen.values(name)
        if value not in there:
            tried = ", ".join(map(shown, there)) or "it has no such parameter"
            raise Unseen(f"{name} = {shown(value)} was not tried; allowed: {tried}")
        chosen = chosen.at(name, value)
    return chosen


def comparisons(definitions: Mapping[str, Fraction]) -> dict[str, Callable[..., Any]]:
    """Return the functions that statements on areas may call.

    Args:
        definitions: the paper's numbers: `comparable` is how many times as high is still comparable.
    """

    def limit() -> Fraction:
        if "comparable" not in definitions:
            raise Unseen('needs a number "comparable" in [definitions] of paper.toml: how many times as high still is')
        return definitions["comparable"]

    def lower(one: Areas, other: Areas) -> Truth:
        return Truth(is_lower(one, other), _both(one, other))

    def worse(one: Areas, other: Areas) -> Truth:
        return Truth(is_lower(other, one) and ratio(one, other) > limit(), _both(one, other))

    def as_good(one: Areas, other: Areas) -> Truth:
        times = ratio(one, other)
        return Truth(None if math.isnan(times) else times <= limit(), _both(one, other))

    def best(areas: Areas, name: str) -> Fraction:
        value = _areas(areas).configuration.value(name)
        if value is None:
            raise Unseen(f"{shown(name)} is no parameter of it")
        return value

    return {
        "mean": lambda areas: _areas(areas).mean,
        "values": lambda areas, name: _areas(areas).values(name),
        "diverged": lambda areas: int((~np.isfinite(_areas(areas).runs)).sum()),
        "abs": abs,
        "size": len,
        **{of.__name__: of for of in (ratio, at, best, lower, worse, as_good)},
    }


def _areas(value: Any) -> Areas:
    if not isinstance(value, Areas):
        raise Unseen(f"{shown(value)} is no area of a run")
    return value


def _both(one: Areas, other: Areas) -> tuple[Step, ...]:
    times = ratio(one, other)
    return (Step("", f"{shown(one.mean)} and {shown(other.mean)}, {shown(times)} times"),)


def seen_in_cells(cells: Mapping[Place, Cell], definitions: Mapping[str, Fraction]) -> Seen:
    """Return what statements see of cells; the studies are rows of the Adagrad table."""
    places = {id(cell.areas): place for place, cell in cells.items()}
    every = ", ".join(dict.fromkeys(place.row for place in cells))

    def cell(table: str, row: str, problem: str) -> Areas:
        place = Place(table, row, problem)
        if place not in cells:
            raise Unseen(f"no such cell; rows {every}; tables {', '.join(STEP_SIZES)}")
        return cells[place].areas

    def rows(problem: str) -> list[str]:
        return [row for row in ROWS if Place(STEP_SIZES[0], row, problem) in cells]

    def columns(row: str) -> list[str]:
        return [problem for problem in PROBLEMS if Place(STEP_SIZES[0], row, problem) in cells]

    def lowest(table: str, problem: str) -> Areas:
        return min((cell(table, row, problem) for row in rows(problem)), key=lambda areas: areas.mean)

    def as_printed(areas: Areas) -> Truth:
        of = cells[places[id(areas)]]
        printed = "" if of.printed is None else of.printed.mean
        return Truth(of.as_printed and of.as_printed[0], (Step("", f"{of.mean:.4f}, printed {printed}"),))

    def bold(areas: Areas) -> Truth:
        of = cells[places[id(areas)]]
        return Truth(of.printed is not None and of.printed.bold, (Step("", f"{of.place.row}, {of.mean:.4f}"),))

    own = {of.__name__: of for of in (cell, rows, columns, lowest, as_printed, bold)}
    return Seen({"problems": list(PROBLEMS), "tables": list(STEP_SIZES)}, {**comparisons(definitions), **own})
