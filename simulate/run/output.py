"""A learning curve as text, as the contract's object, as rows, and as a figure; the number of runs is on each."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from simulate.run.learning_curve import Estimates, LearningCurve
from simulate.uncertainty import LEVEL
from simulate.work import UNSQUARED
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.finite import finite, finite_list
from tdrc_theory.default_step_size import chosen_lines
from tdrc_theory.evidence import Proof
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import Curve, Panel, Picture, decades
from tdrc_theory.learner.modes import TWICE
from tdrc_theory.parameters import parameter_texts, parameters_text
from tdrc_theory.problem.sampling import remarks, sampling_warnings
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Cell, Table, csv_text, some_rows

UNMOVED = (
    "note: no run's error ever changed, as where the start is a fixed point of every update; to start elsewhere: "
    "initial_weights of the problem, or --initial-weights"
)
_SHOWN_DIVERGED = 5


def plain_text(curve: LearningCurve) -> str:
    """Return a curve as blocks of text, at about ten of its points."""
    head = [
        *answer_lines(curve),
        f"{_learner(curve)} on {curve.problem}",
        f"  {_experience(curve)}",
        f"  {counted(curve.runs, 'run')} of {counted(curve.updates, 'update')}, seed {curve.seed}; {_interval(curve)}",
        f"  {_conditions(curve)}",
    ]
    reach = curve.area.upper - curve.area.mean
    area = f"{curve.area.mean:.4g}" + (f" +- {reach:.2g}" if math.isfinite(reach) else "")
    tail = [f"RMSPBE averaged over the points after an update: {area}"]
    lines = [*map(printable, head), "", *(table.text() for table in tables(curve)), "", *tail, _diverged(curve)]
    return "\n".join([*lines, *([UNMOVED] if curve.unmoved else []), *remarks(curve.problem, curve.sampling)]) + "\n"


def tables(curve: LearningCurve) -> list[Table]:
    """Return about ten of a curve's points."""
    chosen = some_rows(len(curve.steps))
    rows = [(str(curve.steps[i]), *_cells(curve.rmspbe, i), *_cells(curve.mspbe, i)) for i in chosen]
    return [Table("errors of runs", ("updates", "RMSPBE", "+-", "MSPBE", "+-"), rows)]


def answer_lines(curve: LearningCurve) -> list[str]:
    """Return a warning where errors grow without bound, what the runs say, and how a step size was chosen."""
    sentence = course(curve)
    warned = [f"{curve.warning}."] if curve.warning else []
    return [*warned, f"{sentence[0].upper()}{sentence[1:]}.", *chosen_lines(curve.alpha, curve.why_alpha)]


def course(curve: LearningCurve) -> str:
    """Return how the mean error of the runs changes: that it falls or grows only where the interval shows it."""
    band, lost, who = curve.rmspbe, curve.diverged_runs, f"{curve.algorithm.name} on {curve.problem.name}"
    of_runs = f"{counted(curve.runs, 'run')}, {Proof.SAMPLED.value}"
    if lost:
        return f"{len(lost)} of {counted(curve.runs, 'run')} of {who} left the range of floats ({Proof.SAMPLED.value})"
    first, last = band.mean[0], band.mean[-1]
    ends = f"from {first:.4g} to {last:.4g} in {counted(curve.updates, 'update')} ({of_runs})"
    if curve.unmoved:
        return f"the RMSPBE of {who} stays {first:.4g}: nothing moves ({of_runs})"
    if band.upper[-1] < first:
        return f"the mean RMSPBE of {who} falls {ends}"
    if band.lower[-1] > first:
        return f"the mean RMSPBE of {who} grows {ends}"
    return f"the mean RMSPBE of {who} goes {ends}"


def to_json(curve: LearningCurve) -> dict[str, Any]:
    """Return the contract's object; what is not finite is null."""
    conditions = curve.rule.robbins_monro(curve.rule_parameters)
    return {
        "answer": " ".join(line for line in answer_lines(curve) if line.endswith(".")),
        "problem": curve.problem.to_json(),
        "algorithm": {"name": curve.algorithm.name, **parameter_texts(curve.parameters)},
        "copy": None if curve.copy is None else asdict(curve.copy),
        "step_size": {
            "name": curve.rule.name,
            "alpha": number_text(curve.alpha),
            "why_alpha": curve.why_alpha or None,
            "parameters": {name: number_text(value) for name, value in curve.rule_parameters.items()},
            "conditions": None if conditions is None else conditions._asdict(),
        },
        "sampling": curve.sampling,
        "sampling_warnings": list(sampling_warnings(curve.problem, curve.sampling)),
        "batch": curve.batch,
        "data": curve.data,
        "seed": curve.seed,
        "runs": curve.runs,
        "interval": {"kind": "Student t over independent runs", "level": LEVEL},
        "initial_weights": [number_text(w) for w in curve.problem.initial_weights],
        "unmoved": curve.unmoved,
        "steps": curve.steps.tolist(),
        "rmspbe": _band(curve.rmspbe),
        "mspbe": _band(curve.mspbe),
        "area": {name: finite(value) for name, value in curve.area._asdict().items()},
        "diverged_runs": len(curve.diverged_runs),
        "vanished_runs": curve.vanished_runs,
        "diverged": [{"run": run, "update": update} for run, update in curve.diverged_runs],
    }


