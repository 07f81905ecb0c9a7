"""An experiment run through a store: what its grids gave, the best of them, and grids that go on until it is inside."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from simulate.compute import fill, missing, stored
from simulate.piece import Piece
from simulate.store import Store
from simulate.sweep.experiment import Case, Configuration, Experiment, lanes_of
from simulate.uncertainty import estimate
from simulate.work import VANISHED, Array, RunOutcome
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.parameters import parameters_text
from tdrc_theory.tables.shown import Shown


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

    def __init__(self, case: Case, configuration: Configuration, areas: Array, diverged: Array) -> None:
        self.problem, self.place, self.measure = case.problem, case.place, case.measure
        self.algorithm, self.step_size = case.algorithm, case.step_size
        self.configuration, self.parameters = configuration, dict(configuration.parameters)
        self.areas, self.area = areas, estimate(areas)
        left = diverged[diverged >= 0]
        self.diverged_runs = int(np.count_nonzero(~np.isfinite(areas)))
        self.diverged_at = int(left.min()) if len(left) else None
        self.vanished_runs = int(np.count_nonzero(diverged == VANISHED))

    def __repr__(self) -> str:
        used = parameters_text({"alpha": self.configuration.alpha, **self.parameters})
        what = f"{self.algorithm}, {used}, {self.step_size} step size on {self.problem}"
        return f"<{printable(what)}: {self.measure.name} {self.area.mean:.4g} over {counted(len(self.areas), 'run')}>"

    def value(self, name: str) -> Any:
        """Return the value of a parameter, exact; None where the algorithm or rule has none of that name."""
        return self.place[name] if name in self.place else self.configuration.value(name)

    def label(self, by: str | None) -> str:
        """Return the algorithm, with its value of one more parameter where it has that."""
        value = self.value(by) if by else None
        return self.algorithm if value is None else f"{self.algorithm}, {by} = {value}"

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
    of_cases = [
        [Result(case, *of) for of in zip(case.configurations, outcome.area.T, outcome.diverged.T, strict=True)]
        for case, outcome in results
    ]
    return Study(experiment, cases, of_cases, computed, total - computed)


def outcomes(
    cases: Iterable[Case], store: Store, *, workers: int | None = None, cluster: str | None = None, title: str
) -> tuple[list[tuple[Case, RunOutcome]], int]:
    """Run cases through a store, and those whose grids extend with more of alpha; see `simulate.compute.compute`.

    Returns:
        What each case gave, with the grid that it has in the end, and how many learning curves were computed.
    """
    waiting, done, computed = dict(enumerate(cases)), dict[int, tuple[Case, RunOutcome]](), 0
    while waiting:
        tasks = list(missing([case.piece for case in waiting.values()], store))
        fill(tasks, store, workers=workers, cluster=cluster, title=title)
        computed += sum(task.width * len(task.runs) for task in tasks)
        done |= {number: (case, stored(case.piece, store)) for number, case in waiting.items()}
        grown = {number: extended(*done[number]) for number in waiting}
        waiting = {number: case for number, case in grown.items() if case is not None}
    return list(done.values()), computed


class Areas:
    """The area under the learning curve of every run of every configuration.

    Attributes:
        configurations: L configurations.
        area: (runs, L), the RMSPBE of a run averaged over the points read; inf where it diverged.
        means: (L,), the mean over the runs, inf where one of them diverged.
        best: the number of the configuration with the lowest mean.
        configuration, mean, runs: that configuration, its mean, and its areas, (runs,).
    """

    def __init__(self, configurations: Sequence[Configuration], area: Array) -> None:
        self.configurations, self.area = configurations, area
        with np.errstate(over="ignore"):
            self.means: Array = area.mean(axis=0)
        self.best = int(np.argmin(self.means))
        self.configuration, self.mean = configurations[self.best], float(self.means[self.best])
        self.runs: Array = area[:, self.best]

    def values(self, axis: str) -> list[Fraction]:
        """Return the values of alpha or a parameter, in increasing order; none where there is no such parameter."""
        return sorted({value for one in self.configurations if (value := one.value(axis)) is not None})

    def at(self, axis: str, value: Fraction) -> Areas:
        """Return the configurations in which an axis has a value."""
        kept = [i for i, one in enumerate(self.configurations) if one.value(axis) == value]
        return Areas([self.configurations[i] for i in kept], self.area[:, kept])

    @property
    def edge(self) -> int:
        """Return -1 where the best alpha is the smallest that was tried, 1 where it is the largest, 0 inside."""
        alphas = self.values("alpha")
        return {alphas[0]: -1, alphas[-1]: 1}.get(self.configuration.alpha, 0)


ADDED = 2
"""Values by which a grid of alpha is extended at a time, each as far from the next as the two at that end are."""
LEAST, MOST = Fraction(1, 2**16), Fraction(2**10)
"""Where extending ends: an algorithm whose best alpha is there is at its best without learning."""


def extended(case: Case, outcome: RunOutcome) -> Case | None:
    """Return a case with more of alpha at an end where a best one is, None where there is to be no more."""
    areas = Areas(case.configurations, outcome.area)
    if not case.extends or len(alphas := areas.values("alpha")) < 2:
        return None
    bests = [areas] if case.along is None else [areas.at(case.along, v) for v in areas.values(case.along)]
    edges = {best.edge for best in bests}
    low, high = alphas[0], alphas[-1]
    below = [low * (low / alphas[1]) ** n for n in range(ADDED, 0, -1)] if -1 in edges and low > LEAST else []
    above = [high * (high / alphas[-2]) ** n for n in range(1, ADDED + 1)] if 1 in edges and high < MOST else []
    if not below and not above:
        return None
    rest = dict.fromkeys(configuration.parameters for configuration in case.configurations)
    added = [[Configuration(*each) for each in itertools.product(part, rest)] for part in (below, above)]
    configurations = [*added[0], *case.configurations, *added[1]]
    assert isinstance(case.piece, Piece), "of prediction"
    piece = replace(case.piece, lanes=lanes_of(case.piece.rule, configurations))
    return case._replace(configurations=configurations, piece=piece)
