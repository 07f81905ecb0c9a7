"""A study as a figure: a panel a problem, the figure's axis along, a curve an algorithm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from simulate.sweep.study import Result, Study
from simulate.sweep.summary import Best, Deviation, best, deviations, grouped, sensitivity
from simulate.sweep.terminal import notes, table
from simulate.uncertainty import LEVEL
from tdrc_theory.cli.counted import counted
from tdrc_theory.figures.panel import Curve, Panel, Picture
from tdrc_theory.tables.shown import View

_LOGARITHMIC = ("alpha", "eta", "beta", "steps", "reward_scale", "target_every", "updates_per_step")


def picture(study: Study) -> Picture:
    """Return the figure."""
    experiment = study.experiment
    axes = experiment.figure
    runs = counted(experiment.runs, "run")
    if axes.baseline:
        title = f"{experiment.name} ({runs})"
        caption = (
            f"Difference of the area under the RMSPBE curve from that of {axes.baseline}, along {axes.along}, {runs}."
        )
        return Picture(title, caption, _deviation_panels(study, axes.baseline))
    title = f"{experiment.name} ({runs}, {LEVEL:.0%} t intervals)"
    axis = " or ".join(dict.fromkeys(case.measure.axis for case in study.cases))
    caption = f"{axis[0].upper()}{axis[1:]} along {axes.along}, best of the other parameters, mean of {runs}."
    return Picture(title, caption, _area_panels(study))


def _area_panels(study: Study) -> list[Panel]:
    along = study.experiment.figure.along
    lines = list(sensitivity(study.experiment, study.all()))
    values = _values((entry.result for _, line in lines if len(line) > 1 for entry in line), along)
    ends = [min(values), max(values)] if values else [1.0, 2.0]

    def title(line: tuple[str, list[Best]]) -> str:
        return _title(line[1][0].result, study)

    drawn = [
        (title(group[0]), group[0][1][0], [_area_curve(label, line, along, ends) for label, line in group])
        for group in grouped(lines, title)
    ]
    return [
        Panel(
            curves=curves,
            x_label=_axis(along),
            y_label=first.result.measure.axis,
            title=panel,
            log_x=_base(along, values),
            log_y=first.result.measure.log if any(0 < v < math.inf for curve in curves for v in curve.y) else None,
            level=min((v for curve in curves for v in curve.y if math.isfinite(v)), default=None),
        )
        for panel, first, curves in drawn
    ]


def _area_curve(label: str, line: Sequence[Best], along: str, ends: list[float]) -> Curve:
    areas = [entry.result.area for entry in line]
    x = _values((entry.result for entry in line), along)
    if len(line) == 1:  # the algorithm has no such parameter, or fixes it: one area, level
        x, areas = ends, areas * 2
    mean, lower, upper = ([getattr(area, part) for area in areas] for part in ("mean", "lower", "upper"))
    return Curve(label, x, mean, lower, upper)


def _deviation_panels(study: Study, baseline: str) -> list[Panel]:
    axes = study.experiment.figure
    measured = deviations(study.experiment, study.all())
    values = _values((entry.result for entry in measured), axes.along)
    kinds = (("deviations", "standard deviations"), ("as_plotted", "as plotted in the paper"))
    return [
        Panel(
            curves=_deviation_curves(entries, axes.along, axes.by, field),
            x_label=_axis(axes.along),
            y_label=f"area - {baseline}'s, {unit}",
            title=entries[0].result.problem,
            log_x=_base(axes.along, values),
        )
        for field, unit in kinds
        for entries in grouped(measured, lambda entry: entry.result.problem)
    ]


def _deviation_curves(entries: Iterable[Deviation], along: str, by: str | None, field: str) -> list[Curve]:
    def label(entry: Deviation) -> str:
        value = entry.result.value(by) if by else None
        return entry.result.algorithm if value is None else f"{entry.result.algorithm}, {by} = {value}"

    return [
        Curve(label(group[0]), [float(e.result.value(along)) for e in group], [getattr(e, field) for e in group])
        for group in grouped(entries, label)
    ]


def _values(results: Iterable[Result], name: str) -> list[float]:
    return [float(value) for result in results if (value := result.value(name)) is not None]


def _title(result: Result, study: Study) -> str:
    """Return the problem's name, and what else distinguishes this panel."""
    words = {"reward_scale": "rewards x {}", "steps": "{} updates"}
    of_problem = [other for other in study.all() if other.problem == result.problem]
    rules = {other.step_size for other in of_problem}
    varying = [
        words.get(name, f"{name} {{}}").format(value)
        for name, value in result.place.items()
        if name != study.experiment.figure.along and len({other.place[name] for other in of_problem}) > 1
    ]
    return ", ".join([result.problem, *([result.step_size] if len(rules) > 1 else []), *varying])


def _axis(name: str) -> str:
    return {"reward_scale": "factor of all rewards", "steps": "updates"}.get(name, name)


def _base(name: str, values: list[float]) -> int | None:
    """Return the base of a logarithmic axis, or None where values leave no room for one."""
    if not values or min(values) <= 0 or name not in _LOGARITHMIC:
        return None
    return 10 if name == "reward_scale" else 2


def _line(study: Study) -> str:
    """Return the best configuration of each problem, as far as a line goes, or how many are held against a baseline."""
    experiment, count = study.experiment, counted(len(study.all()), "configuration")
    head = f"{experiment.name}: {count} x {counted(experiment.runs, 'run')}"
    if experiment.figure.baseline:
        return f"{head}, held against {experiment.figure.baseline}"
    lost = sum(result.diverged_runs > 0 for result in study.all())
    chosen = [best(group) for group in grouped(study.all(), lambda result: result.problem)]
    parts = [
        f"{b.result.algorithm} is best on {b.result.problem} with area {b.result.area.mean:.4g}" for b in chosen[:3]
    ]
    return "; ".join([head, *parts, *([f"{lost} diverged in some run"] if lost else [])])


Study.view = View(_line, lambda study: [table(study)], picture, notes)
