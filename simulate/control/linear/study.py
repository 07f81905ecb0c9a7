"""The paper's study of step sizes in linear control: the best is chosen on some runs, judged and drawn on others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from simulate.bootstrap import band
from simulate.control.history import Learned, steps_to_goal
from simulate.control.linear.agent import LinearSettings
from simulate.control.linear.learner import learn
from simulate.uncertainty import LEVEL
from tdrc_theory.figures.panel import Curve, Panel, Picture


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
        progress: called with the number of runs done, of runs (len(grid) + 1).
    """

    def learned(settings: LinearSettings, numbers: range, before: int) -> Learned:
        return learn(settings, numbers, seed=seed, workers=workers, progress=lambda done: progress(before + done))

    swept = {one.alpha: learned(one, range(runs), runs * before) for before, one in enumerate(grid)}
    areas = [float(steps_to_goal(result).mean()) for result in swept.values()]
    return StepSizeStudy(swept, learned(grid[int(np.argmin(areas))], range(runs, 2 * runs), runs * len(grid)))


def picture(cases: Mapping[str, Sequence[StepSizeStudy]]) -> Picture:
    """Return a row of three panels for each case, with a curve for each of its agents."""
    panels = [panel for title, studies in cases.items() for panel in _row(title, studies)]
    runs = {len(study.best.runs) for studies in cases.values() for study in studies}
    caption = (
        f"Means of {', '.join(map(str, sorted(runs)))} runs with {LEVEL:.0%} intervals from resampled runs, each point "
        "alone. Left: at the step size that was best on other runs. Right: the correction's size over that of delta x."
    )
    return Picture("Mountain Car with tile-coded features", caption, panels)


def _row(title: str, studies: Sequence[StepSizeStudy]) -> list[Panel]:
    curves, swept, shares = [], [], []
    for one in studies:
        best, name = one.best, one.best.settings.agent.name
        areas = np.stack([steps_to_goal(learned).mean(axis=1) for learned in one.swept.values()], axis=1)
        curves.append(_curve(name, best.updates, steps_to_goal(best)))
        swept.append(_curve(name, [float(alpha) for alpha in one.swept], areas))
        shares.append(_curve(name, best.updates, best.correction_norm / best.error_norm))
    steps = "steps to the goal"
    return [
        Panel(curves, "steps in the environment", steps, title, log_y=10),
        Panel(swept, "alpha", f"{steps}, all along", title, log_x=2, log_y=10),
        Panel(shares, "steps in the environment", "correction over delta x", title),
    ]


def _curve(name: str, x: Sequence[float] | np.ndarray, values: np.ndarray) -> Curve:
    interval = band(values)
    return Curve(name, list(x), interval.mean.tolist(), interval.lower.tolist(), interval.upper.tolist())
