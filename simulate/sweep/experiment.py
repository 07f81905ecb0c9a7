"""Experiments: configurations, what is measured, a figure; of prediction, learners on problems; of control, agents."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from simulate.control.algorithms import ControlAlgorithm
from simulate.control.history import COUNTS_STEPS, AgentSettings
from simulate.control.linear.agent import LinearAgent, LinearSettings, linear_settings
from simulate.control.piece import ControlPiece
from simulate.control.settings import settings
from simulate.environment import Environment, environment
from simulate.error_measure import ErrorMeasure, error_measure, value_error_measure
from simulate.kernels import Lanes, lanes, used_parameters
from simulate.legacy_stream import LegacyStream
from simulate.piece import Piece
from simulate.step_sizes.step_size import StepSize
from simulate.work import Work
from tdrc_theory.cli.command import printable
from tdrc_theory.errors import BadExperiment
from tdrc_theory.exact.number import exact_float, normal_float, number_text
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.problem.sampling import remarks, sampling_warnings

Place = Mapping[str, Any]
"""What a problem is run with, by name, such as steps; shown where it differs."""


class Configuration(NamedTuple):
    """One configuration of an algorithm and a rule; `parameters` are those of both, by name, with their values."""

    alpha: Fraction
    parameters: tuple[tuple[str, Fraction], ...]

    def value(self, name: str) -> Fraction | None:
        """Return alpha or a parameter; None where there is none of that name."""
        return self.alpha if name == "alpha" else dict(self.parameters).get(name)


class Measure(NamedTuple):
    """What is measured of a run.

    Attributes:
        name: shown.
        column: in tables.
        axis: of a figure, of its average over a run.
        larger_is_better: whether the best configuration is that with the largest average.
        log: base of the axis, None for a linear one.
    """

    name: str
    column: str
    axis: str
    larger_is_better: bool
    log: int | None = None


class Case(NamedTuple):
    """One problem with one algorithm and rule in all of their configurations.

    Attributes:
        problem, place: what is learnt.
        algorithm, step_size: names.
        configurations: the configurations, a lane of the piece each.
        piece: what is computed.
        measure: what is measured.
        counted: what the points of a learning curve count, such as updates.
        points: of the learning curve.
        extends: whether the grid of alpha goes on until the best is inside it, see `simulate.sweep.study`.
        along: a parameter of which the best at each value is to be inside; None where only the best of all is.
    """

    problem: str
    place: Place
    algorithm: str
    step_size: str
    configurations: list[Configuration]
    piece: Work
    measure: Measure
    counted: str
    points: range
    extends: bool = False
    along: str | None = None


class FigureAxes(NamedTuple):
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
class Experiment(ABC):
    """A parameter study; everything that its numbers depend on is in it.

    Attributes:
        name: one line.
        runs, seed: run i of a seed has the same random numbers in every configuration.
        figure: what it shows.
    """

    name: str
    runs: int
    seed: int
    figure: FigureAxes

    @property
    def remarks(self) -> list[str]:
        """Return what a reader should know of what is learnt, one a line."""
        return []

    @property
    def how(self) -> list[str]:
        """Return how it is run, in a few words each."""
        return []

    @property
    @abstractmethod
    def averaged(self) -> str:
        """Return over what the measure is averaged in a run."""

    @property
    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Return how it is run, as JSON types."""

    @abstractmethod
    def cases(self) -> Iterator[Case]:
        """Yield what is run, each configuration once even where grids overlap."""


BATCH = "batch"
AXES = ("alpha", "eta", "beta", "steps", "reward_scale")
"""What a figure can be drawn along, besides the parameters of algorithms and of step-size rules."""

CURVE = 100
"""Points of a learning curve that are kept, about."""

RMSPBE = Measure("RMSPBE", "rmspbe", "area under the RMSPBE curve", larger_is_better=False, log=10)
RMSVE = Measure("RMSVE", "rmsve", "area under the curve of the values' root mean squared error", False, log=10)
MEASURES = {"projected-bellman-error": RMSPBE, "value-error": RMSVE}
"""What an experiment can measure, by the names that files have for it."""

