"""Control: how good episodes become, and what the secondary weights do meanwhile, with intervals over runs."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator
from dataclasses import replace

from reports.page.control_file import ControlRuns, Numbers
from reports.page.figure import Figure
from reports.page.section import Content, Missing, Section, Tell
from reports.page.subject import OnControl
from reports.page.table import Table
from tdrc_theory.cli.counted import counted
from tdrc_theory.figures.figure import svg
from tdrc_theory.figures.panel import Curve, Panel

_PROGRAM = "tdrc control ENVIRONMENT --json > FILE && tdrc build --with-control FILE -o control.html"
_NO_TORCH = " torch, which runs networks, is not installed here: pip install 'tdrc-referee[control]'."


def collect(subject: OnControl, _: Tell) -> Content | Missing:
    """Return the curves of the files that were named."""
    if not subject.runs:
        lacking = _NO_TORCH if importlib.util.find_spec("torch") is None else ""
        return Missing(f"No runs of control were named.{lacking}", _PROGRAM)
    learners = [_learner(number, one) for number, one in enumerate(subject.runs, 1)]
    return Content(together=list(_together(subject.runs)), learners=learners)


def _together(runs: tuple[ControlRuns, ...]) -> Iterator[Figure]:
    """Yield a figure for each environment, measure and kind of interval that several files are of."""
    kinds = list(dict.fromkeys(map(_kind, runs)))
    for number, kind in enumerate(kinds, 1):
        group = [one for one in runs if _kind(one) == kind]
        if len(group) > 1:
            name = f"{kind[0]}: {kind[1]} an episode"
            panel = _learning(group[0], [replace(one.learning, label=_name(one)) for one in group])
            text = f"Mean over runs with {group[0].interval}: " + "; ".join(
                f"{_name(one)}, {_outcome(one)}" for one in group
            )
            rows = [row for one in group for row in _rows(_name(one), one.learning)]
            numbers = Table(name, ("learner", "at", "mean", "from", "to"), tuple(rows))
            yield Figure(f"together-{number}", f"{name}. {text}.", svg(name, f"{text}.", [panel]), numbers)


def _kind(learner: ControlRuns) -> tuple[str, str, bool, str]:
    return learner.environment, learner.measure, learner.by_episode, learner.interval


def _learner(number: int, learner: ControlRuns) -> Content:
    title = f"{_name(learner)} on {learner.environment}"
    panels = [_learning(learner, [learner.learning])]
    for names in (("h_norm",), ("error_norm", "correction_norm"), ("largest_value", "peak_value")):
        curves = [learner.records[name] for name in names if name in learner.records]
        if curves:
            panels.append(Panel(curves, "updates", "norm" if "norm" in names[0] else "action value"))
    rows = [*_rows(learner.measure, learner.learning)]
    for curve in learner.records.values():
        rows += _rows(curve.label, curve)
    numbers = Table(title, ("curve", "at", "mean", "from", "to"), tuple(rows))
    left = " After updates, a point is of the runs that had not ended by then." if learner.by_episode else ""
    caption = f"{title}: {_outcome(learner)} over all episodes. Bands: {learner.interval}.{left}"
    figure = Figure(f"learner-{number}", caption, svg(title, caption, panels), numbers)
    return Content(title=title, facts=_facts(learner), figure=figure)


def _facts(learner: ControlRuns) -> tuple[tuple[str, str], ...]:
    known = [("runs", str(learner.runs)), ("seed", str(learner.seed)), ("all episodes", _interval(learner.mean))]
    known.append(("last fifth of a run", _interval(learner.late)))
    if learner.stuck is not None:
        known.append(("stuck runs", str(learner.stuck)))
    if learner.diverged is not None:
        known.append(("diverged runs", str(learner.diverged)))
    settings = ", ".join(f"{name} = {value}" for name, value in learner.settings.items() if name != "environment")
    return (*known, ("settings", settings), ("read from", learner.file))


def _name(learner: ControlRuns) -> str:
    text = [f"{name} = {learner.settings[name]}" for name in ("alpha", "beta", "eta") if name in learner.settings]
    return ", ".join([learner.settings.get("algorithm", "learner"), *text])


def _outcome(learner: ControlRuns) -> str:
    return f"{counted(learner.runs, 'run')}, {learner.measure} {_interval(learner.mean)}"


def _interval(values: Numbers) -> str:
    value, lower, upper = (f"{v:.4g}" if math.isfinite(v) else "unknown" for v in values)
    return f"{value}, no interval" if lower == upper == "unknown" else f"{value} [{lower}, {upper}]"


def _learning(learner: ControlRuns, curves: list[Curve]) -> Panel:
    by = "episode" if learner.by_episode else "steps in the environment"
    return Panel(curves, by, f"{learner.measure} an episode")


def _rows(name: str, curve: Curve) -> Iterator[tuple[str, ...]]:
    for at, *values in zip(curve.x, curve.y, curve.lower or (), curve.upper or (), strict=True):
        yield (name, f"{at:.0f}", *(f"{value:.6g}" if math.isfinite(value) else "" for value in values))


SECTION = Section("control_curves", "Learning to act", collect)
