"""An experiment of a paper, run and predicted: each configuration's mean error beside what bounds its expectation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from simulate.error_measure import value_error_measure
from simulate.paper.conclusions import EXPERIMENTS
from simulate.store import Store
from simulate.sweep.experiment import BATCH, RMSVE, Case, Configuration, PredictionExperiment
from simulate.sweep.experiment_file import find_experiment
from simulate.sweep.study import outcomes
from tdrc_theory.cli.finite import finite_list
from tdrc_theory.errors import BadNumber, BadOption, TheoryError
from tdrc_theory.exact.number import number_text
from tdrc_theory.papers import PAPERS, find_paper
from tdrc_theory.problem import Problem
from tdrc_theory.tables.table import Table, some_rows
from verify.predict.prediction import Prediction, check_horizon, predicted, prepared
from verify.predict.reduced_recursion import ReducedRecursion

TITLES = ("updates", "mean of runs", "std. error", "predicted to be in")


@dataclass(frozen=True, eq=False, kw_only=True)
class Beside:
    """One configuration: its runs, and what is predicted of them.

    Attributes:
        case, configuration: which configuration.
        mean, standard_error: (points,), over the runs.
        least, most: (predicted,), bounds of the expectation at the first points, as many as are predicted.
        why: why there are no more of them; empty where all points are predicted.
    """

    case: Case
    configuration: Configuration
    mean: np.ndarray
    standard_error: np.ndarray
    least: np.ndarray
    most: np.ndarray
    why: str

    @property
    def title(self) -> str:
        """Return which configuration it is."""
        numbers = [("alpha", self.configuration.alpha), *self.configuration.parameters]
        text = ", ".join(f"{name} = {number_text(value)}" for name, value in numbers)
        return f"{self.case.algorithm}, {text} on {self.case.problem}, {self.case.measure.name}"


def named_experiment(text: str) -> PredictionExperiment | None:
    """Return the experiment that PAPER:NAME names, PAPER being built in or a folder; None for any other text.

    Raises:
        TheoryError: there is no such experiment, or it is none of prediction.
    """
    paper, colon, name = text.rpartition(":")
    if not colon or (paper not in PAPERS and not (Path(paper) / "paper.toml").is_file()):
        return None
    result = find_experiment(str(find_paper(paper).folder / EXPERIMENTS / f"{name}.toml"))
    if not isinstance(result, PredictionExperiment):
        raise BadOption(f"{text}: is an experiment of control, of which nothing is predicted")
    return result


def compared(experiment: PredictionExperiment, *, workers: int | None = None) -> list[Beside]:
    """Run every configuration of an experiment, and predict it as far as it can be."""
    with Store(None) as store:
        results, _ = outcomes(experiment.cases(), store, workers=workers, title=experiment.name)
    asked = [(problem, algorithm) for problem, *_ in experiment.settled() for algorithm, *_ in experiment.learned()]
    pairs = []
    for (case, outcome), (problem, algorithm) in zip(results, asked, strict=True):
        for lane, configuration in enumerate(case.configurations):
            least, most, why = _bounds(experiment, case, configuration, problem, algorithm)
            means = {"mean": outcome.mean[:, lane], "standard_error": outcome.standard_error()[:, lane]}
            pairs.append(Beside(case=case, configuration=configuration, least=least, most=most, why=why, **means))
    return pairs


def _bounds(
    experiment: PredictionExperiment, case: Case, configuration: Configuration, problem: Problem, algorithm: Any
) -> tuple[np.ndarray, np.ndarray, str]:
    """Return bounds of the expected error at the first points, and why there are no more."""
    none = np.array([])
    if case.step_size != "constant":
        return none, none, f"with {case.step_size} step sizes learning is no linear recursion"
    if experiment.sampling == BATCH:
        return none, none, "mini-batches from data that are drawn once are not predicted"
    points, why = list(case.points), ""
    used = dict(configuration.parameters)
    try:
        reduced = prepared(problem, algorithm, parameters=used, sampling=experiment.sampling, steps=points[-1])
        try:
            check_horizon(reduced, points[-1])
        except BadOption as error:
            why = str(error).removeprefix("--steps: ")
            points = [point for point in points if point <= (reduced.recursion.horizon or 0)]
        if not points:
            return none, none, why
        every = math.gcd(points[0], case.points.step)
        result, unheld = _held(reduced, configuration.alpha, points, every)
    except TheoryError as error:
        return none, none, str(error)
    why, points = unheld or why, [point for point in points if point <= result.steps]
    places = np.array(points) // every
    least, most = _of_values(result) if experiment.measure is RMSVE else (result.rmspbe_least, result.rmspbe_most)
    return least[places], most[places], why


def _held(reduced: ReducedRecursion, alpha: Fraction, points: Sequence[int], every: int) -> tuple[Prediction, str]:
    """Return the prediction of as many points as floats hold, halving their number, and why there are no more."""
    why = ""
    while True:
        try:
            return predicted(reduced, alpha, points[-1], every, covariances=True), why
        except BadNumber as error:
            points, why = points[: len(points) // 2], str(error)
            if not points:
                raise


def _of_values(prediction: Prediction) -> tuple[np.ndarray, np.ndarray]:
    """Return bounds of E[RMSVE], by Jensen's inequality: the error of the mean weights, and the root of E[MSVE]."""
    measure = value_error_measure(prediction.problem)
    assert prediction.covariance is not None, "asked for"
    with np.errstate(all="ignore"):
        least = measure(prediction.mean_weights.T)
        spread = np.einsum("ri,nij,rj->n", measure.residual, prediction.covariance, measure.residual)
        most = np.sqrt(least**2 + np.maximum(spread, 0))
    return least, np.where(np.isnan(most), np.inf, most)


