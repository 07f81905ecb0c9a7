"""An experiment: problems, learners with their grids, and how long and how often they run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from simulate.kernels.kernel_residual_gradient import smoothing_of
from simulate.step_sizes.step_size import StepSize
from tdrc_theory.algorithm import Algorithm
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.exact.number import exact_float
from tdrc_theory.problem import Problem

BATCH = "batch"
SAMPLINGS = ("markov", "iid", BATCH)
AXES = ("alpha", "eta", "beta", "steps", "reward_scale")
"""What a figure can be drawn along, besides the parameters of step-size rules."""

Grid = tuple[Fraction, ...]


class Setting(NamedTuple):
    """One configuration of an algorithm and a rule; eta and beta are None where the algorithm has none."""

    alpha: Fraction
    eta: Fraction | None
    beta: Fraction | None
    parameters: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Learners:
    """Algorithms and rules that share a grid.

    Attributes:
        algorithms, rules: every algorithm is run with every rule.
        alpha, eta, beta: the grid; an algorithm that fixes or lacks one ignores it.
        parameters: grids of the rules' own parameters, by name; a rule's default where there is none.
    """

    algorithms: tuple[Algorithm, ...]
    rules: tuple[StepSize, ...]
    alpha: Grid
    eta: Grid
    beta: Grid
    parameters: Mapping[str, Grid]

    def settings(self, algorithm: Algorithm, rule: StepSize) -> list[Setting]:
        """Return the configurations of one of the algorithms with one of the rules, each once, in the grid's order."""
        own = [self.parameters.get(name, (exact_float(default),)) for name, default in rule.parameters.items()]
        found = {
            Setting(alpha, *_used(algorithm, eta, beta), parameters): None
            for alpha, eta, beta in itertools.product(self.alpha, self.eta, self.beta)
            for parameters in itertools.product(*own)
        }
        return list(found)


class Place(NamedTuple):
    """A problem of an experiment, with steps of its own or None for the experiment's."""

    problem: Problem
    steps: tuple[int, ...] | None


class Drawn(NamedTuple):
    """What the figure shows.

    Attributes:
        along: the horizontal axis; at each of its values the best of the other parameters counts.
        by: a parameter with a curve of its own for each value; None for a curve an algorithm and rule.
        baseline: name of the algorithm from which deviations are shown instead of areas; None for areas.
    """

    along: str
    by: str | None
    baseline: str | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Experiment:
    """What a sweep runs; everything that its numbers depend on is in here.

    Attributes:
        name: one line.
        places: the problems.
        learners: algorithms and rules with their grids.
        sampling: `markov`, `iid`, or `batch` (mini-batches from data that are drawn once a run).
        batch, data: of `batch`: transitions an update averages, and transitions in the data of a run.
        steps: updates of a run; with several, each is an experiment of its own, from the start.
        runs, seed: run i of a seed has the same experience in every configuration.
        every: the error is read after updates 1, 1 + every, ...
        reward_scale: factors of all rewards.
        drawn: what the figure shows.
    """

    name: str
    places: tuple[Place, ...]
    learners: tuple[Learners, ...]
    sampling: str
    batch: int
    data: int
    steps: tuple[int, ...]
    runs: int
    seed: int
    every: int
    reward_scale: Grid
    drawn: Drawn

    def learned(self) -> Iterator[tuple[Algorithm, StepSize, list[Setting]]]:
        """Yield every algorithm with every rule, and its configurations, each once even where grids overlap."""
        found: dict[tuple[str, str], tuple[Algorithm, StepSize, dict[Setting, None]]] = {}
        for learners in self.learners:
            for algorithm, rule in itertools.product(learners.algorithms, learners.rules):
                entry = found.setdefault((algorithm.name, rule.name), (algorithm, rule, {}))
                entry[2].update(dict.fromkeys(learners.settings(algorithm, rule)))
        for algorithm, rule, settings in found.values():
            yield algorithm, rule, list(settings)

    def settled(self) -> Iterator[tuple[Problem, Fraction, int]]:
        """Yield every problem, its rewards scaled, with the factor and a number of updates."""
        for place in self.places:
            for factor in self.reward_scale:
                scaled = place.problem if factor == 1 else _scaled(place.problem, factor)
                for steps in place.steps or self.steps:
                    yield scaled, factor, steps


def _used(algorithm: Algorithm, eta: Fraction, beta: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """Return eta and beta as an algorithm uses them."""
    if smoothing_of(algorithm):
        return None, None
    try:
        used_beta, used_eta = algorithm.parameters(beta, eta)
    except BadAlgorithm:  # it runs all the same, and what it uses is not known
        return eta, beta
    return used_eta, used_beta


def _scaled(problem: Problem, factor: Fraction) -> Problem:
    """Return the problem with all of its rewards times a factor."""
    return Problem(
        name=problem.name,
        gamma=problem.gamma,
        features=problem.features,
        transitions=[t._replace(reward=t.reward * factor) for t in problem.transitions],
        behaviour=problem.behaviour,
        target=problem.target,
        terminal=problem.terminal,
        start=problem.start,
        state_weights=problem.state_weights,
        initial_weights=problem.initial_weights,
        independent_only=problem.independent_only,
        notes=problem.notes,
    )
