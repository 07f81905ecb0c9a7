"""What came out of runs, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulate.control.linear.settings import LinearSettings
from simulate.control.settings import Settings

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
            never. None for networks: see `simulate.control.summary.diverged`.
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
