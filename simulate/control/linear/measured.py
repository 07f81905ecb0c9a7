"""What a study measures of runs of a linear agent: their steps to the goal along the run."""

from __future__ import annotations

import numpy as np

from simulate.control.linear.learner import learn
from simulate.control.linear.setting import Setting
from simulate.control.linear.steps_to_goal import steps_to_goal
from simulate.outcome import Array


def of_linear(setting: Setting, runs: range, seed: int) -> tuple[Array, Array]:
    """Learn, and return the steps of an episode (runs, times), and the update at which each run diverged, -1 for never.

    Times are episodes, or the updates after which records are taken: the episode that is under way counts.
    """
    learned = learn(setting, runs, seed=seed, workers=1)
    if setting.episodes is None:
        return steps_to_goal(learned), learned.diverged
    found = np.full((len(runs), setting.episodes), np.nan)
    for row, steps in enumerate(learned.steps):
        found[row, : len(steps)] = steps
    return found, learned.diverged
