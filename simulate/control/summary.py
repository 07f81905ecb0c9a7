"""What a history comes to: its learning curve, how good it is at the end, and which runs are stuck."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from simulate.bootstrap import Band, band
from simulate.control.history import RECORDS, History
from simulate.control.settings import Settings

POINTS = 50
"""Of the learning curve of runs that are so many steps long."""
LATE = 5
"""One part in so many, the last, is the end of a run."""
COUNTS_STEPS = ("mountain-car",)
"""Environments in which an episode is as good as it is short; in others it is as good as its return."""


class Learning(NamedTuple):
    """A learning curve.

    Attributes:
        at: (points,) the number of an episode, or the last step of an interval.
        band: of the episode, or of the episode under way, averaged over the steps of the interval.
    """

    at: np.ndarray
    band: Band


def measure(history: History) -> str:
    """Return what an episode is measured by: steps or return."""
    return "steps" if history.settings.environment in COUNTS_STEPS else "return"


def episodes(history: History) -> tuple[np.ndarray, ...]:
    """Return, for each run, its episodes' measure in order."""
    return history.steps if measure(history) == "steps" else history.returns


def learning(history: History) -> Learning:
    """Return the learning curve: by episode where runs have so many episodes, by steps where they have so many."""
    settings = history.settings
    if settings.episodes is not None:
        at = np.arange(1, settings.episodes + 1)
        return Learning(at, band(table(episodes(history), len(at))))
    assert settings.steps is not None
    ends = np.unique(np.linspace(0, settings.steps, POINTS + 1).round().astype(np.int64))
    values = [
        [_under_way(steps, end, before, last) for before, last in itertools.pairwise(ends)]
        for steps, end in zip(episodes(history), history.ends, strict=True)
    ]
    return Learning(ends[1:], band(values))


def overall(history: History) -> np.ndarray:
    """Return (runs,), the mean over a run's episodes; nan where it has none."""
    return np.array([_mean(steps) for steps in episodes(history)])


def late(history: History) -> np.ndarray:
    """Return (runs,), the mean over the last fifth of a run's episodes.

    Where runs have so many steps it is that of the episode under way, averaged over the last fifth of the steps: the
    episodes that end there are more of the short ones.
    """
    settings = history.settings
    if settings.episodes is not None:
        return np.array([_mean(steps[-_fifth(len(steps)) :]) for steps in episodes(history)])
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


def diverged(settings: Settings, history: History) -> np.ndarray:
    """Return (runs,), when each network diverged: the update of the first of its records that is not finite; or -1."""
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


def _fifth(count: int) -> int:
    return max(1, count // LATE)


def _under_way(values: np.ndarray, ends: np.ndarray, before: int, last: int) -> float:
    """Return what the episode under way comes to, averaged over steps before + 1 to last; nan if it never ended."""
    begun = np.concatenate([[0], ends[:-1]])[: len(ends)]
    steps = np.maximum(np.minimum(ends, last) - np.maximum(begun, before), 0)
    return float(values @ steps / steps.sum()) if steps.any() else float("nan")


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def table(rows: tuple[np.ndarray, ...], columns: int) -> np.ndarray:
    """Return rows of different lengths as one array, nan where there is nothing."""
    rectangle = np.full((len(rows), columns), np.nan)
    for row, values in enumerate(rows):
        rectangle[row, : len(values)] = values[:columns]
    return rectangle
