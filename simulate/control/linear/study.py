"""The paper's study of step sizes in linear control: the best is chosen on some runs and judged on others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

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

    @cached_property
    def curve(self) -> np.ndarray:
        """Return (runs, points), the steps to the goal of the fresh runs."""
        return steps_to_goal(self.best)


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
    done = 0

    def learned(settings: LinearSettings, numbers: range) -> Learned:
        nonlocal done
        before = done
        result = learn(
            settings,
            numbers,
            seed=seed,
            workers=workers,
            progress=lambda finished: progress(before + finished),
        )
        done += runs
        return result

    swept = {settings.alpha: learned(settings, range(runs)) for settings in grid}
    areas = [float(steps_to_goal(result).mean()) for result in swept.values()]
    return StepSizeStudy(swept, learned(grid[int(np.argmin(areas))], range(runs, 2 * runs)))
