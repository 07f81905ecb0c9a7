"""What came out of runs, as plain arrays, and what it comes to: learning curves, their ends, and runs that diverged."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulate.control.linear.agent import LinearSettings
from simulate.control.settings import Settings
from simulate.uncertainty import Band, band
from simulate.work import Array

RECORDS = ("h_norm", "error_norm", "correction_norm", "largest_value", "peak_value")

AgentSettings = Settings | LinearSettings
"""Of an agent with a network, or with tiles."""


@dataclass(frozen=True, eq=False)
class History:
    """Runs of one configuration.

    Attributes:
        settings, seed, runs: which; run i of a seed is the same whatever runs are beside it.
        steps: for each run, the steps of its episodes, in order.
        returns: for each run, the undiscounted rewards of its episodes.
        ends: for each run, the step in the environment, counted from 1, with which each episode ended.
        last_steps, last_returns: (runs,) steps, and rewards, so far of the episode in which a run ended.
        updates: (points,) after how many updates the records below were taken.
        h_norm: (runs, points) the norm of h, of all actions' heads together.
        error_norm, correction_norm: (runs, points) norms of the two parts of the direction of the network's weights:
            the mean of delta grad q(S, A), and the mean of -gamma delta_hat grad q(S', a').
        largest_value, peak_value: (runs, points) mean and maximum of max_a abs q(S_t, a) over the states visited since
            the record before.
        diverged: (runs,) the update at which a TD error, or its estimate, was not finite, which ended the run; -1 for
            never. None for networks: see `simulate.control.history.diverged`.
        seed_updates, seconds: updates of all runs together in this process, and the time that they, the acting and the
            environment took; everything else is the same each time.

    A record is nan where the run had all its episodes behind it.
    """

    settings: AgentSettings
    seed: int
    runs: range
    steps: tuple[np.ndarray, ...]
    returns: tuple[np.ndarray, ...]
    ends: tuple[np.ndarray, ...]
    last_steps: np.ndarray
    last_returns: np.ndarray
    updates: np.ndarray
    h_norm: np.ndarray
    error_norm: np.ndarray
    correction_norm: np.ndarray
    largest_value: np.ndarray
    peak_value: np.ndarray
    diverged: np.ndarray | None = None
    seed_updates: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Learned(History):
    """Runs of a linear agent; records are means over the updates since the point before, |h| is what it is then.

    Attributes:
        settings: what was run.
        direction_norm: (runs, points) the norm of the whole direction of w; `error_norm` is that of delta x, and
            `correction_norm` that of what the algorithm adds.
    """

    settings: LinearSettings
    diverged: np.ndarray
    direction_norm: np.ndarray


POINTS = 50
"""Of the learning curve of runs that are so many steps long."""
LATE = 5
"""One part in so many, the last, is the end of a run."""
COUNTS_STEPS = ("mountain-car",)
"""Environments in which an episode is as good as it is short; in others it is as good as its return."""


def measure(history: History) -> str:
    """Return what an episode is measured by: steps or return."""
    return "steps" if history.settings.environment in COUNTS_STEPS else "return"


def episodes(history: History) -> tuple[np.ndarray, ...]:
    """Return, for each run, its episodes' measure in order."""
    return history.steps if measure(history) == "steps" else history.returns


def learning(history: History) -> tuple[np.ndarray, Band]:
    """Return (points,), the number of an episode, or the last step of an interval, and the learning curve there.

    It is of the episode where runs have so many episodes; where they have so many steps, of the episode under way,
    averaged over the steps of the interval.
    """
    settings = history.settings
    if settings.episodes is not None:
        at = np.arange(1, settings.episodes + 1)
        return at, band(table(episodes(history), len(at)))
    assert settings.steps is not None
    ends = np.unique(np.linspace(0, settings.steps, POINTS + 1).round().astype(np.int64))
    values = [
        [_under_way(steps, end, before, last) for before, last in itertools.pairwise(ends)]
        for steps, end in zip(episodes(history), history.ends, strict=True)
    ]
    return ends[1:], band(values)


