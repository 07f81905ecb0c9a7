"""Control as an experiment: numbers for each run of agents, at their own settings or at others of the experiment."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from simulate.compute import compute
from simulate.control.history import PARTS, AgentSettings, steps_to_goal, summary_names
from simulate.control.linear.agent import LinearSettings
from simulate.control.linear.learner import learn
from simulate.control.piece import SummaryPiece
from simulate.paper.statement import NotRun, Seen, Unseen, shown
from simulate.store import Store
from simulate.sweep.control_experiment import OWN, ControlExperiment
from simulate.uncertainty import LEVEL, band, difference_of_means, mean, ratio_of_means
from simulate.work import Array
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import MissingExtra
from tdrc_theory.figures.panel import Panel, Picture

ENOUGH = 60
"""Fewest episodes of a run at which a run that is stuck at its end is distinguished from a slow one."""
Configured = TypeVar("Configured", bound=AgentSettings)
Numbers = Callable[[Sequence[tuple[AgentSettings, range]]], Sequence[Mapping[str, Array]]]
"""What `simulate.control.history` has of configurations and the numbers of their runs; runs them if they were not."""


def numbers_from(store: Store, *, seed: int, workers: int | None, cluster: str | None = None) -> Numbers:
    """Return what gives numbers through a store, which keeps what is run."""

    def numbers(asked: Sequence[tuple[AgentSettings, range]]) -> list[dict[str, Array]]:
        pieces = [SummaryPiece(one.environment, (one,), seed, summary_names(one), runs=runs) for one, runs in asked]
        title = ", ".join(dict.fromkeys(f"{one.algorithm} on {one.environment}" for one, _ in asked))
        try:
            outcomes = list(compute(pieces, store, workers=workers, cluster=cluster, title=title))
        except MissingExtra as error:
            raise NotRun(str(error)) from None
        return [dict(zip(piece.names, of.area.T, strict=True)) for piece, of in zip(pieces, outcomes, strict=True)]

    return numbers


def see_networks(experiment: ControlExperiment, full: ControlExperiment, numbers: Numbers) -> Seen:
    """Return what statements see of networks, which learn when they are first asked for.

    Args:
        experiment: agents with all the settings that they may be asked for; of environments the first counts.
        full: what is run with --full.
        numbers: runs them.
    """

    @functools.cache
    def of_one(agent: str, chosen: tuple[tuple[str, Any], ...]) -> Mapping[str, Array]:
        (outcome,) = numbers([(_configuration(experiment, full, agent, dict(chosen)), range(experiment.runs))])
        return outcome

    return _seen(list(experiment.called()), lambda agent, chosen: of_one(agent, tuple(chosen.items())))


def see_linear(experiment: ControlExperiment, numbers: Numbers) -> Seen:
    """Return what statements see of linear agents, each at the step size that is best on other runs."""
    agents, judged_on = experiment.called(), range(experiment.runs, 2 * experiment.runs)
    best = {name: _best(agents[name], steps) for name, steps in _swept(experiment, numbers).items()}
    seen = dict(zip(best, numbers([(one, judged_on) for one in best.values()]), strict=True))

    def of_one(agent: str, chosen: Mapping[str, Any]) -> Mapping[str, Array]:
        if agent not in seen:
            raise Unseen(f"no agent {shown(agent)}; allowed: {', '.join(seen)}")
        if chosen:
            raise Unseen("a linear agent is at its best step size, with the usual settings elsewhere")
        return seen[agent]

    return _seen(list(seen), of_one)


def linear_picture(experiments: Mapping[str, ControlExperiment], numbers: Numbers, *, workers: int | None) -> Picture:
    """Return a row of panels for each experiment, with a curve for each agent, run again at its best step size."""
    panels = [panel for each in experiments.items() for panel in _row(*each, numbers, workers)]
    runs = sorted({str(one.runs) for one in experiments.values()}, key=int)
    caption = (
        f"Means of {', '.join(runs)} runs with {LEVEL:.0%} intervals from resampled runs, each point "
        "alone. Left: at the step size that was best on other runs. Right: the correction's size over that of delta x."
    )
    return Picture("Mountain Car with tile-coded features", caption, panels)


def _row(title: str, experiment: ControlExperiment, numbers: Numbers, workers: int | None) -> list[Panel]:
    curves, swept, shares = [], [], []
    for name, steps in _swept(experiment, numbers).items():
        grid = [one for one in experiment.called()[name] if isinstance(one, LinearSettings)]
        agent, runs = grid[0].agent.name, range(experiment.runs, 2 * experiment.runs)
        with progress_bar(f"{agent} (runs)", experiment.runs) as progress:
            best = learn(_best(grid, steps), runs, seed=experiment.seed, workers=workers, progress=progress)
        curves.append(band(steps_to_goal(best)).curve(agent, best.updates))
        swept.append(band(np.stack(steps, axis=1)).curve(agent, np.array([float(one.alpha) for one in grid])))
        shares.append(band(best.correction_norm / best.error_norm).curve(agent, best.updates))
    goal = "steps to the goal"
    return [
        Panel(curves, "steps in the environment", goal, title, log_y=10),
        Panel(swept, "alpha", f"{goal}, all along", title, log_x=2, log_y=10),
        Panel(shares, "steps in the environment", "correction over delta x", title),
    ]


def _swept(experiment: ControlExperiment, numbers: Numbers) -> dict[str, list[Array]]:
    """Return, for each agent, the steps of the runs on which the best of its configurations is chosen."""
    agents, runs = experiment.called(), range(experiment.runs)
    every = iter(numbers([(one, runs) for grid in agents.values() for one in grid]))
    return {name: [next(every)["whole steps"] for _ in grid] for name, grid in agents.items()}


def _best(grid: Sequence[Configured], steps: Sequence[Array]) -> Configured:
    return grid[int(np.argmin([each.mean() for each in steps]))]


def _configuration(
    experiment: ControlExperiment, full: ControlExperiment, agent: str, chosen: dict[str, Any]
) -> AgentSettings:
    """Return the configuration with these settings, and the usual ones elsewhere."""
    wanted = {"eta": Fraction(1), "beta": Fraction(1), "target_every": 0, "updates_per_step": 1, **chosen}

    def fits(one: AgentSettings) -> bool:
        own = {name: getattr(one, name) for name in wanted}
        return all(own[name] == value or (own[name] is None and name not in chosen) for name, value in wanted.items())

    configurations = experiment.called()
    if agent not in configurations:
        raise Unseen(f"no agent {shown(agent)}; allowed: {', '.join(configurations)}")
    if unknown := sorted(chosen.keys() - {"alpha", "eta", "beta", *OWN}):
        raise Unseen(f"no setting {unknown[0]}; allowed: alpha, eta, beta, {', '.join(OWN)}")
    fitting = [one for one in configurations[agent] if fits(one)]
    if not fitting:
        if any(fits(one) for one in full.called().get(agent, [])):
            raise NotRun("not run at this size; --full runs it")
        raise Unseen("the experiment has no such settings")
    return fitting[0]


def _seen(agents: list[str], of_one: Callable[[str, Mapping[str, Any]], Mapping[str, Array]]) -> Seen:
    """Return what statements read of runs: a number for each run, or one for all."""

    def part_of(part: str) -> Callable[..., Array]:
        def read(agent: str, what: str, **chosen: Any) -> Array:
            numbers = of_one(agent, chosen)
            if f"{part} {what}" not in numbers:
                allowed = [name.partition(" ")[2] for name in numbers if name.startswith(f"{part} ")]
                raise Unseen(f"{shown(what)} is not recorded; allowed: {', '.join(allowed)}")
            return numbers[f"{part} {what}"]

        return read

    def stuck(agent: str, **chosen: Any) -> int:
        numbers = of_one(agent, chosen)
        if "stuck" not in numbers or np.isnan(numbers["stuck"]).any():
            raise Unseen("its episodes are not cut off, so that none is stuck")
        if numbers["episodes"].min() < ENOUGH:
            raise NotRun(f"runs of fewer than {ENOUGH} episodes do not tell the slow from the stuck")
        return int(numbers["stuck"].sum())

    return Seen({"agents": agents}, {**_COMPARISONS, **{part: part_of(part) for part in PARTS}, "stuck": stuck})


def _ratio(one: Array, other: Array) -> Any:
    return ratio_of_means(_sample(one), _sample(other))


def _difference(one: Array, other: Array, alike: Fraction = Fraction(1)) -> Any:
    return difference_of_means(_sample(one), _sample(other), alike=int(alike))


def _mean(values: Array) -> Any:
    return mean(_sample(values))


def _sample(values: Any) -> Array:
    if not isinstance(values, np.ndarray):
        raise Unseen(f"{shown(values)} is not a number for each run")
    return values


_COMPARISONS: dict[str, Callable[..., Any]] = {"ratio": _ratio, "difference": _difference, "mean": _mean, "size": len}
