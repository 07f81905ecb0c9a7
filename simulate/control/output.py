"""A history as text, as the contract's object, as rows, and as a figure; the number of runs is on each."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from simulate import uncertainty
from simulate.control.history import History, diverged, episodes, late, learning, measure, overall, records, stuck
from simulate.uncertainty import LEVEL, Band, Interval
from tdrc_theory.cli.command import printable
from tdrc_theory.cli.finite import finite, finite_list
from tdrc_theory.figures.panel import Curve, Panel, Picture
from tdrc_theory.parameters import parameters_text
from tdrc_theory.tables.table import Cell, Table, csv_text, some_rows

_RECORDS = {
    "h_norm": "norm of h",
    "error_norm": "error part",
    "correction_norm": "correction",
    "largest_value": "largest value",
    "peak_value": "its peak",
}
"""What a record is called where a person reads it."""
_LEFT = ("left the range of floats, and count until then", "left the range of floats, by their records")
"""Of runs with tiles, which end there, and of networks, which go on and act by values that are no numbers."""


def plain_text(history: History) -> str:
    """Return a history as blocks of text, at about ten of its points."""
    head = [f"{_learner(history)} on {history.settings.environment}", *(f"  {line}" for line in _how(history))]
    learnt, recorded = tables(history)
    return "\n".join([*map(printable, head), "", learnt.text(), "", *_summary_lines(history), "", recorded.text(), ""])


def tables(history: History) -> list[Table]:
    """Return learning and what was recorded besides, at about ten points."""
    (at, curve), by_name = learning(history), records(history)
    by = "episode" if history.settings.episodes is not None else "step"
    learnt = [(str(at[i]), *_cells(curve, i)) for i in some_rows(len(at))]
    recorded = [
        (str(history.updates[i]), *(cell for name in _RECORDS for cell in _cells(by_name[name], i)))
        for i in some_rows(len(history.updates))
    ]
    titles = ("updates", *(title for label in _RECORDS.values() for title in (label, "+-")))
    return [Table("learning", (by, measure(history), "+-"), learnt), Table("records", titles, recorded)]


def to_json(history: History) -> dict[str, Any]:
    """Return the contract's object; what is not finite is null."""
    (at, curve), caught = learning(history), stuck(history)
    rate = history.seed_updates / history.seconds if history.seconds and history.seed_updates else math.nan
    return {
        "environment": history.settings.environment,
        "settings": history.settings.to_json(),
        "seed": history.seed,
        "runs": len(history.runs),
        "measure": measure(history),
        "episodes": [steps.tolist() for steps in episodes(history)],
        "ends": [steps.tolist() for steps in history.ends],
        "updates_per_second": finite(rate),
        "interval": {"kind": "percentile bootstrap over independent runs, at each point alone", "level": LEVEL},
        "learning": {"at": at.tolist(), **_band(curve)},
        "mean": _interval(overall(history)),
        "late": _interval(late(history)),
        "stuck_runs": None if caught is None else [run for run, it in zip(history.runs, caught, strict=True) if it],
        "diverged": [{"run": run, "update": update} for run, update in _diverged(history)],
        "records": {"updates": history.updates.tolist(), **{n: _band(b) for n, b in records(history).items()}},
    }


def to_csv(history: History) -> str:
    """Return one row for each point of each curve; an empty cell is not known."""
    rows: list[list[Cell]] = []
    curves = {measure(history): learning(history)}
    curves |= {name: (history.updates, recorded) for name, recorded in records(history).items()}
    for name, (at, recorded) in curves.items():
        for place, *parts in zip(at, *recorded, strict=True):
            rows.append([name, int(place), *map(finite, parts[:-1]), int(parts[-1])])
    return csv_text(["curve", "at", *Band._fields], rows)