def overall(history: History) -> np.ndarray:
    """Return (runs,), the mean over a run's episodes; nan where it has none."""
    return np.array([steps.mean() if len(steps) else np.nan for steps in episodes(history)])


def late(history: History) -> np.ndarray:
    """Return (runs,), the mean over the last fifth of a run's episodes.

    Where runs have so many steps it is that of the episode under way, averaged over the last fifth of the steps: the
    episodes that end there are more of the short ones.
    """
    settings = history.settings
    if settings.episodes is not None:
        return np.array([steps[-_fifth(len(steps)) :].mean() if len(steps) else np.nan for steps in episodes(history)])
    assert settings.steps is not None
    begins = settings.steps - _fifth(settings.steps)
    runs = zip(episodes(history), history.ends, strict=True)
    return np.array([_under_way(steps, end, begins, settings.steps) for steps, end in runs])


def stuck(history: History) -> np.ndarray | None:
    """Return (runs,) bool, every episode in the last fifth of a run was cut off; None where that is no failure."""
    cutoff = history.settings.cutoff
    if measure(history) != "steps" or cutoff is None or history.settings.episodes is None:
        return None
    return np.array([bool((steps[-_fifth(len(steps)) :] >= cutoff).all()) for steps in history.steps])


def diverged(history: History) -> np.ndarray:
    """Return (runs,), when each run diverged, -1 for never: of networks, the first record that is not finite."""
    if history.diverged is not None:
        return history.diverged
    settings = history.settings
    assert isinstance(settings, Settings), "tiles say when they diverged"
    steps = settings.warm_up + (history.updates - 1) // settings.updates_per_step
    last = [end[-1] if settings.episodes is not None and len(end) else np.inf for end in history.ends]
    under_way = steps <= np.array(last)[:, None]
    lost = under_way & ~np.isfinite([history.h_norm, history.error_norm, history.largest_value]).all(axis=0)
    if not lost.shape[1]:
        return np.full(len(history.runs), -1)
    return np.where(lost.any(axis=1), history.updates[lost.argmax(axis=1)], -1)


def records(history: History) -> dict[str, Band]:
    """Return each record over the runs that were still under way."""
    return {name: band(getattr(history, name)) for name in RECORDS}


def measured(history: History, points: range) -> np.ndarray:
    """Return what every episode comes to, (runs, episodes), where runs have so many of them.

    Where runs have so many steps, return (runs, points), what the episode under way at each of these steps comes to;
    steps are counted from 1. See `standing` for the episode that had not ended.
    """
    if history.settings.episodes is not None:
        return table(episodes(history), history.settings.episodes)
    so_far = history.last_steps if measure(history) == "steps" else history.last_returns
    last = standing(history.steps, episodes(history), history.last_steps, so_far)
    return _at(points, episodes(history), history.ends, last)


def steps_to_goal(history: History) -> np.ndarray:
    """Return (runs, points), the steps of the episode under way at each update that is recorded: what the paper plots.

    An update is made each step. An episode in which a run diverged counts as if it went on to the end.
    """
    settings = history.settings
    assert settings.steps is not None, "runs of the same length"
    stands = standing(history.steps, history.steps, history.last_steps, history.last_steps)
    to_the_end = min(settings.cutoff or settings.steps, settings.steps)
    last = np.where(diverged(history) >= 0, to_the_end, stands)
    return _at(history.updates, history.steps, history.ends, last)


def standing(
    steps: Sequence[np.ndarray], values: Sequence[np.ndarray], last_steps: np.ndarray, last_values: np.ndarray
) -> list[float]:
    """Return, for each run, what stands for the episode that had not ended: the one before, as long as that was.

    An episode that has lasted longer than the one before, or is the first, stands for itself, as it is so far.
    `steps` and `values` have the episodes of each run in order, what is last, (runs,), is of the one under way.
    """
    runs = zip(steps, values, last_steps, last_values, strict=True)
    return [
        float(so_far if not len(ended) or lasted > lengths[-1] else ended[-1])
        for lengths, ended, lasted, so_far in runs
    ]


