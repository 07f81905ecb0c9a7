"""Results for other programs: JSON, and CSV or Parquet with a row for each configuration, or each point of a curve."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from simulate.compute import stored
from simulate.store import Store
from simulate.sweep.case import Case
from simulate.sweep.study import Result, Study
from simulate.sweep.summary import Best, Deviation, best_of_each, deviations
from simulate.uncertainty import LEVEL
from tdrc_theory.cli.extras import importing
from tdrc_theory.cli.files import write_whole
from tdrc_theory.cli.finite import finite
from tdrc_theory.errors import BadOption
from tdrc_theory.tables.table import csv_text

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
    return [{**_what(result, names), **_outcome(result)} for result in study.all()]


def curves(study: Study, store: Store) -> Rows:
    """Return a row for every point of every configuration's learning curve."""
    names = _parameter_names(study)
    counted = list(dict.fromkeys(case.counted for case in study.cases))
    measured = list(dict.fromkeys(case.measure.column for case in study.cases))
    titles = [*counted, *(f"{column}_{part}" for column in measured for part in ("mean", "standard_error"))]
    return [
        row
        for case, results in zip(study.cases, study.results, strict=True)
        for row in _curves(case, results, names, titles, store)
    ]


def _curves(
    case: Case, results: list[Result], names: list[str], titles: list[str], store: Store
) -> Iterator[dict[str, Any]]:
    outcome = stored(case.piece, store)
    errors = outcome.standard_error()
    for lane, result in enumerate(results):
        which = _what(result, names)
        for point, count in enumerate(case.points):
            known = {"mean": outcome.mean[point, lane], "standard_error": errors[point, lane]}
            columns = {f"{case.measure.column}_{part}": finite(value) for part, value in known.items()}
            yield {**which, **dict.fromkeys(titles), case.counted: count, **columns}


def _outcome(result: Result) -> dict[str, Any]:
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


def _what(result: Result, parameters: list[str]) -> dict[str, Any]:
    """Return which configuration a result is of, numbers as floats."""
    known = {name: result.value(name) for name in dict.fromkeys(("alpha", "eta", "beta", *parameters))}
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
        "best": [_best(entry) for entry in best_of_each(study.all())],
    }
    if experiment.figure.baseline:
        document["baseline"] = experiment.figure.baseline
        document["deviations"] = [_deviation(entry) for entry in deviations(experiment, study.all())]
    return document


def _best(entry: Best) -> dict[str, Any]:
    held_out = entry.held_out
    return {
        **_what(entry.result, list(entry.result.parameters)),
        **_outcome(entry.result),
        "best_of": entry.of,
        "at_end_of_grid": list(entry.at_end),
        "held_out": held_out and {key: finite(value) for key, value in held_out._asdict().items()},
    }


def _deviation(entry: Deviation) -> dict[str, Any]:
    numbers = {key: finite(value) for key, value in entry._asdict().items() if key != "result"}
    return {
        **_what(entry.result, list(entry.result.parameters)),
        "area_mean": finite(entry.result.area.mean),
        **numbers,
    }
