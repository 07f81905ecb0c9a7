"""Experiment files of control: `environments` and `[[agents]]` in the place of `problems` and `[[learners]]`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simulate.control.algorithms import ControlAlgorithm, find_control_algorithm
from simulate.control.linear.agent import LinearAgent, find_agent
from simulate.control.settings import EPISODES, MOST, PAPER
from simulate.sweep.case import FigureAxes
from simulate.sweep.control_experiment import AXES, ControlExperiment, EnvironmentWithLength, Learners
from simulate.sweep.table import Table
from simulate.work import MOST_RUNS
from tdrc_theory.errors import BadExperiment
from tdrc_theory.problem.reader import shown

ENVIRONMENTS = "environments"
"""A file with this key is of control."""
TILES = "tiles"
FEATURES = ("networks", TILES)
"""What agents learn with."""
LINEAR_ENVIRONMENT = "mountain-car"
"""What linear agents learn."""
_MOST_CONFIGURATIONS = 10**4
"""Of an agent: each takes seconds at least."""


def parse_control(data: Mapping[str, Any]) -> ControlExperiment:
    """Return the experiment of a file's content without [full].

    Raises:
        BadExperiment: it describes no experiment; the message names the key and the value.
        TheoryError: a configuration has no meaning.
    """
    top = Table(data, "")
    experiment = ControlExperiment(
        name=top.text("name"),
        places=tuple(_long(entry) for entry in top.tables(ENVIRONMENTS, "environment")),
        learners=tuple(_learners(table) for table in top.tables("agents")),
        runs=top.whole("runs", 1, MOST_RUNS),
        seed=top.whole("seed", 0, 2**64 - 1, 0),
        figure=figure_axes(top.table("figure"), baseline=False),
    )
    top.finish()
    experiment.figure.check_axes(AXES)
    _check(experiment)
    return experiment


def _long(entry: Table) -> EnvironmentWithLength:
    name = entry.text("environment")
    paper = PAPER.get(name, {"episodes": EPISODES})
    lengths = {key: entry.whole(key, 1, MOST) if entry.has(key) else None for key in ("episodes", "steps")}
    if lengths["episodes"] is None and lengths["steps"] is None:
        lengths |= {key: paper.get(key) for key in ("episodes", "steps")}
    elif None not in (lengths["episodes"], lengths["steps"]):
        raise entry.refuse("episodes", "steps are given too; one of them says how long a run is")
    lengths["cutoff"] = entry.whole("cutoff", 0, MOST) if entry.has("cutoff") else paper.get("cutoff")
    entry.finish()
    return EnvironmentWithLength(name, **lengths)


def _learners(table: Table) -> Learners:
    one, features = (Fraction(1),), table.one_of("features", FEATURES, FEATURES[0])
    names = table.texts("algorithms")
    called = table.texts("called") if table.has("called") else names
    if len(called) != len(names):
        raise table.refuse("called", f"{len(called)} names for {len(names)} algorithms")
    read = Learners(
        agents=tuple(_agent(name, features) for name in names),
        called=called,
        alpha=table.grid("alpha", least=Fraction(0), open_end=True) if table.has("alpha") else None,
        eta=table.grid("eta", one, least=Fraction(0), open_end=True),
        beta=table.grid("beta", one, least=Fraction(0), open_end=False),
        own={
            "target_every": table.wholes("target_every", 0, MOST) if table.has("target_every") else (0,),
            "updates_per_step": table.wholes("updates_per_step", 1, 100) if table.has("updates_per_step") else (1,),
        },
    )
    table.finish()
    count = math.prod(len(grid) for grid in (read.alpha or one, read.eta, read.beta, *read.own.values()))
    if count > _MOST_CONFIGURATIONS:
        raise table.refuse("alpha", f"{count} configurations an algorithm; at most {_MOST_CONFIGURATIONS}")
    return read


def _agent(name: str, features: str) -> ControlAlgorithm | LinearAgent:
    return find_agent(name) if features == TILES else find_control_algorithm(name)


def figure_axes(figure: Table, *, baseline: bool = True) -> FigureAxes:
    """Return what [figure] says, which may name a baseline or not."""
    along, by = figure.text("along", "alpha"), figure.text("by", None)
    axes = FigureAxes(along, by, figure.text("baseline", None) if baseline else None)
    figure.finish()
    return axes


def _check(experiment: ControlExperiment) -> None:
    """Refuse what results could not distinguish, and what could not be run."""
    names = [long.environment for long in experiment.places]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise BadExperiment(f"environments, entry {number}: {shown(name)} is listed twice")
        for learners in experiment.learners:
            for agent in learners.agents:
                if isinstance(agent, LinearAgent) and name != LINEAR_ENVIRONMENT:
                    raise BadExperiment(f"agents: tiles are for {LINEAR_ENVIRONMENT} alone, not for {name}")
    list(experiment.cases())