def picture(history: History) -> Picture:
    """Return learning, the norm of h, the size of the correction and the largest action value as a figure."""
    (at, curve), recorded = learning(history), records(history)
    by = "episode" if history.settings.episodes is not None else "steps in the environment"

    def drawn(name: str, label: str = "") -> Curve:
        return recorded[name].curve(label, history.updates)

    panels = [
        Panel([curve.curve("", at)], by, f"{measure(history)} an episode"),
        Panel([drawn("h_norm")], "updates", "norm of h"),
        Panel(
            [drawn("error_norm", "error"), drawn("correction_norm", "correction")], "updates", "norm of the direction"
        ),
        Panel(_largest(history, recorded["largest_value"]), "updates", "largest action value"),
    ]
    runs = len(history.runs)
    title = f"{_learner(history)} on {history.settings.environment}, {runs} run" + ("s" if runs > 1 else "")
    return Picture(title, ". ".join([*_how(history), *_summary_lines(history)]) + ".", panels)


def _largest(history: History, recorded: Band) -> list[Curve]:
    """Draw the largest action value with its spread over runs, and the most that a value can truly be."""
    updates = history.updates.tolist()
    spread = [(recorded.mean + sign * recorded.deviation).tolist() for sign in (-1, 1)]
    curves = [Curve("mean and standard deviation over runs", updates, recorded.mean.tolist(), *spread)]
    gamma = float(history.settings.gamma)
    if gamma < 1 and len(updates):
        most = float(history.settings.reward_scale) / (1 - gamma)
        curves.append(Curve("rewards of size 1 for ever", [updates[0], updates[-1]], [most, most]))
    return curves


def _learner(history: History) -> str:
    settings = history.settings
    used: dict[str, Fraction | None] = {"beta": settings.beta, "eta": settings.eta, "alpha": settings.alpha}
    return f"{settings.algorithm}, {parameters_text(used)}"


def _how(history: History) -> list[str]:
    settings = history.settings
    long = f"{settings.episodes} episodes" if settings.episodes is not None else f"{settings.steps} steps"
    limit = "" if settings.cutoff is None else f", cut off after {settings.cutoff} steps"
    runs = len(history.runs)
    text = f"{runs} runs" if runs > 1 else "1 run"
    interval = f"+- is half a {LEVEL:.0%} bootstrap interval over the runs" if runs > 1 else "no interval from one run"
    return [*settings.how, f"{text} of {long}{limit}; seed {history.seed}; {interval}"]


def _summary_lines(history: History) -> list[str]:
    """Say how good the runs were, all along and at the end."""
    lines = []
    end = "in the last fifth" if history.settings.episodes is not None else "at each step of the last fifth"
    for name, values in (("all along", overall(history)), (end, late(history))):
        there = values[np.isfinite(values)]
        if len(there):
            few = f" (of {len(there)} of {len(values)} runs; no episode of others ended)"
            of = "" if len(there) == len(values) else few
            lines.append(f"{measure(history)} an episode, {name}: {uncertainty.mean(there):.4g}{of}")
    caught = stuck(history)
    if caught is not None:
        lines.append(f"stuck, with every episode of the last fifth cut off: {int(caught.sum())} of {len(caught)} runs")
    if lost := _diverged(history):
        (run, update), *_ = lost
        first = f"run {run} at update {update}" + (", ..." if len(lost) > 1 else "")
        lines.append(f"{_LEFT[history.diverged is None]}: {len(lost)} of {len(history.runs)} runs ({first})")
    return lines


def _diverged(history: History) -> list[tuple[int, int]]:
    """Return (run, update) for each run that left the finite range."""
    updates = diverged(history).tolist()
    return [(run, update) for run, update in zip(history.runs, updates, strict=True) if update >= 0]


def _interval(values: np.ndarray) -> dict[str, float | int | None]:
    there = values[np.isfinite(values)]
    interval = uncertainty.mean(there) if len(there) else Interval(math.nan, math.nan, math.nan)
    return {name: finite(value) for name, value in interval._asdict().items()} | {"runs": len(there)}


def _band(interval: Band) -> dict[str, Any]:
    return {n: finite_list(part) for n, part in interval._asdict().items()} | {"runs": interval.runs.tolist()}


def _cells(interval: Band, point: int) -> tuple[str, str]:
    half = (interval.upper[point] - interval.lower[point]) / 2
    reach = f"{half:.2g}" if half < 99.5 else f"{half:.0f}"  # not 1e+02
    mean = "-" if math.isnan(interval.mean[point]) else f"{interval.mean[point]:.4g}"  # no episode has ended there
    return mean, reach if math.isfinite(half) else "-"
