"""How well a linear agent does as time goes on: what the paper plots of it."""

from __future__ import annotations

import numpy as np

from simulate.control.linear.learner import Learned
from simulate.control.measured import standing


def steps_to_goal(learned: Learned) -> np.ndarray:
    """Return (runs, points), the steps of the episode that is under way at each point, an update each.

    An episode that is not over when its run ends counts as one that lasts as long as the episode before, or as it has
    lasted so far if that is longer; one in which a run diverged counts as if it went on to the end.
    """
    settings = learned.settings
    assert settings.steps is not None, "runs of the same length"
    averages = np.empty((len(learned.runs), len(learned.updates)))
    stands = standing(learned.steps, learned.steps, learned.last_steps, learned.last_steps)
    for row, (steps, last, diverged) in enumerate(zip(learned.steps, stands, learned.diverged, strict=True)):
        lost = min(settings.cutoff or settings.steps, settings.steps)
        under_way = lost if diverged >= 0 else last
        averages[row] = np.append(steps, under_way)[np.searchsorted(np.cumsum(steps), learned.updates)]
    return averages
