"""The content of a figure as data: panels with curves and areas."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Told apart by colour-blind readers too (Okabe and Ito, Color Universal Design, 2008); dashes and markers change as
well, for print in grey."""
AREA = "#9ecae1"
"""A tint of the first, of areas."""


@dataclass(frozen=True)
class Curve:
    """One line of a panel.

    Attributes:
        label: what the legend says; "" for none.
        x, y: points, in order. Infinite ones, and those far past the others, are marked at the edge; nan leaves a gap.
        lower, upper: the band, or None for none.
        marks: dots instead of a line.
        hollow: whether dots are.
        plain: whether a line has no markers.
        colour: None for the next of `COLOURS`.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    lower: Sequence[float] | None = None
    upper: Sequence[float] | None = None
    marks: bool = False
    hollow: bool = False
    plain: bool = False
    colour: str | None = None


@dataclass(frozen=True)
class Area:
    """Polygons of one meaning.

    Attributes:
        label: what the legend says.
        polygons: the corners of each.
        colour: of the area, or of its outline.
        filled: whether it is an area; else an outline.
        line: the dashes of an outline, as matplotlib has them.
        borders: lines of another colour, `border`, along a filled area.
    """

    label: str
    polygons: Sequence[Sequence[tuple[float, float]]]
    colour: str
    filled: bool = False
    line: str = "-"
    borders: Sequence[Sequence[tuple[float, float]]] = ()
    border: str = COLOURS[0]


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes:
        curves, areas: what is drawn.
        title: above the axes; "" for none.
        x_label, y_label: what is measured, with its unit.
        log_x, log_y: None for linear, or the base of the logarithm.
        level: a value far above which is past the axis; None for where the curves begin.
        x_ends, y_ends: the ends of the axes; None for those of the data.
        x_ticks, y_ticks: where the axes are labelled, and how; None for where matplotlib does.
    """

    curves: Sequence[Curve]
    x_label: str
    y_label: str
    title: str = ""
    log_x: int | None = None
    log_y: int | None = None
    areas: Sequence[Area] = ()
    level: float | None = None
    x_ends: tuple[float, float] | None = None
    y_ends: tuple[float, float] | None = None
    x_ticks: Sequence[tuple[float, str]] | None = None
    y_ticks: Sequence[tuple[float, str]] | None = None


class Picture(NamedTuple):
    """Panels side by side, with a title, and a description for whoever cannot see."""

    title: str
    description: str
    panels: Sequence[Panel]


def decades(y: Iterable[float]) -> int | None:
    """Return 10 for values over more than three decades: a linear axis would show the largest of them alone.

    >>> decades([1e-4, 2.0]), decades([0.5, 2.0]), decades([0.0, 2.0])
    (10, None, None)
    """
    known = [value for value in y if math.isfinite(value)]
    least, most = min(known, default=1.0), max(known, default=1.0)
    return 10 if 0 < 1000 * least < most else None
