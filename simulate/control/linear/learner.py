"""Many independent runs of a linear agent on Mountain Car."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from simulate.compiling.cache import compiled
from simulate.control.environments.mountain_car import start
from simulate.control.linear.agent import LinearAgent
from simulate.control.linear.setting import Setting
from simulate.control.linear.template import ACTIONS, COUNTS, MEASURES, agent_text, rows_of
from simulate.threads import in_threads, worker_count

CHUNK = 2**16
"""Steps whose random numbers are drawn at once; an interrupt waits for that many."""


class Run(NamedTuple):
    """What one run left behind.

    Attributes:
        steps: of each episode that ended, or was cut off, in order.
        last: steps of the episode in which the run ended.
        updates: of all episodes together.
        diverged: the update at which the TD error, or its estimate, was not finite; -1 for never.
        measures: (points, len(MEASURES)), nan where the run had ended.
    """

    steps: np.ndarray
    last: int
    updates: int
    diverged: int
    measures: np.ndarray


@dataclass(frozen=True, eq=False)
class Learned:
    """Runs of one configuration.

    Attributes:
        setting, seed, runs: which; run i of a seed is the same whatever runs are beside it.
        steps: for each run, the steps of its episodes, in order.
        last: (runs,) steps of the episode in which a run ended.
        diverged: (runs,) the update at which a TD error, or its estimate, was not finite; -1 for never.
        updates: (points,) after how many updates the records below were taken.
        h_norm: (runs, points) the norm of h.
        correction_norm, error_norm, direction_norm: (runs, points) means, over the updates since the point before, of
            the norms of what is added to delta x, of delta x, and of both together.
        largest_value: (runs, points) mean of the largest action value; of an actor-critic, of the state's value.
        seed_updates, seconds: updates of all runs together, and the time they took; the rest is the same each time.

    A record is nan where the run had ended.
    """

    setting: Setting
    seed: int
    runs: range
    steps: tuple[np.ndarray, ...]
    last: np.ndarray
    diverged: np.ndarray
    updates: np.ndarray
    h_norm: np.ndarray
    correction_norm: np.ndarray
    error_norm: np.ndarray
    direction_norm: np.ndarray
    largest_value: np.ndarray
    seed_updates: int
    seconds: float


def learn(
    setting: Setting,
    runs: range,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Learned:
    """Run an agent many times.

    Args:
        setting: what is run.
        runs: numbers of the runs; each has a stream of its own.
        seed: at least 0; with the number of a run it determines everything.
        workers: threads, default one a core; they change no bit.
        progress: is told the number of runs done.

    Raises:
        BadOption: workers is out of range.
        BadAlgorithm: the agent's algorithm cannot be compiled.
    """
    count, loop, began = worker_count(workers), _loop(setting.agent), time.perf_counter()
    found: dict[int, Run] = {}

    def one(run: int) -> None:
        found[run] = live(loop, setting, np.random.SeedSequence(seed, spawn_key=(run,)))

    in_threads(one, runs, count, progress)
    steps, last, updates, diverged, measures = zip(*(found[run] for run in runs), strict=True)
    return Learned(
        setting,
        seed,
        runs,
        steps,
        np.array(last),
        np.array(diverged),
        np.arange(1, len(measures[0]) + 1) * setting.every,
        **dict(zip(MEASURES, np.stack(measures).transpose(2, 0, 1), strict=True)),
        seed_updates=sum(updates),
        seconds=time.perf_counter() - began,
    )


def live(loop: Any, setting: Setting, stream: np.random.SeedSequence) -> Run:
    """Do one run of a compiled loop."""
    agent, uniforms, most = setting.agent, np.random.default_rng(stream), setting.most_steps
    critic = _rows(agent, "critic", 1 if agent.actor else ACTIONS)
    actor = _rows(agent, "actor", ACTIONS)
    car = np.array([start(uniforms.random()), 0.0])
    counts = np.zeros(len(COUNTS), np.int64)
    counts[COUNTS.index("lost")] = -1
    steps = np.zeros(most if setting.episodes is None else setting.episodes, np.int64)
    measures = np.zeros((most // setting.every, len(MEASURES)))
    cutoff = most + 1 if setting.cutoff is None else setting.cutoff
    for begun in range(0, most, CHUNK):
        drawn = uniforms.random((min(CHUNK, most - begun), 3))
        loop(drawn, setting.numbers, cutoff, setting.every, counts, car, critic, actor, steps, measures)
        episodes, elapsed, updates, lost = (int(count) for count in counts)
        if episodes == len(steps) or lost >= 0:
            break
    measures[updates // setting.every :] = np.nan
    return Run(steps[:episodes].copy(), elapsed, updates, lost, measures)


def _rows(agent: LinearAgent, weights: str, actions: int) -> np.ndarray:
    first = np.array(rows_of(agent.rule, weights))
    return np.repeat(first[:, None], actions * agent.features, axis=1)


@functools.lru_cache(maxsize=32)
def _loop(agent: LinearAgent) -> Any:
    return compiled(agent_text(agent)).run
