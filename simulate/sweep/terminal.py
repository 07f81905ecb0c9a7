"""A study as plain text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simulate.sweep.study import Result, Study
from simulate.sweep.summary import Best, best_of_each, deviations
from simulate.uncertainty import LEVEL, Estimate
from simulate.work import UNSQUARED
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.tables.table import Table


def plain_text(study: Study, store: str) -> str:
    """Return the best configurations, or the deviations from a baseline, as a table under a heading."""
    experiment = study.experiment
    count, from_store = len(study.all()), study.from_store
    measures = " or ".join(dict.fromkeys(case.measure.name for case in study.cases))
    runs = counted(experiment.runs, "run")
    head = [
        (sum(result.diverged_runs > 0 for result in study.all()), "diverged in some run"),
        (
            sum(result.vanished_runs > 0 for result in study.all()),
            f"had errors in some run that fell below {UNSQUARED:.0e} and read as 0 or lost digits",
        ),
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
    if study.experiment.figure.baseline:
        return Table("deviations", *_deviations(study))
    return Table("best configurations", *_best(study))


def _best(study: Study) -> tuple[list[str], list[list[str]]]:
    names = _names(study)
    rows = [[*_which(entry.result, names, entry.at_end), *_outcome(entry)] for entry in best_of_each(study.all())]
    return [*_titles(names), "area", "+-", "held out", "best of"], rows


def _outcome(entry: Best) -> list[str]:
    result = entry.result
    held_out = "-"
    if entry.held_out is not None and math.isfinite(entry.held_out.mean):
        held_out = f"{_float(entry.held_out.mean)} +- {_float(_reach(entry.held_out))}"
    area = _float(result.area.mean) if math.isfinite(result.area.mean) else "diverged"
    return [area, _float(_reach(result.area)), held_out, str(entry.of)]


def _deviations(study: Study) -> tuple[list[str], list[list[str]]]:
    names = _names(study)
    rows = []
    for result, *numbers in deviations(study.experiment, study.all()):
        shown = [f"{number:+.3f}" if math.isfinite(number) else "-" for number in numbers]
        rows.append([*_which(result, names), _float(result.area.mean), *shown])
    return [*_titles(names), "area", "standard deviations", "as plotted", "standard errors"], rows


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


def _titles(names: list[str]) -> list[str]:
    return ["problem", "algorithm", *(name.replace("_", " ") for name in names)]


def _which(result: Result, names: list[str], marked: Sequence[str] = ()) -> list[str]:
    shown = [_shown(result, name) + "*" * (name in marked) for name in names]
    return [printable(result.problem), printable(result.algorithm), *shown]


def _shown(result: Result, name: str) -> str:
    value = result.step_size if name == "step_size" else result.value(name)
    return "-" if value is None else value if isinstance(value, str) else f"{float(value):.6g}"


def _float(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else "-"


def _reach(estimate: Estimate) -> float:
    return estimate.upper - estimate.mean
