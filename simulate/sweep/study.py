"""From an experiment to pieces, and from their outcomes to results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simulate.compute import fill, missing, stored
from simulate.environment import Environment, environment
from simulate.kernels.lanes import Lanes
from simulate.piece import Array, Outcome, Piece
from simulate.step_sizes import StepSize
from simulate.store import Store
from simulate.sweep.experiment import BATCH, Experiment, Setting
from simulate.uncertainty import Estimate, estimate
from tdrc_theory.algorithm import Algorithm
from tdrc_theory.problem import Problem

CURVE = 100
"""Points of a learning curve that are kept, about."""


class Case(NamedTuple):
    """One problem, scaled, and number of updates, with one algorithm and rule in all of their configurations."""

    problem: str
    reward_scale: Fraction
    algorithm: Algorithm
    rule: StepSize
    settings: list[Setting]
    piece: Piece


@dataclass(frozen=True)
class Result:
    """What one configuration gave on one problem.

    Attributes:
        problem, reward_scale, steps, algorithm, step_size, setting: which configuration.
        parameters: the rule's parameters by name.
        areas: (runs,), the RMSPBE of each run averaged over its updates; inf where it diverged.
        area: their mean with its error.
        diverged_runs: the number of runs whose weights or area left the finite range.
        diverged_at: the first update at which a run's weights did, or None.
    """

    problem: str
    reward_scale: Fraction
    steps: int
    algorithm: str
    step_size: str
    setting: Setting
    parameters: dict[str, Fraction]
    areas: Array
    area: Estimate
    diverged_runs: int
    diverged_at: int | None

    def value(self, name: str) -> Any:
        """Return the value of a parameter, exact; None where the algorithm or rule has none of that name."""
        if name in ("alpha", "eta", "beta"):
            return getattr(self.setting, name)
        if name in ("steps", "reward_scale"):
            return getattr(self, name)
        return self.parameters.get(name)


def cases(experiment: Experiment) -> Iterator[Case]:
    """Yield what an experiment runs."""
    runs = range(experiment.runs)
    for problem, factor, steps in experiment.settled():
        there = _environment(experiment, problem, steps)
        points = len(range(1, steps + 1, experiment.every))
        for algorithm, rule, settings in experiment.learned():
            piece = Piece(
                environment=there,
                algorithm=algorithm,
                rule=rule,
                lanes=_lanes(settings),
                runs=runs,
                first=1,
                every=experiment.every,
                thin=-(-points // CURVE),
            )
            yield Case(problem.name, factor, algorithm, rule, settings, piece)


class Study(NamedTuple):
    """What a sweep gave.

    Attributes:
        experiment: what was asked for.
        cases, results: what was run, and a list of results for each case, one a configuration.
        computed, found: learning curves computed now, and found in the store.
    """

    experiment: Experiment
    cases: list[Case]
    results: list[list[Result]]
    computed: int
    found: int

    def all(self) -> list[Result]:
        """Return the results of all cases."""
        return [result for of_case in self.results for result in of_case]


def sweep(experiment: Experiment, store: Store, *, workers: int | None = None, cluster: str | None = None) -> Study:
    """Run an experiment through a store; see `simulate.compute.compute` for the arguments."""
    made = list(cases(experiment))
    tasks = list(missing([case.piece for case in made], store))
    fill(tasks, store, workers=workers, cluster=cluster, title=experiment.name)
    results = [_results(case, stored(case.piece, store)) for case in made]
    total = sum(case.piece.width * len(case.piece.runs) for case in made)
    computed = sum(task.piece.width * len(task.piece.runs) for task in tasks)
    return Study(experiment, made, results, computed, total - computed)


def _results(case: Case, outcome: Outcome) -> list[Result]:
    return [
        _result(case, setting, outcome.area[:, i], outcome.diverged[:, i]) for i, setting in enumerate(case.settings)
    ]


def _result(case: Case, setting: Setting, areas: Array, diverged: Array) -> Result:
    left = diverged[diverged >= 0]
    return Result(
        problem=case.problem,
        reward_scale=case.reward_scale,
        steps=case.piece.environment.steps,
        algorithm=case.algorithm.name,
        step_size=case.rule.name,
        setting=setting,
        parameters=dict(zip(case.rule.parameters, setting.parameters, strict=True)),
        areas=areas,
        area=estimate(areas),
        diverged_runs=int(np.count_nonzero(~np.isfinite(areas))),
        diverged_at=int(left.min()) if len(left) else None,
    )


def _lanes(settings: list[Setting]) -> Lanes:
    """Return the configurations as floats; what an algorithm lacks is 0, so that its key does not depend on it."""
    parameters = [[float(value) for value in setting.parameters] for setting in settings]
    return Lanes(
        alpha=np.array([float(setting.alpha) for setting in settings]),
        eta=np.array([float(setting.eta or 0) for setting in settings]),
        beta=np.array([float(setting.beta or 0) for setting in settings]),
        parameters=np.array(parameters).reshape(len(settings), -1).T,
    )


def _environment(experiment: Experiment, problem: Problem, steps: int) -> Environment:
    of_batch = {"batch": experiment.batch, "data": experiment.data} if experiment.sampling == BATCH else {}
    return environment(problem, experiment.sampling, steps=steps, seed=experiment.seed, **of_batch)
