"""A study as plain text, as a figure (a panel a problem), as JSON, and as CSV or Parquet rows for other programs."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from simulate.compute import stored
from simulate.store import Store
from simulate.sweep.study import Result, Study
from simulate.sweep.summary import Best, Deviation, best, best_of_each, deviations, grouped, sensitivity
from simulate.uncertainty import LEVEL
from simulate.work import UNSQUARED
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.extras import importing
from tdrc_theory.cli.files import write_whole
from tdrc_theory.cli.finite import finite
from tdrc_theory.errors import BadOption
from tdrc_theory.figures.panel import Curve, Panel, Picture
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table, csv_text


def plain_text(study: Study, store: str) -> str:
    """Return the best configurations, or the deviations from a baseline, as a table under a heading."""
    experiment = study.experiment
    count, from_store = len(study.all()), study.from_store
    measures = " or ".join(dict.fromkeys(case.measure.name for case in study.cases))
    runs = counted(experiment.runs, "run")
    small = f"had errors in some run that fell below {UNSQUARED:.0e} and read as 0 or lost digits"
    head = [
        (sum(result.diverged_runs > 0 for result in study.all()), "diverged in some run"),
        (sum(result.vanished_runs > 0 for result in study.all()), small),
    ]
    lines = [
        f"{printable(experiment.name)}: {counted(count, 'configuration')} x {runs}, {how(study)}",
        f"{counted(study.computed, 'learning curve')} computed, {from_store:,} found in {printable(store)}"
        + "".join(f"; {counted(number, 'configuration')} {what}" for number, what in head if number),
        *experiment.remarks,
        f"area: {measures} averaged over {experiment.averaged} and over runs",
        "",
        table(study).text(),
        "",
        *notes(study),
    ]
    return "\n".join(lines) + "\n"


def how(study: Study) -> str:
    """Return how the experience was made, on one line."""
    experiment = study.experiment
    rules, parts = {case.step_size for case in study.cases}, experiment.how
    if len(rules) == 1:
        parts.append(f"{rules.pop()} step sizes")
    return ", ".join([*parts, f"seed {experiment.seed}"])


def table(study: Study) -> Table:
    """Return the best configurations, or the deviations from a baseline."""
    names, results = _names(study), study.all()
    titles = ["problem", "algorithm", *(name.replace("_", " ") for name in names), "area"]
    if study.experiment.figure.baseline:
        rows = [
            [*_which(result, names), _float(result.area.mean), *(_float(number, "+.3f") for number in numbers)]
            for result, *numbers in deviations(study.experiment, results)
        ]
        return Table("deviations", [*titles, "standard deviations", "as plotted", "standard errors"], rows)
    rows = [[*_which(entry.result, names, entry.at_end), *_numbers(entry)] for entry in best_of_each(results)]
    return Table("best configurations", [*titles, "+-", "held out", "best of"], rows)


def _numbers(entry: Best) -> list[str]:
    area, fresh, held_out = entry.result.area, entry.held_out, "-"
    if fresh is not None and math.isfinite(fresh.mean):
        held_out = f"{_float(fresh.mean)} +- {_float(fresh.upper - fresh.mean)}"
    mean = _float(area.mean) if math.isfinite(area.mean) else "diverged"
    return [mean, _float(area.upper - area.mean), held_out, str(entry.of)]


def notes(study: Study) -> list[str]:
    """Return what the columns of the table mean."""
    runs = counted(study.experiment.runs, "independent run")
    if study.experiment.figure.baseline:
        baseline = printable(study.experiment.figure.baseline)
        return [
            f"each with its best remaining parameters; its area less that of {baseline}, on the same runs, in",
            f"  standard deviations: of {baseline}'s area over runs",
            "  as plotted: the root of that standard deviation, so that the unit of the reward matters",
            "  standard errors: of the mean of the paired differences",
        ]
    return [
        f"+-: half of a {LEVEL:.0%} t interval for the mean over {runs}",
        "the same runs choose the best configuration and give its area, which flatters it; held out: chosen by the",
        "first half of the runs, averaged over the second; *: at an end of its grid, a better one may lie beyond",
    ]


def _names(study: Study) -> list[str]:
    """Return what distinguishes configurations besides the algorithm, and its parameters even where they do not."""
    results = study.all()
    places = dict.fromkeys(name for result in results for name in result.place)
    shared = [name for name in places if len({result.place[name] for result in results}) > 1]
    shared += ["step_size"] if len({result.step_size for result in results}) > 1 else []
    parameters = dict.fromkeys(["alpha", "eta", "beta", *(name for result in results for name in result.parameters)])
    return [*shared, *(n for n in parameters if any(result.value(n) is not None for result in results))]


def _which(result: Result, names: list[str], marked: Sequence[str] = ()) -> list[str]:
    """Return the cells that say which configuration a result is of, those marked that are at an end of a grid."""
    cells = [printable(result.problem), printable(result.algorithm)]
    for name in names:
        value = result.step_size if name == "step_size" else result.value(name)
        shown = "-" if value is None else value if isinstance(value, str) else f"{float(value):.6g}"
        cells.append(shown + "*" * (name in marked))
    return cells


def _float(value: float, form: str = ".4g") -> str:
    return f"{value:{form}}" if math.isfinite(value) else "-"


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

    panels = []
    for group in grouped(lines, lambda line: _title(line[1][0].result, study)):
        curves, first = [_area_curve(label, line, along, ends) for label, line in group], group[0][1][0].result
        known = [v for curve in curves for v in curve.y if math.isfinite(v)]
        panels.append(
            Panel(
                curves=curves,
                x_label=_axis(along),
                y_label=first.measure.axis,
                title=_title(first, study),
                log_x=_base(along, values),
                log_y=first.measure.log if any(v > 0 for v in known) else None,
                level=min(known, default=None),
            )
        )
    return panels


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
            curves=[
                Curve(
                    of[0].result.label(axes.by),
                    _values((e.result for e in of), axes.along),
                    [getattr(e, field) for e in of],
                )
                for of in grouped(entries, lambda entry: entry.result.label(axes.by))
            ],
            x_label=_axis(axes.along),
            y_label=f"area - {baseline}'s, {unit}",
            title=entries[0].result.problem,
            log_x=_base(axes.along, values),
        )
        for field, unit in kinds
        for entries in grouped(measured, lambda entry: entry.result.problem)
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


FORMATS = (".csv", ".parquet")
Rows = list[dict[str, Any]]


def check_format(path: str) -> None:
    """Refuse a file name that says no format, before anything is computed.

    Raises:
        BadOption: it ends otherwise.
        MissingExtra: it needs pyarrow, which is not installed.
    """
    ending = Path(path).suffix
    if ending not in FORMATS:
        raise BadOption(f"{path}: its name ends in none of {', '.join(FORMATS)}")
    if ending == ".parquet":
        with importing(f"{path} needs", "pyarrow", "parquet"):
            import pyarrow.parquet  # noqa: F401 - only whether it is there


def configurations(study: Study) -> Rows:
    """Return a row for every configuration, with None for what is not known or does not exist."""
    names = _parameter_names(study)
    return [{**_what(result, names), **_outcome_columns(result)} for result in study.all()]


def curves(study: Study, store: Store) -> Rows:
    """Return a row for every point of every configuration's learning curve."""
    names = _parameter_names(study)
    counted = list(dict.fromkeys(case.counted for case in study.cases))
    measured = list(dict.fromkeys(case.measure.column for case in study.cases))
    titles = [*counted, *(f"{column}_{part}" for column in measured for part in ("mean", "standard_error"))]
    rows = []
    for case, results in zip(study.cases, study.results, strict=True):
        outcome, column = stored(case.piece, store), case.measure.column
        errors = outcome.standard_error()
        for lane, result in enumerate(results):
            which = _what(result, names) | dict.fromkeys(titles)
            for point, count in enumerate(case.points):
                mean, error = finite(outcome.mean[point, lane]), finite(errors[point, lane])
                rows.append(which | {case.counted: count, f"{column}_mean": mean, f"{column}_standard_error": error})
    return rows


