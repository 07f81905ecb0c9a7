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
        last: for each run, what stands for the episode that had not ended; nan for nothing.
        points: steps, counted from 1.
    """
    if settings.episodes is None:
        found = [
            np.append(values, rest)[np.searchsorted(end, points)]
            for values, end, rest in zip(episodes, ends, last, strict=True)
        ]
        return np.array(found, np.float64)
    return table(episodes, settings.episodes)
