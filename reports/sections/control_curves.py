"""Control: how good episodes become, and what the secondary weights do meanwhile, with intervals over runs."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator
from dataclasses import dataclass

from reports.page.control_file import RECORDS, ControlRuns, Numbers
from reports.page.control_file import Curve as Read
from reports.page.figure import Figure
from reports.page.section import Missing, Section, Tell
from reports.page.subject import OnControl
from reports.page.table import Table
from tdrc_theory.counted import counted
from tdrc_theory.figure import svg
from tdrc_theory.panel import Curve, Panel

_PROGRAM = "tdrc control ENVIRONMENT --json > FILE, then reports.build with --with-control FILE"
_NO_TORCH = " torch, which runs networks, is not installed here: pip install 'tdrc-referee[control]'."


@dataclass(frozen=True, slots=True)
class LearnerShown:
    """The runs of one file.

    Attributes:
        title: learner and environment.
        facts: (name, value) pairs.
        figure: learning, and what was recorded besides.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    figure: Figure


@dataclass(frozen=True, slots=True)
class ControlCurves:
    """What the section shows.

    Attributes:
        together: learners of one environment beside each other, where there are several.
        learners: one by one.
    """

    together: tuple[Figure, ...]
    learners: tuple[LearnerShown, ...]


def collect(subject: OnControl, _: Tell) -> ControlCurves | Missing:
    """Return the curves of the files that were named."""
    if not subject.runs:
        lacking = _NO_TORCH if importlib.util.find_spec("torch") is None else ""
        return Missing(f"No runs of control were named.{lacking}", _PROGRAM)
    return ControlCurves(
        together=tuple(_together(subject.runs)),
        learners=tuple(_learner(number, found) for number, found in enumerate(subject.runs, 1)),
    )


def _together(runs: tuple[ControlRuns, ...]) -> Iterator[Figure]:
    """Yield a figure for each environment, measure and kind of interval that several files are of."""
    kinds = list(dict.fromkeys(map(_kind, runs)))
    for number, kind in enumerate(kinds, 1):
        group = [found for found in runs if _kind(found) == kind]
        if len(group) > 1:
            name = f"{kind[0]}: {kind[1]} an episode"
            panel = _learning(group[0], [_drawn(_name(found), found.learning) for found in group])
            told = f"Mean over runs with {group[0].interval}: " + "; ".join(map(_outcome, group))
            rows = [row for found in group for row in _rows(_name(found), found.learning)]
            numbers = Table(name, ("learner", "at", "mean", "from", "to"), tuple(rows))
            yield Figure(f"together-{number}", f"{name}. {told}.", svg(name, f"{told}.", [panel]), numbers)


def _kind(found: ControlRuns) -> tuple[str, str, bool, str]:
    return found.environment, found.measure, found.by_episode, found.interval


def _learner(number: int, found: ControlRuns) -> LearnerShown:
    title = f"{_name(found)} on {found.environment}"
    panels = [_learning(found, [_drawn("", found.learning)])]
    for names in (("h_norm",), ("error_norm", "correction_norm"), ("largest_value", "peak_value")):
        curves = [_drawn(RECORDS[n], found.records[n]) for n in names if n in found.records]
        if curves:
            panels.append(Panel(curves, "updates", "norm" if "norm" in names[0] else "action value"))
    rows = [*_rows(found.measure, found.learning)]
    for name, curve in found.records.items():
        rows += _rows(RECORDS[name], curve)
    numbers = Table(title, ("curve", "at", "mean", "from", "to"), tuple(rows))
    outcome = f"{counted(found.runs, 'run')}, {found.measure} {_interval(found.mean)} over all episodes"
    left = " After updates, a point is of the runs that had not ended by then." if found.by_episode else ""
    caption = f"{title}: {outcome}. Bands: {found.interval}.{left}"
    return LearnerShown(
        title, _facts(found), Figure(f"learner-{number}", caption, svg(title, caption, panels), numbers)
    )


def _facts(found: ControlRuns) -> tuple[tuple[str, str], ...]:
    known = [("runs", str(found.runs)), ("seed", str(found.seed)), ("all episodes", _interval(found.mean))]
    known.append(("last fifth of a run", _interval(found.late)))
    if found.stuck is not None:
        known.append(("stuck runs", str(found.stuck)))
    if found.diverged is not None:
        known.append(("diverged runs", str(found.diverged)))
    settings = ", ".join(f"{name} = {value}" for name, value in found.settings.items() if name != "environment")
    return (*known, ("settings", settings), ("read from", found.file))


def _name(found: ControlRuns) -> str:
    told = [f"{name} = {found.settings[name]}" for name in ("alpha", "beta", "eta") if name in found.settings]
    return ", ".join([found.settings.get("algorithm", "learner"), *told])


def _outcome(found: ControlRuns) -> str:
    return f"{_name(found)}, {counted(found.runs, 'run')}, {found.measure} {_interval(found.mean)}"


def _interval(values: Numbers) -> str:
    value, lower, upper = (f"{v:.4g}" if math.isfinite(v) else "unknown" for v in values)
    return f"{value}, no interval" if lower == upper == "unknown" else f"{value} [{lower}, {upper}]"


def _learning(found: ControlRuns, curves: list[Curve]) -> Panel:
    by = "episode" if found.by_episode else "steps in the environment"
    return Panel(curves, by, f"{found.measure} an episode")


def _drawn(label: str, curve: Read) -> Curve:
    return Curve(label, curve.at, curve.mean, curve.lower, curve.upper)


def _rows(name: str, curve: Read) -> Iterator[tuple[str, ...]]:
    for at, *values in zip(curve.at, curve.mean, curve.lower, curve.upper, strict=True):
        yield (name, f"{at:.0f}", *(f"{value:.6g}" if math.isfinite(value) else "" for value in values))


SECTION = Section("control_curves", "Learning to act", OnControl, collect)
