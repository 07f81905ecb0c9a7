"""What a study says: the best configurations, how much depends on one parameter, and deviations from a baseline."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np

from simulate.sweep.experiment import Experiment
from simulate.sweep.study import Result
from simulate.uncertainty import Estimate, estimate

Entry = TypeVar("Entry")


class Best(NamedTuple):
    """The configuration with the best area among some.

    Attributes:
        result: that configuration; its area flatters it, since the same runs chose it.
        held_out: the area over the second half of the runs of the configuration that is best over the first half,
            which has no such bias; None with fewer than four runs.
        of: how many configurations it is the best of.
        at_end: the parameters whose value is the least or the largest that was tried, so that a better one may lie
            beyond the grid.
    """

    result: Result
    held_out: Estimate | None
    of: int
    at_end: tuple[str, ...]


class Deviation(NamedTuple):
    """How far the best configuration of an algorithm is from the baseline's, on the same runs.

    Attributes:
        result: that configuration.
        deviations: difference of the mean areas in standard deviations, over runs, of the baseline's area.
        as_plotted: the same divided by the root of the standard deviation instead, as in the paper's figure. It
            depends on the unit of the reward.
        standard_errors: the mean of the paired differences in standard errors of that mean.
    """

    result: Result
    deviations: float
    as_plotted: float
    standard_errors: float


def best(results: Iterable[Result]) -> Best:
    """Return the best of some configurations; the first of equals, and any where all diverged."""
    candidates = list(results)
    chosen = min(candidates, key=lambda result: result.loss())
    half = len(chosen.areas) // 2
    held_out = None
    if half >= 2:
        first = min(candidates, key=lambda result: result.loss(slice(half)))
        held_out = estimate(first.areas[half:])
    names = dict.fromkeys(("alpha", "eta", "beta", *chosen.parameters))
    return Best(chosen, held_out, len(candidates), tuple(name for name in names if _at_end(chosen, name, candidates)))


def _at_end(chosen: Result, name: str, among: list[Result]) -> bool:
    tried = {value for result in among if (value := result.value(name)) is not None}
    return len(tried) > 1 and chosen.value(name) in (min(tried), max(tried))


def best_of_each(results: Iterable[Result]) -> list[Best]:
    """Return the best configuration of each algorithm and rule on each problem and place."""
    return [best(group) for group in grouped(results, lambda r: (*_place(r), r.algorithm, r.step_size))]


def sensitivity(experiment: Experiment, results: Iterable[Result]) -> Iterator[tuple[str, list[Best]]]:
    """Yield a label and, for each value along the figure's axis, the best of the other parameters.

    An algorithm without that parameter, or that fixes it, gives one entry. What a panel of the figure is of (problem,
    reward scale, steps, rule) is in the entries.
    """
    along, by = experiment.figure.along, experiment.figure.by

    def line(result: Result) -> tuple[Any, ...]:
        place = (result.problem, *(value for name, value in result.place.items() if name != along))
        return (*place, result.algorithm, result.step_size, result.value(by) if by else None)

    for group in grouped(results, line):
        yield group[0].label(by), [best(same) for same in grouped(group, lambda r: r.value(along))]


def deviations(experiment: Experiment, results: Iterable[Result]) -> list[Deviation]:
    """Return how far every other algorithm is from the baseline, for each value of the figure's `along` and `by`."""
    settings = list(results)
    name = experiment.figure.baseline
    baselines = {
        (*_place(group[0]), group[0].step_size): best(group).result
        for group in grouped((r for r in settings if r.algorithm == name), lambda r: (*_place(r), r.step_size))
    }
    axes = [axis for axis in (experiment.figure.along, experiment.figure.by) if axis]
    others = (r for r in settings if r.algorithm != name and (*_place(r), r.step_size) in baselines)
    groups = grouped(others, lambda r: (*_place(r), r.algorithm, r.step_size, *(r.value(a) for a in axes)))
    return [_deviation(best(group).result, baselines[*_place(group[0]), group[0].step_size]) for group in groups]


def _deviation(result: Result, baseline: Result) -> Deviation:
    if len(result.areas) < 2 or not np.isfinite([*result.areas, *baseline.areas]).all():
        return Deviation(result, math.nan, math.nan, math.nan)
    spread = float(np.std(baseline.areas, ddof=1))
    difference = result.area.mean - baseline.area.mean
    paired = estimate(result.areas - baseline.areas)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.divide((difference, difference, paired.mean), (spread, math.sqrt(spread), paired.standard_error))
    return Deviation(result, *map(float, parts))


def _place(result: Result) -> tuple[Any, ...]:
    return result.problem, *result.place.values()


def grouped(entries: Iterable[Entry], key: Callable[[Entry], Any]) -> list[list[Entry]]:
    """Return entries with equal keys together, in the order in which the keys appear."""
    groups: dict[Any, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return list(groups.values())