def _at(
    points: range | np.ndarray,
    values: Sequence[np.ndarray],
    ends: Sequence[np.ndarray],
    last: Sequence[float] | np.ndarray,
) -> np.ndarray:
    """Return (runs, points), what the episode under way at each step comes to."""
    runs = zip(values, ends, last, strict=True)
    return np.array([np.append(ended, rest)[np.searchsorted(end, points)] for ended, end, rest in runs], np.float64)


def _fifth(count: int) -> int:
    return max(1, count // LATE)


def _under_way(values: np.ndarray, ends: np.ndarray, before: int, last: int) -> float:
    """Return what the episode under way comes to, averaged over steps before + 1 to last; nan if it never ended."""
    begun = np.concatenate([[0], ends[:-1]])[: len(ends)]
    steps = np.maximum(np.minimum(ends, last) - np.maximum(begun, before), 0)
    return float(values @ steps / steps.sum()) if steps.any() else float("nan")


def table(rows: tuple[np.ndarray, ...], columns: int) -> np.ndarray:
    """Return rows of different lengths as one array, nan where there is nothing."""
    rectangle = np.full((len(rows), columns), np.nan)
    for row, values in enumerate(rows):
        rectangle[row, : len(values)] = values[:columns]
    return rectangle


PARTS = ("whole", "early", "late", "first", "last")
"""Of a run: all of it, its first and its last fifth, and the first and the last of its records."""
RECORDED = {"h": "h_norm", "correction": "correction_norm", "error": "error_norm", "direction": "direction_norm"}
"""What is recorded as a run goes on; "direction" of linear agents alone."""


def summary_names(configuration: AgentSettings) -> tuple[str, ...]:
    """Return what `summaries` has of runs of a configuration."""
    if isinstance(configuration, Settings):
        what = "steps" if configuration.environment in COUNTS_STEPS else "return"
        recorded = [f"{part} {record}" for part in PARTS for record in RECORDED if record != "direction"]
        return (f"whole {what}", f"late {what}", *recorded, "episodes", "stuck")
    return (*(f"{part} {record}" for part in PARTS for record in ("steps", *RECORDED)), "episodes")


def summaries(history: History) -> dict[str, Array]:
    """Return (runs,) numbers by name: "late steps", "first h", ..., "episodes", and, of networks, "stuck" (0 or 1).

    A run that diverged ends at inf, whatever was recorded; a game's return is 0 where no episode ended.
    """
    numbers = {"episodes": np.array([len(steps) for steps in history.steps], np.float64)}
    for record, name in RECORDED.items():
        if hasattr(history, name):
            numbers |= _parts(history, record, getattr(history, name))
    if isinstance(history, Learned):
        return numbers | _parts(history, "steps", steps_to_goal(history))
    what, whole, caught = measure(history), overall(history), stuck(history)
    numbers["stuck"] = np.full(len(whole), np.nan) if caught is None else caught.astype(np.float64)
    whole = whole if what == "steps" else np.nan_to_num(whole)
    return numbers | {f"whole {what}": whole, f"late {what}": late(history)}


def _parts(history: History, record: str, rows: Array) -> dict[str, Array]:
    if not rows.shape[1]:  # runs that ended before anything was recorded
        rows = np.full((len(rows), 1), np.nan)
    fifth = rows.shape[1] // 5
    values = (
        rows.mean(axis=1),
        rows[:, :fifth].mean(axis=1) if fifth else rows[:, 0],
        rows[:, -fifth:].mean(axis=1) if fifth else rows[:, -1],
        rows[:, 0],
        _last(history, rows),
    )
    return {f"{part} {record}": np.asarray(of_part) for part, of_part in zip(PARTS, values, strict=True)}


def _last(history: History, rows: Array) -> Array:
    """Return (runs,), the last number of each run; inf of a run that diverged, which has grown whatever it was."""
    lost = diverged(history) >= 0
    last = np.full(len(rows), np.inf)
    last[~lost] = [run[np.isfinite(run)][-1] if np.isfinite(run).any() else np.nan for run in rows[~lost]]
    return last