def to_csv(curve: LearningCurve) -> str:
    """Return one row for each point; an empty cell is not finite."""
    names = [f"{error}_{part}" for error in ("rmspbe", "mspbe") for part in Estimates._fields]
    rows: list[list[Cell]] = []
    bands = [part for band in (curve.rmspbe, curve.mspbe) for part in band]
    for point, update in enumerate(curve.steps):
        lost = sum(at <= update for _, at in curve.diverged_runs)
        rows.append([int(update), *(finite(part[point]) for part in bands), curve.runs, lost])
    return csv_text(["updates", *names, "runs", "diverged_runs"], rows)


def picture(curve: LearningCurve) -> Picture:
    """Return the curve with its band as a figure."""
    band = curve.rmspbe
    label = f"mean of {counted(curve.runs, 'run')}" + ("" if curve.runs == 1 else f", {LEVEL:.0%} interval")
    drawn = Curve(label, *(part.tolist() for part in (curve.steps, band.mean, band.lower, band.upper)))
    title = f"{_learner(curve)} on {curve.problem.name}, {counted(curve.runs, 'run')}"
    caption = f"{_experience(curve)}. {_interval(curve)}. {_diverged(curve)}."
    return Picture(title, caption, [Panel([drawn], "updates", "RMSPBE", log_y=decades(drawn.y))])


def _learner(curve: LearningCurve) -> str:
    parameters = parameters_text({**curve.parameters, "alpha": curve.alpha, **curve.rule_parameters})
    copied = "" if curve.copy is None else f", {curve.copy}"
    return f"{curve.algorithm.name}, {curve.rule.name} step size, {parameters}{copied}"


def _experience(curve: LearningCurve) -> str:
    batch = f", {curve.batch} samples an update" if curve.batch > 1 else ""
    meaning = {
        "markov": "one trajectory of the behaviour chain a run, restarted where an episode ends",
        "iid": "independent samples, with states drawn from d",
        "batch": f"independent draws from {curve.data or 0:,} samples that are drawn once a run",
    }
    twice = f"; {TWICE}" if curve.algorithm.second else ""
    return f"{curve.sampling}: {meaning[curve.sampling]}{batch}{twice}"


def _interval(curve: LearningCurve) -> str:
    if curve.runs == 1:
        return "no interval from a single run"
    return f"+- is half a {LEVEL:.0%} t interval over the runs, at that point alone"


def _conditions(curve: LearningCurve) -> str:
    robbins_monro = curve.rule.robbins_monro(curve.rule_parameters)
    if robbins_monro is None:
        return "step sizes depend on the data; Theorem 3.1 does not speak of such"
    sums = "infinite" if robbins_monro.sum_is_infinite else "finite"
    squares = "finite" if robbins_monro.sum_of_squares_is_finite else "infinite"
    verdict = "as Theorem 3.1 asks" if all(robbins_monro) else "Theorem 3.1 asks for infinite and finite"
    return f"step sizes: their sum is {sums}, that of their squares {squares}; {verdict}"


def _diverged(curve: LearningCurve) -> str:
    lost = curve.diverged_runs
    shown = ", ".join(f"run {run} at update {update}" for run, update in lost[:_SHOWN_DIVERGED])
    more = f", and {len(lost) - _SHOWN_DIVERGED} more" if len(lost) > _SHOWN_DIVERGED else ""
    which = f" ({shown}{more})" if lost else ""
    few = curve.vanished_runs
    small = f"; with errors that fell below {UNSQUARED:.0e} and read as 0 or lost digits: {few}" if few else ""
    return f"left the range of floats: {len(lost)} of {counted(curve.runs, 'run')}{which}{small}"


def _cells(band: Estimates, point: int) -> tuple[str, str]:
    half = band.upper[point] - band.mean[point]
    return f"{band.mean[point]:.4g}", f"{half:.2g}" if math.isfinite(half) else "-"


def _band(band: Estimates) -> dict[str, list[float | None]]:
    return {name: finite_list(part) for name, part in band._asdict().items()}


def _line(curve: LearningCurve) -> str:
    last = " +- ".join(_cells(curve.rmspbe, -1))
    runs = f"{counted(curve.runs, 'run')} of {counted(curve.updates, 'update')}"
    lost = f", {len(curve.diverged_runs)} of them left the range of floats" if curve.diverged_runs else ""
    return f"{_learner(curve)} on {curve.problem.name}: RMSPBE {last} after {runs}{lost}"


LearningCurve.view = View(_line, tables, picture)
