"""What a study measures of runs with networks."""

from __future__ import annotations

import numpy as np

from simulate.control.history import History
from simulate.control.measured import measured, standing
from simulate.control.settings import Settings
from simulate.control.summary import episodes, measure
from simulate.control.training import train
from simulate.outcome import Array


def trained(settings: Settings, runs: range, seed: int, points: range) -> tuple[Array, Array]:
    """Train, and return what `measured` does, and when each run diverged, as `diverged` does.

    Args:
        settings, runs, seed: see `train`.
        points: see `measured`.
    """
    history = train(settings, runs, seed=seed)
    found = episodes(history)
    so_far = history.last_steps if measure(history) == "steps" else history.last_returns
    last = standing(history.steps, found, history.last_steps, so_far)
    return measured(settings, found, history.ends, last, points), diverged(settings, history)


def diverged(settings: Settings, history: History) -> Array:
    """Return (runs,), the first update after which a record of a run under way is not finite, -1 for none."""
    steps = settings.warm_up + (history.updates - 1) // settings.updates_per_step
    last = [end[-1] if settings.episodes is not None and len(end) else np.inf for end in history.ends]
    under_way = steps <= np.array(last)[:, None]
    lost = under_way & ~np.isfinite([history.h_norm, history.error_norm, history.largest_value]).all(axis=0)
    if not lost.shape[1]:
        return np.full(len(history.runs), -1)
    return np.where(lost.any(axis=1), history.updates[lost.argmax(axis=1)], -1)
