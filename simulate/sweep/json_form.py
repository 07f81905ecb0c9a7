"""A study as JSON types; what is not finite is null."""

from __future__ import annotations

from typing import Any

from simulate.sweep.export import configurations, outcome, what
from simulate.sweep.study import Study
from simulate.sweep.summary import Best, Deviation, best_of_each, deviations
from simulate.uncertainty import LEVEL
from tdrc_theory.cli.finite import finite


def to_json(study: Study) -> dict[str, Any]:
    """Return everything that is known of the configurations, and of the best of each algorithm and rule."""
    experiment = study.experiment
    document: dict[str, Any] = {
        "experiment": experiment.name,
        **experiment.data,
        "seed": experiment.seed,
        "runs": experiment.runs,
        "interval": LEVEL,
        "learning_curves": {"computed": study.computed, "found": study.found},
        "configurations": configurations(study),
        "best": [_best(entry) for entry in best_of_each(study.all())],
    }
    if experiment.drawn.baseline:
        document["baseline"] = experiment.drawn.baseline
        document["deviations"] = [_deviation(entry) for entry in deviations(experiment, study.all())]
    return document


def _best(entry: Best) -> dict[str, Any]:
    held_out = entry.held_out
    return {
        **what(entry.result, list(entry.result.parameters)),
        **outcome(entry.result),
        "best_of": entry.of,
        "at_end_of_grid": list(entry.at_end),
        "held_out": held_out and {key: finite(value) for key, value in held_out._asdict().items()},
    }


def _deviation(entry: Deviation) -> dict[str, Any]:
    numbers = {key: finite(value) for key, value in entry._asdict().items() if key != "result"}
    return {**what(entry.result, list(entry.result.parameters)), "area_mean": finite(entry.result.area.mean), **numbers}
