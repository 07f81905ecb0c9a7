"""Many independent runs of a linear agent on Mountain Car."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from simulate.compiling.cache import compiled
from simulate.compute import in_threads
from simulate.control.environments.mountain_car import start
from simulate.control.history import Learned
from simulate.control.linear.agent import LinearAgent, LinearSettings
from simulate.control.linear.template import ACTIONS, COUNTS, MEASURES, agent_text, rows_of
from tdrc_theory.cli.workers import worker_count
from tdrc_theory.errors import BadOption

CHUNK = 2**16
"""Steps whose random numbers are drawn at once."""
MOST_RECORDS = 10**7
"""Of all runs together."""


def learn(
    settings: LinearSettings,
    runs: range,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Learned:
    """Run an agent many times.

    Args:
        settings: what is run.
        runs: numbers of the runs; each has a stream of its own.
        seed: at least 0; with the number of a run it determines everything.
        workers: threads, default one a core; they change no bit.
        progress: called with the number of runs done.

    Raises:
        BadOption: workers is out of range, or there is more to record than is kept.
        BadAlgorithm: the agent's algorithm cannot be compiled.
    """
    if (records := len(runs) * (settings.most_steps // settings.every)) > MOST_RECORDS:
        raise BadOption(
            f"--every: {records} records of {len(runs)} runs are more than the {MOST_RECORDS} that are kept"
        )
    count, loop, began = worker_count(workers), _loop(settings.agent), time.perf_counter()
    finished: dict[int, tuple[np.ndarray, int, int, int, np.ndarray]] = {}

    def one(run: int) -> None:
        finished[run] = live(loop, settings, np.random.SeedSequence(seed, spawn_key=(run,)))

    in_threads(one, runs, count, progress)
    steps, last, updates, diverged, measures = zip(*(finished[run] for run in runs), strict=True)
    points = max(updates) // settings.every
    return Learned(
        settings=settings,
        seed=seed,
        runs=runs,
        steps=steps,
        returns=tuple(-run.astype(np.float64) for run in steps),
        ends=tuple(np.cumsum(run) for run in steps),
        last_steps=np.array(last),
        last_returns=-np.array(last, np.float64),
        diverged=np.array(diverged),
        updates=np.arange(1, points + 1) * settings.every,
        **dict(zip(MEASURES, np.stack([one[:points] for one in measures]).transpose(2, 0, 1), strict=True)),
        seed_updates=sum(updates),
        seconds=time.perf_counter() - began,
    )


def live(
    loop: Any, settings: LinearSettings, stream: np.random.SeedSequence
) -> tuple[np.ndarray, int, int, int, np.ndarray]:
    """Do one run of a compiled loop.

    Returns:
        Steps of each episode that ended, or was cut off, and of that in which the run ended; updates of all; the update
        at which the TD error, or its estimate, was not finite, -1 for never; and (points, len(MEASURES)), nan where the
        run had ended.
    """
    agent, uniforms, most = settings.agent, np.random.default_rng(stream), settings.most_steps
    critic = _rows(agent, "critic", 1 if agent.actor else ACTIONS)
    actor = _rows(agent, "actor", ACTIONS)
    car = np.array([start(uniforms.random()), 0.0])
    counts = np.zeros(len(COUNTS), np.int64)
    counts[COUNTS.index("lost")] = -1
    steps = np.zeros(most if settings.episodes is None else settings.episodes, np.int64)
    measures = np.zeros((most // settings.every, len(MEASURES)))
    cutoff = most + 1 if settings.cutoff is None else settings.cutoff
    for begun in range(0, most, CHUNK):
        drawn = uniforms.random((min(CHUNK, most - begun), 3))
        loop(drawn, settings.numbers, cutoff, settings.every, counts, car, critic, actor, steps, measures)
        episodes, elapsed, updates, lost = (int(count) for count in counts)
        if episodes == len(steps) or lost >= 0:
            break
    measures[updates // settings.every :] = np.nan
    return steps[:episodes].copy(), elapsed, updates, lost, measures


def _rows(agent: LinearAgent, weights: str, actions: int) -> np.ndarray:
    first = np.array(rows_of(agent.rule, weights))
    return np.repeat(first[:, None], actions * agent.features, axis=1)


@functools.lru_cache(maxsize=32)
def _loop(agent: LinearAgent) -> Any:
    return compiled(agent_text(agent)).run
