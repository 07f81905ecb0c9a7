"""What statements see of a paper's experiments: areas of predictions and of the tables' cells, numbers of control.

Areas are compared each at its best configuration. Run i of two learners has the same experience where they are of one
problem, so that they are compared run by run.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from simulate.compute import compute
from simulate.control.history import PARTS, AgentSettings, steps_to_goal, summary_names
from simulate.control.linear.agent import LinearSettings
from simulate.control.linear.learner import learn
from simulate.control.piece import SummaryPiece
from simulate.paper.statement import NotRun, Seen, Truth, Unseen, shown
from simulate.piece import Piece
from simulate.store import Store
from simulate.sweep.experiment import OWN, Case, ControlExperiment
from simulate.sweep.study import Areas
from simulate.tables.cell import Cell
from simulate.uncertainty import LEVEL, Interval, band, difference_of_means, mean, ratio_of_means, t_quantile
from simulate.work import Array, RunOutcome
from tdrc_theory.cli.progress import progress_bar
from tdrc_theory.errors import MissingExtra
from tdrc_theory.figures.panel import Panel, Picture
from tdrc_theory.judgement import Step
from tdrc_theory.papers.published import PROBLEMS, ROWS, STEP_SIZES, Place

_PLACE = ("problem", "step_size", "steps", "reward_scale")
CERTAIN = 2.0
"""Standard errors of the mean of paired differences from which on one area is taken to be lower than another."""


def seen_in(results: list[tuple[Case, RunOutcome]], definitions: Mapping[str, Fraction]) -> Seen:
    """Return what statements see of cases and what they gave."""

    def one(algorithm: str, chosen: Mapping[str, Any]) -> tuple[Case, RunOutcome]:
        place = {name: value for name, value in chosen.items() if name in _PLACE}
        fitting = [
            (case, outcome)
            for case, outcome in results
            if case.algorithm == algorithm
            and place.items() <= {"problem": case.problem, "step_size": case.step_size, **case.place}.items()
        ]
        if len(fitting) != 1:
            allowed = "; ".join(f"{case.algorithm} on {case.problem}, {case.step_size}" for case, _ in results)
            several = "several" if fitting else "no"
            raise Unseen(f"{several} runs of {shown(algorithm)} are as asked; those of one are needed, of: {allowed}")
        return fitting[0]

    def area(algorithm: str, **chosen: Any) -> Areas:
        case, outcome = one(algorithm, chosen)
        areas = Areas(case.configurations, outcome.area)
        return at(areas, **{name: value for name, value in chosen.items() if name not in _PLACE})

    def error(algorithm: str, after: Fraction, **chosen: Any) -> Interval:
        case, outcome = one(algorithm, chosen)
        if after not in case.points:
            points = f"{case.points[0]}, {case.points[0] + case.points.step}, ... {case.points[-1]}"
            raise Unseen(f"the error is not read after {shown(after)} updates; allowed: {points}")
        lane = case.configurations.index(area(algorithm, **chosen).configuration)
        point = case.points.index(int(after))
        mean = float(outcome.mean[point, lane])
        reach = t_quantile(outcome.runs - 1) * float(outcome.standard_error()[point, lane])
        return Interval(mean, mean - reach, mean + reach)

    def start(algorithm: str, **chosen: Any) -> float:
        case, _ = one(algorithm, chosen)
        assert isinstance(case.piece, Piece), "of prediction"
        return float(case.piece.environment.error(case.piece.environment.initial_weights))

    def below(areas: Areas, limit: float | Fraction) -> int:
        return int(np.count_nonzero(areas.runs < float(limit)))

    names: dict[str, Any] = {
        "runs": Fraction(results[0][1].runs),
        "problems": list(dict.fromkeys(case.problem for case, _ in results)),
        "algorithms": list(dict.fromkeys(case.algorithm for case, _ in results)),
    }
    return Seen(names, {**comparisons(definitions), "area": area, "error": error, "start": start, "below": below})


def ratio(one: Areas, other: Areas) -> float:
    """Return how many times as high the first is; nan where both diverged."""
    first, second = _areas(one).mean, _areas(other).mean
    return first / second if math.isfinite(second) else math.nan if math.isinf(first) else 0.0


def is_lower(one: Areas, other: Areas) -> bool:
    """Return whether the first is lower by more than chance explains."""
    if not (math.isfinite(_areas(one).mean) and math.isfinite(_areas(other).mean)):
        return math.isfinite(one.mean)
    differences = other.runs - one.runs
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    return float(np.mean(differences)) > CERTAIN * error


def at(areas: Areas, **values: Fraction) -> Areas:
    """Return the configurations in which parameters have these values."""
    chosen = _areas(areas)
    for name, value in values.items():
        there = chosen.values(name)
        if value not in there:
            tried = ", ".join(map(shown, there)) or "it has no such parameter"
            raise Unseen(f"{name} = {shown(value)} was not tried; allowed: {tried}")
        chosen = chosen.at(name, value)
    return chosen


def comparisons(definitions: Mapping[str, Fraction]) -> dict[str, Callable[..., Any]]:
    """Return the functions that statements on areas may call; of the paper's numbers they use `comparable`."""

    def limit() -> Fraction:
        if "comparable" not in definitions:
            raise Unseen('needs a number "comparable" in [definitions] of paper.toml: how many times as high still is')
        return definitions["comparable"]

    def lower(one: Areas, other: Areas) -> Truth:
        return Truth(is_lower(one, other), _both(one, other))

    def worse(one: Areas, other: Areas) -> Truth:
        return Truth(is_lower(other, one) and ratio(one, other) > limit(), _both(one, other))

    def as_good(one: Areas, other: Areas) -> Truth:
        times = ratio(one, other)
        return Truth(None if math.isnan(times) else times <= limit(), _both(one, other))

    def best(areas: Areas, name: str) -> Fraction:
        value = _areas(areas).configuration.value(name)
        if value is None:
            raise Unseen(f"{shown(name)} is no parameter of it")
        return value

    return {
        "mean": lambda areas: _areas(areas).mean,
        "values": lambda areas, name: _areas(areas).values(name),
        "diverged": lambda areas: int((~np.isfinite(_areas(areas).runs)).sum()),
        "abs": abs,
        "size": len,
        **{of.__name__: of for of in (ratio, at, best, lower, worse, as_good)},
    }