def plain_text(experiment: PredictionExperiment, pairs: Sequence[Beside]) -> str:
    """Return a table for each configuration: its runs and its prediction at some of the points."""
    text = "expected errors are predicted in floats"
    head = f"{experiment.name}: {experiment.runs} runs, seed {experiment.seed}; {text}"
    blocks = []
    for one in pairs:
        why = [f"no {'further ' if len(one.least) else ''}prediction: {one.why}"] if one.why else []
        blocks.append("\n".join([one.title, table(one).text(), *why]))
    return "\n\n".join([head, *blocks]) + "\n"


def table(one: Beside) -> Table:
    """Return some of a configuration's points."""
    shown = sorted({*some_rows(len(one.mean)), *([len(one.least) - 1] if len(one.least) else [])})
    return Table(one.title, TITLES, [_row(one, place) for place in shown])


def _row(one: Beside, place: int) -> tuple[str, ...]:
    bounds = f"[{one.least[place]:.4g}, {one.most[place]:.4g}]" if place < len(one.least) else ""
    return (str(one.case.points[place]), f"{one.mean[place]:.4g}", f"{one.standard_error[place]:.2g}", bounds)


def to_json(experiment: PredictionExperiment, pairs: Sequence[Beside]) -> Mapping[str, Any]:
    """Return everything as JSON types; null is past the range of floats."""
    return {
        "experiment": experiment.name,
        "runs": experiment.runs,
        "seed": experiment.seed,
        "configurations": [
            {
                "problem": one.case.problem,
                "algorithm": one.case.algorithm,
                "alpha": str(one.configuration.alpha),
                "parameters": {name: str(Fraction(value)) for name, value in one.configuration.parameters},
                "measure": one.case.measure.column,
                "updates": list(one.case.points),
                "mean": finite_list(one.mean),
                "standard_error": finite_list(one.standard_error),
                "predicted": {"least": finite_list(one.least), "most": finite_list(one.most), "why_no_more": one.why},
            }
            for one in pairs
        ],
    }
