"""The paper's study of step sizes in linear control: the best is chosen on some runs and judged on others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from simulate.control.linear.learner import Learned, learn
from simulate.control.linear.settings import LinearSettings
from simulate.control.summary import steps_to_goal


@dataclass(frozen=True, eq=False)
class StepSizeStudy:
    """An agent at every step size, and again at the best of them.

    Attributes:
        swept: by step size, the runs that the best was chosen on.
        best: fresh runs at the step size whose area is the smallest.
    """

    swept: dict[Fraction, Learned]
    best: Learned


def study(
    grid: Sequence[LinearSettings],
    *,
    runs: int,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> StepSizeStudy:
    """Run an agent at every step size of a grid, so many times each.

    Args:
        grid: its settings, which differ in the step size alone.
        runs: runs 0 to runs - 1 choose the best, the next as many judge it.
        seed, workers: see `learn`.
        progress: is told the number of runs done, of (len(grid) + 1) runs.
    """

    def learned(settings: LinearSettings, numbers: range, before: int) -> Learned:
        return learn(settings, numbers, seed=seed, workers=workers, progress=lambda done: progress(before + done))

    swept = {one.alpha: learned(one, range(runs), runs * before) for before, one in enumerate(grid)}
    areas = [float(steps_to_goal(result).mean()) for result in swept.values()]
    return StepSizeStudy(swept, learned(grid[int(np.argmin(areas))], range(runs, 2 * runs), runs * len(grid)))