def _areas(value: Any) -> Areas:
    if not isinstance(value, Areas):
        raise Unseen(f"{shown(value)} is no area of a run")
    return value


def _both(one: Areas, other: Areas) -> tuple[Step, ...]:
    times = ratio(one, other)
    return (Step("", f"{shown(one.mean)} and {shown(other.mean)}, {shown(times)} times"),)


def seen_in_cells(cells: Mapping[Place, Cell], definitions: Mapping[str, Fraction]) -> Seen:
    """Return what statements see of cells; the studies are rows of the Adagrad table."""
    places = {id(cell.areas): place for place, cell in cells.items()}
    every = ", ".join(dict.fromkeys(place.row for place in cells))

    def cell(table: str, row: str, problem: str) -> Areas:
        place = Place(table, row, problem)
        if place not in cells:
            raise Unseen(f"no such cell; rows {every}; tables {', '.join(STEP_SIZES)}")
        return cells[place].areas

    def rows(problem: str) -> list[str]:
        return [row for row in ROWS if Place(STEP_SIZES[0], row, problem) in cells]

    def columns(row: str) -> list[str]:
        return [problem for problem in PROBLEMS if Place(STEP_SIZES[0], row, problem) in cells]

    def lowest(table: str, problem: str) -> Areas:
        return min((cell(table, row, problem) for row in rows(problem)), key=lambda areas: areas.mean)

    def as_printed(areas: Areas) -> Truth:
        of = cells[places[id(areas)]]
        printed = "" if of.printed is None else of.printed.mean
        return Truth(of.as_printed and of.as_printed[0], (Step("", f"{of.mean:.4f}, printed {printed}"),))

    def bold(areas: Areas) -> Truth:
        of = cells[places[id(areas)]]
        return Truth(of.printed is not None and of.printed.bold, (Step("", f"{of.place.row}, {of.mean:.4f}"),))

    own = {of.__name__: of for of in (cell, rows, columns, lowest, as_printed, bold)}
    return Seen({"problems": list(PROBLEMS), "tables": list(STEP_SIZES)}, {**comparisons(definitions), **own})


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
    """Return what statements see of networks, which learn when they are first asked for, in the first environment.

    What the experiment lacks of settings, and `full` has, is not run.
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


def _sample(values: Any) -> Array:
    if not isinstance(values, np.ndarray):
        raise Unseen(f"{shown(values)} is not a number for each run")
    return values


_COMPARISONS: dict[str, Callable[..., Any]] = {
    "ratio": lambda one, other: ratio_of_means(_sample(one), _sample(other)),
    "difference": lambda one, other, alike=1: difference_of_means(_sample(one), _sample(other), alike=int(alike)),
    "mean": lambda values: mean(_sample(values)),
    "size": len,
}
