"""An experiment of control: environments, agents with their grids, how long they run."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from simulate.control.algorithms import ControlAlgorithm
from simulate.control.history import COUNTS_STEPS, AgentSettings
from simulate.control.linear.agent import LinearAgent, LinearSettings, linear_settings
from simulate.control.piece import ControlPiece
from simulate.control.settings import settings
from simulate.sweep.experiment import Case, Configuration, Experiment, Grid, Measure

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
        for alpha, eta, beta in itertools.product(self.alpha or (None,), self.eta, self.beta):
            asked: dict[str, Any] = {"alpha": alpha, "beta": beta if agent.regularised else None}
            asked |= {"eta": eta if agent.corrected else None}
            asked |= {"episodes": long.episodes, "steps": long.steps, "cutoff": long.cutoff}
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
