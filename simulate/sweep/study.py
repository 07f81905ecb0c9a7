"""From an experiment to pieces, and from their outcomes to results."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from simulate.compute import fill, missing, stored
from simulate.store import Store
from simulate.sweep.areas import Areas
from simulate.sweep.case import Case, Configuration, Experiment, Measure, Place
from simulate.sweep.extension import extended
from simulate.uncertainty import Estimate, estimate
from simulate.work import VANISHED, Array, RunOutcome
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.parameters import parameters_text
from tdrc_theory.tables.shown import Shown


@dataclass(frozen=True)
class Result:
    """What one configuration gave on one problem.

    Attributes:
        problem, place, algorithm, step_size, configuration: which configuration.
        parameters: the configuration's parameters by name: the algorithm's, then the rule's.
        measure: what is measured.
        areas: (runs,), the measure of each run averaged over the run; inf where it diverged.
        area: their mean with its error.
        diverged_runs: the number of runs whose weights or area left the finite range.
        diverged_at: the first update at which a run's weights did, or None.
        vanished_runs: the number of runs with an error that reads as 0, or has lost digits; see `simulate.work`.
    """

    problem: str
    place: Place
    algorithm: str
    step_size: str
    configuration: Configuration
    parameters: dict[str, Fraction]
    measure: Measure
    areas: Array
    area: Estimate
    diverged_runs: int
    diverged_at: int | None
    vanished_runs: int

    def __repr__(self) -> str:
        used = parameters_text({"alpha": self.configuration.alpha, **self.parameters})
        what = f"{self.algorithm}, {used}, {self.step_size} step size on {self.problem}"
        return f"<{printable(what)}: {self.measure.name} {self.area.mean:.4g} over {counted(len(self.areas), 'run')}>"

    def value(self, name: str) -> Any:
        """Return the value of a parameter, exact; None where the algorithm or rule has none of that name."""
        if name == "alpha":
            return self.configuration.alpha
        return self.place[name] if name in self.place else self.parameters.get(name)

    def loss(self, runs: slice = slice(None)) -> float:
        """Return what is the lower the better it did in these runs; inf where one diverged."""
        mean = float(np.mean(self.areas[runs]))
        return math.inf if not math.isfinite(mean) else -mean if self.measure.larger_is_better else mean


@dataclass(frozen=True, eq=False, repr=False)
class Study(Shown):
    """What a sweep gave.

    Attributes:
        experiment: what was asked for.
        cases, results: what was run, and a list of results for each case, one a configuration.
        computed, from_store: learning curves computed now, and those that the store had.
    """

    experiment: Experiment
    cases: list[Case]
    results: list[list[Result]]
    computed: int
    from_store: int

    def all(self) -> list[Result]:
        """Return the results of all cases."""
        return [result for of_case in self.results for result in of_case]


def sweep(experiment: Experiment, store: Store, *, workers: int | None = None, cluster: str | None = None) -> Study:
    """Run an experiment through a store; see `simulate.compute.compute` for the arguments."""
    results, computed = outcomes(experiment.cases(), store, workers=workers, cluster=cluster, title=experiment.name)
    cases = [case for case, _ in results]
    total = sum(case.piece.width * len(case.piece.runs) for case in cases)
    return Study(experiment, cases, [_results(case, outcome) for case, outcome in results], computed, total - computed)


def outcomes(
    cases: Iterable[Case], store: Store, *, workers: int | None = None, cluster: str | None = None, title: str
) -> tuple[list[tuple[Case, RunOutcome]], int]:
    """Run cases through a store, and those whose grids extend with more of alpha; see `simulate.compute.compute`.

    Returns:
        What each case gave, with the grid that it has in the end, and how many learning curves were computed.
    """
    cases_, computed = list(cases), 0
    outcomes_: dict[int, RunOutcome] = {}
    while waiting := [number for number in range(len(cases_)) if number not in outcomes_]:
        tasks = list(missing([cases_[number].piece for number in waiting], store))
        fill(tasks, store, workers=workers, cluster=cluster, title=title)
        computed += sum(task.width * len(task.runs) for task in tasks)
        for number in waiting:
            outcome = stored(cases_[number].piece, store)
            more = extended(cases_[number], Areas(cases_[number].configurations, outcome.area))
            if more is None:
                outcomes_[number] = outcome
            else:
                cases_[number] = more
    return [(case, outcomes_[number]) for number, case in enumerate(cases_)], computed


def _results(case: Case, outcome: RunOutcome) -> list[Result]:
    columns = zip(case.configurations, outcome.area.T, outcome.diverged.T, strict=True)
    return [_result(case, *column) for column in columns]


def _result(case: Case, configuration: Configuration, areas: Array, diverged: Array) -> Result:
    left = diverged[diverged >= 0]
    return Result(
        problem=case.problem,
        place=case.place,
        algorithm=case.algorithm,
        step_size=case.step_size,
        configuration=configuration,
        parameters=dict(configuration.parameters),
        measure=case.measure,
        areas=areas,
        area=estimate(areas),
        diverged_runs=int(np.count_nonzero(~np.isfinite(areas))),
        diverged_at=int(left.min()) if len(left) else None,
        vanished_runs=int(np.count_nonzero(diverged == VANISHED)),
    )