def _outcome_columns(result: Result) -> dict[str, Any]:
    """Return what came out of one configuration."""
    return {
        "runs": len(result.areas),
        "measure": result.measure.name,
        **{f"area_{part}": finite(value) for part, value in result.area._asdict().items()},
        "diverged_runs": result.diverged_runs,
        "diverged_at": result.diverged_at,
        "vanished_runs": result.vanished_runs,
    }


def write_rows(rows: Rows, path: str) -> None:
    """Write rows as a CSV or Parquet file, whole or not at all; the ending of its name says which."""
    check_format(path)
    if Path(path).suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        buffer = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), buffer)
        write_whole(path, buffer.getvalue())
        return
    titles = list(rows[0])
    write_whole(path, csv_text(titles, ([row[title] for title in titles] for row in rows)))


def _parameter_names(study: Study) -> list[str]:
    return list(dict.fromkeys(name for result in study.all() for name in result.parameters))


def _what(result: Result, parameters: Iterable[str] | None = None) -> dict[str, Any]:
    """Return which configuration a result is of, numbers as floats, with its own parameters or these."""
    names = dict.fromkeys(("alpha", "eta", "beta", *(result.parameters if parameters is None else parameters)))
    known = {name: result.value(name) for name in names}
    return {
        "problem": result.problem,
        **{name: float(value) if isinstance(value, Fraction) else value for name, value in result.place.items()},
        "algorithm": result.algorithm,
        "step_size": result.step_size,
        **{name: None if value is None else float(value) for name, value in known.items()},
    }


def to_json(study: Study) -> dict[str, Any]:
    """Return everything that is known of the configurations, and of the best of each algorithm and rule."""
    experiment = study.experiment
    document: dict[str, Any] = {
        "experiment": experiment.name,
        **experiment.data,
        "seed": experiment.seed,
        "runs": experiment.runs,
        "interval": LEVEL,
        "learning_curves": {"computed": study.computed, "found": study.from_store},
        "configurations": configurations(study),
        "best": [
            {
                **_what(entry.result),
                **_outcome_columns(entry.result),
                "best_of": entry.of,
                "at_end_of_grid": list(entry.at_end),
                "held_out": entry.held_out and {key: finite(value) for key, value in entry.held_out._asdict().items()},
            }
            for entry in best_of_each(study.all())
        ],
    }
    if experiment.figure.baseline:
        document["baseline"] = experiment.figure.baseline
        document["deviations"] = [
            _what(result)
            | {"area_mean": finite(result.area.mean)}
            | dict(zip(Deviation._fields[1:], map(finite, numbers), strict=True))
            for result, *numbers in deviations(experiment, study.all())
        ]
    return document
