"""Limits of the step size as a line, tables and a picture of where moments are bounded."""

from __future__ import annotations

from collections.abc import Iterator

from tdrc_theory.figures.panel import AREA, Area, Panel, Picture
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table
from verify.predict.limit import Limit
from verify.predict.limits import Limits


def _line(limits: Limits) -> str:
    return "largest step size alpha: " + "; ".join(f"{name} {_short(limit)}" for name, limit in _named(limits))


def _named(limits: Limits) -> Iterator[tuple[str, Limit]]:
    yield "mean", limits.mean
    yield "mean square", limits.mean_square


def _short(limit: Limit) -> str:
    """Return the value or that there is none, with its kind of proof."""
    value = limit.status.value.replace("-", " ") if limit.value is None else f"{limit.value:.8g}"
    return f"{value} ({limit.weakest.value})"


def tables(limits: Limits) -> list[Table]:
    """Return a row for the first moments, and one for the second."""
    rows = [
        (name, "-" if limit.value is None else f"{limit.value:.8g}", limit.weakest.value, limit.reason)
        for name, limit in _named(limits)
    ]
    return [Table("limits of the step size", ("moments", "largest alpha", "proof", "why"), rows)]


def picture(limits: Limits) -> Picture:
    """Return for which step sizes each of the moments are bounded, as far as a change of stability is known."""
    ends = [change.value for _, limit in _named(limits) for change in limit.changes]
    most = 1.25 * max(ends, default=0.8)
    boxes = [
        [(left, row - 0.3), (right, row - 0.3), (right, row + 0.3), (left, row + 0.3)]
        for row, (_, limit) in enumerate(_named(limits))
        for left, right in _bounded(limit, most)
    ]
    areas = [Area("moments are bounded", boxes, AREA, filled=True)] if boxes else []
    names = [(float(row), name) for row, (name, _) in enumerate(_named(limits))]
    why = "; ".join(f"{name}: {limit}" for name, limit in _named(limits))
    panel = Panel([], "alpha", "moments", areas=areas, x_ends=(0, most), y_ends=(-0.6, 1.6), y_ticks=names)
    return Picture(_line(limits), why, [panel])


def _bounded(limit: Limit, most: float) -> Iterator[tuple[float, float]]:
    """Yield the stretches of step sizes, up to `most`, in which moments are bounded; none where no change is known."""
    if not limit.changes:
        yield from [(0.0, most)] if limit.small else []
        return
    low = None if limit.changes[0].regained else 0.0
    for change in limit.changes:
        if change.regained:
            low = change.value
        elif low is not None:
            yield low, change.value
            low = None
    if low is not None:
        yield low, most


Limits.view = View(_line, tables, picture)