Grid = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Learners:
    """Algorithms and rules that share a grid.

    Attributes:
        algorithms, rules: every algorithm is run with every rule.
        alpha: the step sizes.
        grids: of parameters of the algorithms and of the rules, by name; an algorithm that fixes or lacks one ignores
            it, and where there is none a default counts.
        along: a parameter of which the best at each value matters to a grid of alpha that extends; None for the best.
    """

    algorithms: tuple[Algorithm, ...]
    rules: tuple[StepSize, ...]
    alpha: Grid
    grids: Mapping[str, Grid]
    along: str | None = None

    def configurations(self, algorithm: Algorithm, rule: StepSize) -> list[Configuration]:
        """Return the configurations of one of the algorithms with one of the rules, each once, in the grid's order."""
        own = used_parameters(algorithm, {})
        tried = {name: grid for name, grid in self.grids.items() if name in own}
        of_rule = {name: self.grids.get(name, (exact_float(default),)) for name, default in rule.parameters.items()}
        distinct: dict[Configuration, None] = {}
        for alpha, *values in itertools.product(self.alpha, *tried.values()):
            used = used_parameters(algorithm, dict(zip(tried, values, strict=True)))
            for chosen in itertools.product(*of_rule.values()):
                distinct[Configuration(alpha, (*used.items(), *zip(of_rule, chosen, strict=True)))] = None
        return list(distinct)


