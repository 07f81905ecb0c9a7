"""Linear control as a figure: learning curves, sensitivity to the step size, and what the correction does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from simulate.bootstrap import band
from simulate.control.linear.study import StepSizeStudy
from simulate.control.summary import steps_to_goal
from simulate.uncertainty import LEVEL
from tdrc_theory.figures.panel import Curve, Panel, Picture


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
    names = [study.best.settings.agent.name for study in studies]
    curves = [_curve(name, one.best.updates, one.curve) for name, one in zip(names, studies, strict=True)]
    swept = [_curve(name, [float(a) for a in one.swept], _areas(one)) for name, one in zip(names, studies, strict=True)]
    shares = [
        _curve(name, one.best.updates, one.best.correction_norm / one.best.error_norm)
        for name, one in zip(names, studies, strict=True)
    ]
    steps = "steps to the goal"
    return [
        Panel(curves, "steps in the environment", steps, title, log_y=10),
        Panel(swept, "alpha", f"{steps}, all along", title, log_x=2, log_y=10),
        Panel(shares, "steps in the environment", "correction over delta x", title),
    ]


def _areas(study: StepSizeStudy) -> np.ndarray:
    """Return (runs, step sizes), the steps to the goal of a run, averaged over all points."""
    return np.stack([steps_to_goal(learned).mean(axis=1) for learned in study.swept.values()], axis=1)


def _curve(name: str, x: Sequence[float] | np.ndarray, values: np.ndarray) -> Curve:
    interval = band(values)
    return Curve(name, list(x), interval.mean.tolist(), interval.lower.tolist(), interval.upper.tolist())
