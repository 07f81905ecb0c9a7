"""What an episode comes to as a run goes on, by episodes or by steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulate.control.history import AnySettings
from simulate.control.summary import table
from simulate.outcome import Array


def measured(
    settings: AnySettings, episodes: tuple[Array, ...], ends: tuple[Array, ...], last: Sequence[float], points: range
) -> Array:
    """Return what every episode comes to, (runs, episodes), where runs have so many of them.

    Where runs have so many steps, return (runs, points), what the episode comes to that is under way at each point.

    Args:
        settings: how long runs are.
        episodes: for each run, what its episodes come to, in order.
        ends: for each run, the step with which each of them ended.
        last: for each run, what `standing` returns.
        points: steps, counted from 1.
    """
    if settings.episodes is None:
        columns = [
            np.append(values, rest)[np.searchsorted(end, points)]
            for values, end, rest in zip(episodes, ends, last, strict=True)
        ]
        return np.array(columns, np.float64)
    return table(episodes, settings.episodes)


def standing(steps: Sequence[Array], episodes: Sequence[Array], last_steps: Array, last_episodes: Array) -> list[float]:
    """Return, for each run, what stands for the episode that had not ended: the one before, as long as that was.

    An episode that has lasted longer than the one before, or is the first, stands for itself, as it is so far.

    Args:
        steps, episodes: for each run, the steps of its episodes, and what these come to, in order.
        last_steps, last_episodes: (runs,), the same of the episode that had not ended, so far.
    """
    runs = zip(steps, episodes, last_steps, last_episodes, strict=True)
    return [
        float(so_far if not len(values) or lasted > lengths[-1] else values[-1])
        for lengths, values, lasted, so_far in runs
    ]