class ProblemWithSteps(NamedTuple):
    """A problem of an experiment.

    Attributes:
        problem: which.
        steps: its own, or None for the experiment's.
        error_weights: d(s) in its RMSPBE, which need not sum to 1; None for its own.
    """

    problem: Problem
    steps: tuple[int, ...] | None
    error_weights: tuple[Fraction, ...] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class PredictionExperiment(Experiment):
    """A parameter study of prediction.

    Attributes:
        places: the problems.
        learners: algorithms and rules with their grids.
        sampling: `markov`, `iid`, or `batch` (mini-batches from data that are drawn once a run).
        batch, data_set: of `batch`: transitions an update averages, and transitions in the data of a run.
        steps: updates of a run; with several, each is an experiment of its own, from the start.
        replays: whether experience is that of the paper's own runs, which no seed changes.
        measure: the error that is read, RMSPBE or RMSVE.
        first, every: it is read after updates first, first + every, ...
        reward_scale: factors of all rewards.
        curves: whether points of the learning curves are kept; without them a store is small.
        extend_alpha: whether the grids of alpha go on until the best is inside, see `simulate.sweep.study`.
    """

    places: tuple[ProblemWithSteps, ...]
    learners: tuple[Learners, ...]
    sampling: str
    batch: int
    data_set: int
    steps: tuple[int, ...]
    measure: Measure
    first: int
    every: int
    reward_scale: Grid
    replays: bool = False
    curves: bool = True
    extend_alpha: bool = False

    @property
    def averaged(self) -> str:
        """Return over what the error of a run is averaged."""
        return f"updates {self.first}, {self.first + self.every}, {self.first + 2 * self.every}, ..."

    @property
    def how(self) -> list[str]:
        """Return where experience comes from."""
        batches = f"{self.batch} of {self.data_set:,} transitions an update"
        return [f"{self.sampling} sampling", *([batches] if self.sampling == BATCH else [])]

    @property
    def data(self) -> dict[str, Any]:
        """Return the same, and where the error is read, as JSON types."""
        return {
            "sampling": self.sampling,
            "first": self.first,
            "every": self.every,
            "problems": [place.problem.to_json() for place in self.places],
            "sampling_warnings": {
                place.problem.name: list(sampling_warnings(place.problem, self.sampling)) for place in self.places
            },
        }

    @property
    def remarks(self) -> list[str]:
        """Return what a reader should know of the problems."""
        problems = [place.problem for place in self.places]
        return [f"{line} ({printable(p.name)})" for p in problems for line in remarks(p, self.sampling)]

    def cases(self) -> Iterator[Case]:
        """Yield every problem with every algorithm and rule."""
        along = {(a.name, r.name): of.along for of in self.learners for a in of.algorithms for r in of.rules}
        for problem, factor, steps in self.settled():
            there = self._environment(problem, steps)
            thin = -(-len(range(self.first, steps + 1, self.every)) // CURVE) if self.curves else steps
            for algorithm, rule, configurations in self.learned():
                own, runs = lanes_of(rule, configurations), range(self.runs)
                piece = Piece(there, algorithm, rule, own, runs=runs, first=self.first, every=self.every, thin=thin)
                place = {"reward_scale": factor, "steps": steps}
                which = problem.name, place, algorithm.name, rule.name
                extends = self.extend_alpha, along[algorithm.name, rule.name]
                yield Case(*which, configurations, piece, self.measure, "updates", piece.points, *extends)

    def _environment(self, problem: Problem, steps: int) -> Environment:
        weights = {place.problem.name: place.error_weights for place in self.places}[problem.name]
        of_batch = {"batch": self.batch, "data": self.data_set} if self.sampling == BATCH else {}
        if self.replays:
            there = replayed(problem, steps, weights)
        else:
            there = environment(problem, self.sampling, steps=steps, seed=self.seed, **of_batch)
            there = there if weights is None else weighted(there, problem, weights)
        if self.measure is RMSVE:
            return replace(there, error=value_error_measure(problem), key=f"{there.key}\nerror of values")
        return there

    def learned(self) -> Iterator[tuple[Algorithm, StepSize, list[Configuration]]]:
        """Yield every algorithm with every rule, and its configurations, each once even where grids overlap."""
        grids: dict[tuple[str, str], tuple[Algorithm, StepSize, dict[Configuration, None]]] = {}
        for learners in self.learners:
            for algorithm, rule in itertools.product(learners.algorithms, learners.rules):
                entry = grids.setdefault((algorithm.name, rule.name), (algorithm, rule, {}))
                entry[2].update(dict.fromkeys(learners.configurations(algorithm, rule)))
        for algorithm, rule, configurations in grids.values():
            yield algorithm, rule, list(configurations)

    def settled(self) -> Iterator[tuple[Problem, Fraction, int]]:
        """Yield every problem, its rewards scaled, with the factor and a number of updates."""
        for place in self.places:
            for factor in self.reward_scale:
                problem = place.problem
                if factor != 1:
                    scaled = (t._replace(reward=t.reward * factor) for t in problem.transitions)
                    problem = replace(problem, transitions=tuple(scaled))
                yield from ((problem, factor, steps) for steps in place.steps or self.steps)


def lanes_of(rule: StepSize, configurations: list[Configuration]) -> Lanes:
    """Return the configurations, which have the same parameters, as floats."""
    columns = {
        name: [normal_float(dict(one.parameters)[name], name) for one in configurations]
        for name, _ in configurations[0].parameters
    }
    learner = {name: columns.pop(name) for name in list(columns) if name not in rule.parameters}
    return lanes(rule, [normal_float(one.alpha, "alpha") for one in configurations], learner=learner, **columns)


EXPERIENCES = ("fresh", "replayed")
"""Where the random numbers of a run are from: its seed, or the paper's own streams (`LegacyStream`)."""


def replayed(problem: Problem, steps: int, error_weights: Sequence[Fraction] | None = None) -> Environment:
    """Return a problem with the experience of the paper's own runs, see `LegacyStream`.

    By default its error weights, see `weighted`, are its own d, exact.
    """
    stream, there = LegacyStream(problem, steps), environment(problem, steps=steps)
    if error_weights is None:
        there = replace(there, key=f"{there.key}\nexact weights")
    else:
        there = weighted(there, problem, error_weights)
    return replace(there, trajectory=stream, key=f"{there.key}\n{stream.key}")


def weighted(there: Environment, problem: Problem, weights: Sequence[Fraction]) -> Environment:
    """Return an environment whose RMSPBE is under other state weights d, which need not sum to 1.

    The RMSPBE grows with the root of their sum.
    """
    total = sum(weights, Fraction(0))
    measure, root = error_measure(with_error_weights(problem, weights)), math.sqrt(total)
    error = ErrorMeasure(measure.residual * root, measure.offset * root)
    return replace(there, error=error, key=f"{there.key}\nweights {list(weights)}")


def with_error_weights(problem: Problem, weights: Sequence[Fraction]) -> Problem:
    """Return the problem with d(s) in proportion to these weights.

    Raises:
        TheoryError: they are not one for each state, or negative, or sum to 0.
    """
    total = sum(weights, Fraction(0))
    if total <= 0:
        raise BadExperiment(f"they sum to {number_text(total)}, which is not positive")
    return replace(problem, state_weights=tuple(weight / total for weight in weights))


OWN = ("target_every", "updates_per_step")
"""Parameters of networks, besides alpha, eta and beta."""
CONTROL_AXES = ("alpha", "eta", "beta", *OWN)

_STEPS = Measure("steps an episode", "steps_an_episode", "steps an episode", larger_is_better=False)
_RETURN = Measure("return an episode", "return_an_episode", "return an episode", larger_is_better=True)


class EnvironmentWithLength(NamedTuple):
    """An environment, and how long a run of it is: episodes or steps, the other None.

    An episode is cut off after `cutoff` steps: None is the environment's own limit, 0, for tiles, none at all.
    """

    environment: str
    episodes: int | None
    steps: int | None
    cutoff: int | None

    @property
    def measure(self) -> Measure:
        """Return what an episode is measured by."""
        return _STEPS if self.environment in COUNTS_STEPS else _RETURN


@dataclass(frozen=True, eq=False)
class AgentsWithGrids:
    """Agents that share a grid.

    Attributes:
        agents: networks, or linear ones.
        called: what statements on the experiment call them.
        alpha: step sizes; None is the paper's best for the environment and algorithm.
        eta, beta: an algorithm that fixes or lacks one ignores it.
        own: grids of OWN by name, for networks.
    """

    agents: tuple[ControlAlgorithm | LinearAgent, ...]
    called: tuple[str, ...]
    alpha: Grid | None
    eta: Grid
    beta: Grid
    own: Mapping[str, tuple[int, ...]]

    def configurations(self, agent: ControlAlgorithm | LinearAgent, long: EnvironmentWithLength) -> list[AgentSettings]:
        """Return those of one of the agents in an environment, each once, in the grid's order.

        Raises:
            BadOption: a number is out of range.
        """
        all_of_grid: list[AgentSettings] = []
        length = {name: getattr(long, name) for name in ("episodes", "steps", "cutoff")}
        for alpha, eta, beta in itertools.product(self.alpha or (None,), self.eta, self.beta):
            asked: dict[str, Any] = {"alpha": alpha, **length}
            asked |= {"beta": beta if agent.regularised else None, "eta": eta if agent.corrected else None}
            if isinstance(agent, LinearAgent):
                bounded = linear_settings(agent, **(asked | {"cutoff": long.cutoff or None}))
                all_of_grid.append(bounded if long.cutoff != 0 else replace(bounded, cutoff=None))
                continue
            for own in itertools.product(*self.own.values()):
                own_asked = dict(zip(self.own, own, strict=True))
                all_of_grid.append(settings(long.environment, agent.name, **asked, **own_asked))
        return list({configuration_of(one): one for one in all_of_grid}.values())


@dataclass(frozen=True, eq=False, kw_only=True)
class ControlExperiment(Experiment):
    """A study of control.

    Attributes:
        places: the environments.
        learners: agents with their grids.
    """

    places: tuple[EnvironmentWithLength, ...]
    learners: tuple[AgentsWithGrids, ...]

    @property
    def averaged(self) -> str:
        """Return over what an episode's measure is averaged: episodes, or steps, whichever a run has a number of."""
        return "a run"

    @property
    def data(self) -> dict[str, Any]:
        """Return what an episode is measured by, as JSON types."""
        return {"measures": {long.environment: long.measure.name for long in self.places}}

    def called(self) -> dict[str, list[AgentSettings]]:
        """Return the configurations of agents in the first environment, by what statements call the agents."""
        by_name: dict[str, list[AgentSettings]] = {}
        for learners in self.learners:
            for name, agent in zip(learners.called, learners.agents, strict=True):
                by_name.setdefault(name, []).extend(learners.configurations(agent, self.places[0]))
        return by_name

    @property
    def is_linear(self) -> bool:
        """Return whether agents learn with tiles."""
        return isinstance(self.learners[0].agents[0], LinearAgent)

    def cases(self) -> Iterator[Case]:
        """Yield every environment with every agent."""
        for long in self.places:
            by_learner: dict[tuple[str, str], dict[Configuration, AgentSettings]] = {}
            for learners in self.learners:
                for agent in learners.agents:
                    for one in learners.configurations(agent, long):
                        features = "tiles" if isinstance(one, LinearSettings) else "networks"
                        by_learner.setdefault((one.algorithm, features), {}).setdefault(configuration_of(one), one)
            for (name, features), configurations in by_learner.items():
                piece = ControlPiece(long.environment, tuple(configurations.values()), self.seed, runs=range(self.runs))
                first = piece.configurations[0]
                rule = first.agent.rule.name if isinstance(first, LinearSettings) else first.optimizer
                yield Case(
                    problem=long.environment,
                    place={"features": features, "episodes": long.episodes, "steps": long.steps},
                    algorithm=name,
                    step_size=rule,
                    configurations=list(configurations),
                    piece=piece,
                    measure=long.measure,
                    counted="episode" if first.episodes else "step",
                    points=piece.points,
                )


def configuration_of(settings: AgentSettings) -> Configuration:
    """Return what distinguishes a configuration from the others of its agent."""
    own = () if isinstance(settings, LinearSettings) else OWN
    values = [(name, getattr(settings, name)) for name in ("eta", "beta", *own)]
    return Configuration(settings.alpha, tuple((name, Fraction(v)) for name, v in values if v is not None))
