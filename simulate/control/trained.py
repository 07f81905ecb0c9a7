"""What a study measures of runs with networks."""

from __future__ import annotations

from simulate.control.device import find_device
from simulate.control.measured import measured, standing
from simulate.control.settings import Settings
from simulate.control.summary import diverged, episodes, measure
from simulate.outcome import Array


def trained(settings: Settings, runs: range, seed: int, points: range) -> tuple[Array, Array]:
    """Train, and return what `measured` does, and when each run diverged, as `diverged` does.

    Args:
        settings, runs, seed: see `train`.
        points: see `measured`.

    Raises:
        MissingExtra: torch cannot be imported.
    """
    find_device("cpu")
    from simulate.control.training import train

    history = train(settings, runs, seed=seed)
    steps = episodes(history)
    so_far = history.last_steps if measure(history) == "steps" else history.last_returns
    last = standing(history.steps, steps, history.last_steps, so_far)
    return measured(settings, steps, history.ends, last, points), diverged(settings, history)
