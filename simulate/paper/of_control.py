"""Control as an experiment: numbers for each run of agents, at their own settings or at others of the experiment."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from simulate.bootstrap import difference_of_means, mean, ratio_of_means
from simulate.control.device import find_device
from simulate.control.history import History
from simulate.control.linear.learner import Learned
from simulate.control.linear.settings import LinearSettings
from simulate.control.linear.steps_to_goal import steps_to_goal
from simulate.control.linear.study import StepSizeStudy, study
from simulate.control.piece import Configuration
from simulate.control.settings import Settings
from simulate.control.summary import diverged, late, measure, overall, stuck
from simulate.outcome import Array
from simulate.paper.seen import NotRun, Seen, Unseen, shown
from simulate.sweep.control_experiment import OWN, ControlExperiment
from tdrc_theory.errors import MissingExtra
from tdrc_theory.progress import progress_bar

ENOUGH = 60
"""Episodes of a run from which on those that are stuck at its end are told from those that are slow."""
RECORDS = {"h": "h_norm", "correction": "correction_norm", "error": "error_norm", "direction": "direction_norm"}
"""What is recorded as a run goes on; "direction" of linear agents alone."""
MEASURES = ("steps", "return")
"""What an episode comes to."""
Learner = Callable[[Settings, range], History]


def see_networks(experiment: ControlExperiment, full: ControlExperiment, learn: Learner) -> Seen:
    """Return what statements see of networks, which learn when they are first asked for.

    Args:
        experiment: agents with all the settings that they may be asked for; of environments the first counts.
        full: what is run with --full.
        learn: runs the settings; asked twice for the same, it answers from memory.
    """

    def history(agent: str, **given: Any) -> History:
        found = _configuration(experiment, full, agent, given)
        assert isinstance(found, Settings), "networks"
        try:
            return learn(found, range(experiment.runs))
        except MissingExtra as error:
            raise NotRun(str(error)) from None

    return Seen({"agents": _called(experiment)}, {**_COMPARISONS, **_readings(history)})


def see_linear(studies: dict[str, StepSizeStudy]) -> Seen:
    """Return what statements see of linear agents, each at its best step size."""

    def history(agent: str) -> History:
        if agent not in studies:
            raise Unseen(f"no agent {shown(agent)}; allowed: {', '.join(studies)}")
        return studies[agent].best

    return Seen({"agents": list(studies)}, {**_COMPARISONS, **_readings(history)})


def linear_studies(
    experiment: ControlExperiment, *, workers: int | None, progress: Callable[[int], None] = lambda _: None
) -> dict[str, StepSizeStudy]:
    """Run linear agents at every step size of the experiment, and again at the best; `progress` is told runs done."""
    (long, *_), found, done = experiment.places, {}, 0
    for learners in experiment.learners:
        for name, agent in zip(learners.called, learners.agents, strict=True):
            grid = [one for one in learners.configurations(agent, long) if isinstance(one, LinearSettings)]
            before = done
            found[name] = study(
                grid,
                runs=experiment.runs,
                seed=experiment.seed,
                workers=workers,
                progress=lambda more, before=before: progress(before + more),  # type: ignore[misc]
            )
            done += experiment.runs * (len(grid) + 1)
    return found


def is_linear(experiment: ControlExperiment) -> bool:
    """Return whether agents learn with tiles."""
    (long, *_) = experiment.places
    learners = experiment.learners[0]
    return isinstance(learners.configurations(learners.agents[0], long)[0], LinearSettings)


def linear_runs(experiment: ControlExperiment) -> int:
    """Return the number of runs that `linear_studies` makes."""
    (long, *_) = experiment.places
    sizes = [
        len(learners.configurations(agent, long)) + 1 for learners in experiment.learners for agent in learners.agents
    ]
    return experiment.runs * sum(sizes)


def learner(*, seed: int = 0, device: str = "cpu", folder: Path | None = None) -> Learner:
    """Return what learns with networks, each setting only once.

    Args:
        seed: determines everything.
        device: cpu or cuda.
        folder: keeps checkpoints, from which runs that were broken off, or are done, go on; None for none.

    Raises, when it is called:
        MissingExtra: torch, or the package of the game, is not installed.
    """

    @functools.cache
    def learn(chosen: Settings, runs: range) -> History:
        find_device(device)
        from simulate.control.training import train

        differs = {name: getattr(chosen, name) for name in ("alpha", "eta", *OWN)}
        own = [f"{name} {value}" for name, value in differs.items()]
        told = ", ".join([chosen.environment, chosen.algorithm, *own])
        about = json.dumps([chosen.to_json(), str(runs), seed])
        name = f"{chosen.algorithm}-{hashlib.sha256(about.encode()).hexdigest()[:16]}.npz"
        total = (chosen.steps or 0) if chosen.episodes is None else chosen.episodes * len(runs)
        with progress_bar(told, total) as progress:
            kept = None if folder is None else folder / name
            return train(chosen, runs, seed=seed, device=device, checkpoint=kept, progress=progress)

    return learn


def _called(experiment: ControlExperiment) -> list[str]:
    return list(dict.fromkeys(name for learners in experiment.learners for name in learners.called))


def _configurations(experiment: ControlExperiment, agent: str) -> list[Configuration]:
    (long, *_) = experiment.places
    return [
        one
        for learners in experiment.learners
        for name, each in zip(learners.called, learners.agents, strict=True)
        if name == agent
        for one in learners.configurations(each, long)
    ]


def _configuration(
    experiment: ControlExperiment, full: ControlExperiment, agent: str, given: dict[str, Any]
) -> Configuration:
    """Return the configuration with these settings, and the usual ones elsewhere."""
    wanted = {"eta": Fraction(1), "beta": Fraction(1), "target_every": 0, "updates_per_step": 1, **given}

    def fits(one: Configuration) -> bool:
        own = {name: getattr(one, name) for name in wanted}
        return all(own[name] == value or (own[name] is None and name not in given) for name, value in wanted.items())

    if agent not in _called(experiment):
        raise Unseen(f"no agent {shown(agent)}; allowed: {', '.join(_called(experiment))}")
    if unknown := sorted(given.keys() - {"alpha", "eta", "beta", *OWN}):
        raise Unseen(f"no setting {unknown[0]}; allowed: alpha, eta, beta, {', '.join(OWN)}")
    found = [one for one in _configurations(experiment, agent) if fits(one)]
    if not found:
        if any(fits(one) for one in _configurations(full, agent)):
            raise NotRun("not run at this size; --full runs it")
        raise Unseen("the experiment has no such settings")
    return found[0]


def _readings(history: Callable[..., History]) -> dict[str, Callable[..., Any]]:
    """Return what statements read of runs: a number for each run, or one for all."""

    def whole(agent: str, what: str, **given: Any) -> Array:
        found = history(agent, **given)
        if what in MEASURES and not isinstance(found, Learned):
            _check_measure(found, what)
            return np.nan_to_num(overall(found)) if what == "return" else overall(found)
        return np.asarray(_rows(found, what).mean(axis=1))

    def at_the_end(agent: str, what: str, **given: Any) -> Array:
        found = history(agent, **given)
        if what in MEASURES and not isinstance(found, Learned):
            _check_measure(found, what)
            return late(found)
        rows = _rows(found, what)
        return np.asarray(rows[:, -(rows.shape[1] // 5) :].mean(axis=1))

    def at_first(agent: str, what: str, **given: Any) -> Array:
        rows = _rows(history(agent, **given), what)
        return np.asarray(rows[:, : rows.shape[1] // 5].mean(axis=1))

    def first(agent: str, what: str, **given: Any) -> Array:
        return np.asarray(_rows(history(agent, **given), what)[:, 0])

    def last(agent: str, what: str, **given: Any) -> Array:
        found = history(agent, **given)
        return _last(found, _rows(found, what))

    def caught(agent: str, **given: Any) -> int:
        found = history(agent, **given)
        if min(map(len, found.steps)) < ENOUGH:
            raise NotRun(f"runs of fewer than {ENOUGH} episodes do not tell the slow from the stuck")
        runs = stuck(found)
        if runs is None:
            raise Unseen("its episodes are not cut off, so that none is stuck")
        return int(runs.sum())

    return {
        "whole": whole,
        "early": at_first,
        "late": at_the_end,
        "first": first,
        "last": last,
        "stuck": caught,
    }


def _check_measure(history: History, what: str) -> None:
    if measure(history) != what:
        raise Unseen(f"an episode comes to {shown(measure(history))} there")


def _rows(history: History, what: str) -> Array:
    """Return (runs, points) of what is recorded, or of steps of a linear agent's episodes under way."""
    if what == "steps" and isinstance(history, Learned):
        return steps_to_goal(history)
    found = getattr(history, RECORDS.get(what, ""), None)
    if found is None:
        raise Unseen(f"{shown(what)} is not recorded; allowed: {', '.join((*MEASURES, *RECORDS))}")
    return np.asarray(found)


def _last(history: History, rows: Array) -> Array:
    """Return (runs,), the last number of each run; inf of a run that diverged, which has grown whatever it was."""
    if isinstance(history, Learned):
        lost = history.diverged >= 0
    else:
        assert isinstance(history.settings, Settings), "networks"
        lost = diverged(history.settings, history) >= 0
    found = np.full(len(rows), np.inf)
    found[~lost] = [run[np.isfinite(run)][-1] for run in rows[~lost]]
    return found


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
