"""An experiment of control: environments, agents with their grids, and how long and how often they run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from simulate.control.algorithms import ControlAlgorithm
from simulate.control.linear.agent import LinearAgent
from simulate.control.linear.setting import Setting as LinearSetting
from simulate.control.piece import Configuration, ControlPiece, name_of
from simulate.control.settings import settings
from simulate.control.summary import COUNTS_STEPS
from simulate.sweep.case import Case, Drawn, Measure, Setting
from simulate.sweep.experiment import Grid, used

OWN = ("target_every", "updates_per_step")
"""Parameters of networks, besides alpha, eta and beta."""
AXES = ("alpha", "eta", "beta", *OWN)

_STEPS = Measure("steps an episode", "steps_an_episode", "steps an episode", larger_is_better=False)
_RETURN = Measure("return an episode", "return_an_episode", "return an episode", larger_is_better=True)


class Long(NamedTuple):
    """An environment, and how long a run of it is: episodes or steps, the other None; cutoff None is its own limit."""

    environment: str
    episodes: int | None
    steps: int | None
    cutoff: int | None

    @property
    def place(self) -> dict[str, Any]:
        """Return how long, by name."""
        return {"episodes": self.episodes, "steps": self.steps}

    @property
    def measure(self) -> Measure:
        """Return what an episode is measured by."""
        return _STEPS if self.environment in COUNTS_STEPS else _RETURN


@dataclass(frozen=True, eq=False)
class Learners:
    """Agents that share a grid.

    Attributes:
        agents: networks, or linear ones.
        alpha: step sizes; None is the paper's best for the environment and algorithm.
        eta, beta: an algorithm that fixes or lacks one ignores it.
        own: grids of OWN by name, for networks.
    """

    agents: tuple[ControlAlgorithm | LinearAgent, ...]
    alpha: Grid | None
    eta: Grid
    beta: Grid
    own: Mapping[str, tuple[int, ...]]

    def configurations(self, agent: ControlAlgorithm | LinearAgent, long: Long) -> list[Configuration]:
        """Return those of one of the agents in an environment, each once, in the grid's order.

        Raises:
            BadOption: a number is out of range.
        """
        if isinstance(agent, LinearAgent):
            grid = itertools.product(self.alpha or (LINEAR_ALPHA,), self.eta, self.beta)
            linear = [_linear(agent, long, *numbers) for numbers in grid]
            return list({setting_of(one): one for one in linear}.values())
        axes = (self.alpha or (None,), self.eta, self.beta, *self.own.values())
        networks = [
            settings(
                long.environment,
                agent.name,
                alpha=alpha,
                eta=eta if agent.corrected else None,
                beta=beta if agent.regularised else None,
                **long.place,
                cutoff=long.cutoff,
                **dict(zip(self.own, own, strict=True)),
            )
            for alpha, eta, beta, *own in itertools.product(*axes)
        ]
        return list({setting_of(one): one for one in networks}.values())


@dataclass(frozen=True, eq=False, kw_only=True)
class ControlExperiment:
    """A study of control; everything that its numbers depend on is in here.

    Attributes:
        name: one line.
        places: the environments.
        learners: agents with their grids.
        runs, seed: run i of a seed has the same random numbers in every configuration.
        drawn: what the figure shows.
    """

    name: str
    places: tuple[Long, ...]
    learners: tuple[Learners, ...]
    runs: int
    seed: int
    drawn: Drawn

    @property
    def averaged(self) -> str:
        """Return over what an episode's measure is averaged: episodes, or steps, whichever a run has a number of."""
        return "a run"

    @property
    def how(self) -> list[str]:
        """Return nothing: the paper's settings are not repeated."""
        return []

    @property
    def data(self) -> dict[str, Any]:
        """Return what an episode is measured by, as JSON types."""
        return {"measures": {long.environment: long.measure.name for long in self.places}}

    def cases(self) -> Iterator[Case]:
        """Yield every environment with every agent, and its configurations, each once even where grids overlap."""
        for long in self.places:
            found: dict[str, dict[Setting, Configuration]] = {}
            for learners in self.learners:
                for agent in learners.agents:
                    for one in learners.configurations(agent, long):
                        found.setdefault(name_of(one), {}).setdefault(setting_of(one), one)
            for name, configurations in found.items():
                piece = ControlPiece(long.environment, tuple(configurations.values()), self.seed, range(self.runs))
                first = piece.configurations[0]
                rule = first.agent.rule.name if isinstance(first, LinearSetting) else first.optimizer
                yield Case(
                    problem=long.environment,
                    place=long.place,
                    algorithm=name,
                    step_size=rule,
                    parameters=() if isinstance(first, LinearSetting) else OWN,
                    settings=list(configurations),
                    piece=piece,
                    measure=long.measure,
                    counted=piece.counted,
                    points=piece.points,
                )


LINEAR_ALPHA = Fraction(1, 16)
"""Where none is given; it is divided by the number of active features."""


def setting_of(configuration: Configuration) -> Setting:
    """Return what tells a configuration from the others of its agent; eta and beta are None where it has none."""
    if isinstance(configuration, LinearSetting):
        eta, beta = used(configuration.agent.algorithm, configuration.eta, configuration.beta)
        return Setting(configuration.alpha, eta, beta, ())
    own = tuple(Fraction(getattr(configuration, name)) for name in OWN)
    return Setting(configuration.alpha, configuration.eta, configuration.beta, own)


def _linear(agent: LinearAgent, long: Long, alpha: Fraction, eta: Fraction, beta: Fraction) -> LinearSetting:
    used_eta, used_beta = used(agent.algorithm, eta, beta)
    made = LinearSetting(
        agent=agent,
        alpha=alpha,
        eta=Fraction(1) if used_eta is None else used_eta,
        beta=Fraction(1) if used_beta is None else used_beta,
        episodes=long.episodes,
        steps=long.steps,
        cutoff=long.cutoff,
    )
    return replace(made, every=ControlPiece(long.environment, (made,), 0, range(1)).points.step)
