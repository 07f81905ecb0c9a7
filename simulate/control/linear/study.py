"""The paper's study of step sizes in linear control: the best is chosen on some runs and judged on others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from simulate.control.linear.learner import Learned, learn
from simulate.control.linear.settings import LinearSettings
from simulate.control.linear.steps_to_goal import steps_to_goal

STEP_SIZES = tuple(Fraction(1, 2**power) for power in range(8, 0, -1))
"""The paper's grid."""


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

    @property
    def area(self) -> np.ndarray:
        """Return (runs,), their mean over all points."""
        return self.curve.mean(axis=1)

    @property
    def late(self) -> np.ndarray:
        """Return (runs,), their mean over the last fifth."""
        return late_mean(self.curve)

    @property
    def early(self) -> np.ndarray:
        """Return (runs,), their mean over the first fifth."""
        return self.curve[:, : self.curve.shape[1] // 5].mean(axis=1)


def late_mean(records: np.ndarray) -> np.ndarray:
    """Return (runs,), the mean over the last fifth of what was recorded, (runs, points)."""
    return records[:, -(records.shape[1] // 5) :].mean(axis=1)


def study(
    settings: LinearSettings,
    *,
    runs: int,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> StepSizeStudy:
    """Run an agent at every step size of the grid, so many times each.

    Args:
        settings: its step size is not looked at.
        runs: runs 0 to runs - 1 choose the best, the next as many judge it.
        seed, workers: see `learn`.
        progress: is told the number of runs done, of (len(STEP_SIZES) + 1) runs.
    """
    done = 0

    def learned(alpha: Fraction, numbers: range) -> Learned:
        nonlocal done
        before = done
        found = learn(
            replace(settings, alpha=alpha),
            numbers,
            seed=seed,
            workers=workers,
            progress=lambda finished: progress(before + finished),
        )
        done += runs
        return found

    swept = {alpha: learned(alpha, range(runs)) for alpha in STEP_SIZES}
    areas = {alpha: float(steps_to_goal(found).mean()) for alpha, found in swept.items()}
    best = min(areas, key=lambda alpha: areas[alpha])
    return StepSizeStudy(swept, learned(best, range(runs, 2 * runs)))
