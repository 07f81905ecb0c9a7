"""What a study measures of runs with networks: their episodes along the run, and whether they diverged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from simulate.control.history import History
from simulate.control.settings import Settings
from simulate.control.training import train
from simulate.outcome import Array


def of_networks(settings: Settings, runs: range, seed: int, points: range, *, steps: bool) -> tuple[Array, Array]:
    """Train, and return what an episode comes to, (runs, times), and when each run diverged, as `diverged` does.

    Times are episodes, or points, which are numbers of steps in the environment.

    Args:
        settings, runs, seed: see `train`.
        points: where there are no episodes to count.
        steps: whether an episode is measured by its steps, not by its return.
    """
    torch.set_num_threads(1)  # whoever asks, and whatever computes beside it
    history = train(settings, runs, seed=seed)
    episodes = history.steps if steps else history.returns
    if settings.episodes is not None:
        return np.stack([found[: settings.episodes] for found in episodes]).astype(np.float64), diverged(history)
    return under_way(episodes, history.ends, points), diverged(history)


def under_way(episodes: Sequence[Array], ends: Sequence[Array], points: range) -> Array:
    """Return (runs, points), what the episode comes to that is under way at each step in the environment.

    After the last episode that ended it is that one; a run in which none ended has nan.

    Args:
        episodes: for each run, what its episodes come to.
        ends: for each run, the step with which each of them ended.
        points: steps, counted from 1.
    """
    found = np.full((len(episodes), len(points)), np.nan)
    for row, (values, end) in enumerate(zip(episodes, ends, strict=True)):
        if len(values):
            found[row] = values[np.minimum(np.searchsorted(end, points), len(values) - 1)]
    return found


def diverged(history: History) -> Array:
    """Return (runs,), the first update after which a record of a run under way is not finite, -1 for none."""
    settings = history.settings
    steps = settings.warm_up + (history.updates - 1) // settings.updates_per_step
    last = [end[-1] if settings.episodes is not None and len(end) else np.inf for end in history.ends]
    under_way = steps <= np.array(last)[:, None]
    lost = under_way & ~np.isfinite([history.h_norm, history.error_norm, history.largest_value]).all(axis=0)
    if not lost.shape[1]:
        return np.full(len(history.runs), -1)
    return np.where(lost.any(axis=1), history.updates[lost.argmax(axis=1)], -1)
