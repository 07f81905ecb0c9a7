"""A prediction experiment of a paper: areas under learning curves, and errors after a number of updates."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from simulate.bootstrap import Interval
from simulate.paper.compared import at, comparisons
from simulate.paper.seen import Seen, Unseen, shown
from simulate.piece import Piece
from simulate.store import Store
from simulate.sweep.case import Case
from simulate.sweep.experiment import PredictionExperiment
from simulate.sweep.study import Areas, outcomes
from simulate.uncertainty import t_quantile
from simulate.work import RunOutcome


def see_sweep(
    experiment: PredictionExperiment,
    store: Store,
    definitions: Mapping[str, Fraction],
    *,
    workers: int | None = None,
    cluster: str | None = None,
) -> Seen:
    """Run a prediction experiment through a store, and return what statements see of it.

    Args:
        definitions: the paper's numbers.
        workers, cluster: see `simulate.compute.compute`.
    """
    results, _ = outcomes(experiment.cases(), store, workers=workers, cluster=cluster, title=experiment.name)
    return seen_in(results, definitions)


def seen_in(results: list[tuple[Case, RunOutcome]], definitions: Mapping[str, Fraction]) -> Seen:
    """Return what statements see of cases and what they gave."""

    def one(algorithm: str, chosen: Mapping[str, Any]) -> tuple[Case, RunOutcome]:
        fitting = [each for each in results if each[0].algorithm == algorithm and _is_of(each[0], chosen)]
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


_PLACE = ("problem", "step_size", "steps", "reward_scale")


def _is_of(case: Case, chosen: Mapping[str, Any]) -> bool:
    own = {"problem": case.problem, "step_size": case.step_size, **case.place}
    return all(own[name] == chosen[name] for name in _PLACE if name in chosen)
