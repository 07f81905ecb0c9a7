"""The map of two parameters: exact intervals of the first one at many values of the second one, and its picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.panel import AREA, COLOURS, Area, Curve, Panel, Picture
from tdrc_theory.papers.published import paper_settings
from tdrc_theory.parameters import out_of_range
from tdrc_theory.tables.shown import Shown, View
from tdrc_theory.tables.table import Table
from verify.conditions.setting import Setting
from verify.conditions.theorem import Bound
from verify.region.family import Family
from verify.region.intervals import Interval
from verify.region.plane import Plane
from verify.region.region import Region, converges_everywhere, family_region, whole_region

ETAS = tuple(Fraction(2**n) if n >= 0 else Fraction(1, 2**-n) for n in range(-6, 7))
"""The values of an unbounded second parameter, with two more between each pair of neighbours."""
_SHARES = 32
"""Into how many equal parts the values divide a range from 0 to 1."""
_LEAST, _MOST = 1e-3, 1e2
"""Where an axis of beta begins, standing for 0, and ends."""
_TICKS = (0, 0.25, 0.5, 0.75, 1)
_BLUE, _ORANGE, _GREEN, _PURPLE, *_, _BLACK = COLOURS
Points = list[tuple[float, float]]


@dataclass(frozen=True, repr=False)
class Map(Shown):
    """Regions of one parameter, exact at each value of another, ascending; the picture joins their ends.

    Attributes:
        rows: one for each value of the second parameter.
        second: its name.
        everywhere: whether a theorem proves convergence at every beta and eta, between the rows too.
    """

    rows: tuple[Region, ...]
    second: str = "eta"
    everywhere: bool = False

    @property
    def first(self) -> str:
        """The name of the parameter that the rows are regions of."""
        return self.rows[0].parameter

    @property
    def who(self) -> str:
        """The learner and the problem."""
        return f"{self.rows[0].algorithm.name} on {self.rows[0].problem.name}"

    @property
    def proven(self) -> str:
        """Return what is known of the blue area, and how."""
        if self.everywhere:
            return "converges everywhere (exact): A is positive definite, Theorem 3.1 (i)"
        return f"converges: exact at {len(self.rows)} values of {self.second}, their ends joined by straight lines"

    def at(self, row: Region) -> Fraction:
        """Return the value of the second parameter of a row."""
        return row.parameters[self.second]

    @property
    def table(self) -> Table:
        """Return a row for each value of the second parameter."""
        rows = [(number_text(self.at(row)), row.listed) for row in self.rows]
        return Table("map", (self.second, f"converges for {self.first} in"), rows)

    def to_json(self) -> dict[str, Any]:
        """Return every row as the contract's region."""
        return {"problem": self.rows[0].problem.to_json(), "rows": [row.to_json() for row in self.rows]}


def map_values(name: str) -> list[Fraction]:
    """Return the values of the second parameter: powers of 2 and two simple fractions between, or equal shares of 1."""
    if out_of_range(name, Fraction(2)):
        return [Fraction(n, _SHARES) for n in range(_SHARES + 1)]
    return sorted({value * step for value in ETAS for step in (Fraction(1), Fraction(5, 4), Fraction(8, 5))})


def compute_map(
    setting: Setting, names: tuple[str, str] = ("beta", "eta"), progress: Callable[[int], None] = lambda _: None
) -> Map:
    """Return the map of a setting over two parameters; its own values of them do not matter.

    Raises:
        BadOption: the algorithm lacks one of them, or G is too large.
    """
    first, second = Family(setting, names).names
    whole = whole_region(setting) if names == ("beta", "eta") and converges_everywhere(setting) else None
    rows: list[Region] = []
    for value in map_values(second):
        if whole is None:
            rows.append(family_region(Family(setting.at(**{second: value}), (first,))))
        else:
            rows.append(replace(whole, setting=setting.at(**{second: value})))
        progress(len(rows))
    return Map(tuple(rows), second, whole is not None)


def picture(stability_map: Map) -> Picture:
    """Return the map: the first parameter to the right, the second one upwards."""
    first = stability_map.rows[0]
    across = _Axis(stability_map.first, _LEAST, _MOST)
    up = _Axis(stability_map.second, float(ETAS[0]), float(ETAS[-1]) * 1.6)
    of_the_paper = (across.name, up.name) == ("beta", "eta")
    spans, borders = _spans(stability_map, across, up)
    areas = [Area(stability_map.proven, spans, AREA, filled=True, borders=borders, border=_BLUE)]
    if of_the_paper:
        areas += _never(first, across, up.ends)
        for words, colour, beta, eta in sufficient(first.bounds):  # where Theorem 3.1 (ii) applies
            box = _box(across.ends[0], across.place(beta), up.place(eta), up.ends[1])
            areas.append(Area(words, [box], colour, line="-" if colour == _GREEN else "--"))
    described = [
        f"{stability_map.second} {number_text(stability_map.at(row))}: {row.listed}" for row in stability_map.rows[::6]
    ]
    if of_the_paper:
        described += [f"{s.origin}: beta = {float(s.beta):g}, eta = {float(s.eta):g}" for s in paper_settings()]
    panel = Panel(
        list(_settings(across)) if of_the_paper else [],
        across.title,
        up.name,
        log_x=across.log,
        log_y=up.log,
        areas=areas,
        x_ends=across.ends,
        y_ends=up.ends,
        x_ticks=across.ticks(),
        y_ticks=up.ticks(),
    )
    return Picture(
        f"Where {stability_map.who} converges",
        f"Values of {stability_map.first}, to the right, and of {stability_map.second}, upwards, "
        f"at which the expected update {stability_map.proven}. {'; '.join(described)}.",
        [panel],
    )


class _Axis(NamedTuple):
    """A parameter along an axis: from 0 to 1 where its range is bounded, else logarithmic between two values."""

    name: str
    least: float
    most: float

    @property
    def bounded(self) -> bool:
        return out_of_range(self.name, Fraction(2))

    @property
    def log(self) -> int | None:
        return None if self.bounded else 10

    @property
    def ends(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.bounded else (self.least, self.most)

    @property
    def title(self) -> str:
        return self.name if self.bounded else f"{self.name} (logarithmic; the left edge is 0)"

    def place(self, value: float) -> float:
        """Return a value, or the end of the axis that it is beyond."""
        return min(max(value, self.ends[0]), self.ends[1])

    def middle(self, a: float, b: float) -> float:
        return (a + b) / 2 if self.bounded else math.sqrt(a * b)

    def ticks(self) -> list[tuple[float, str]]:
        if self.bounded:
            return [(value, number_text(Fraction(str(value)))) for value in _TICKS]
        if self.least == _LEAST:  # stands for 0
            return [(_LEAST, "0"), *((value, f"{value:g}") for value in (1e-2, 1e-1, 1, 10, 100))]
        return [(float(value), number_text(value)) for value in ETAS[::2]]


def _edges(intervals: Iterable[Interval]) -> list[tuple[float, float]]:
    return [(i.lower.value, math.inf if i.upper is None else i.upper.value) for i in intervals]


def _spans(stability_map: Map, across: _Axis, up: _Axis) -> tuple[list[Points], list[Points]]:
    """Return the areas, and the parts of their borders that are within the axes.

    Neighbouring rows that have as many intervals are joined; between others each goes half-way.
    """
    heights = [up.place(float(stability_map.at(row))) for row in stability_map.rows]
    spans, borders, begin = [], [], 0
    for _, group in groupby(stability_map.rows, key=lambda row: len(row.intervals)):
        rows = list(group)
        end = begin + len(rows)
        ys = heights[begin:end]
        if begin:
            rows, ys = [rows[0], *rows], [up.middle(heights[begin - 1], ys[0]), *ys]
        if end < len(heights):
            rows, ys = [*rows, rows[-1]], [*ys, up.middle(ys[-1], heights[end])]
        begin = end
        for side in zip(*(_edges(row.intervals) for row in rows), strict=True):
            left, right = (list(zip(xs, ys, strict=True)) for xs in zip(*side, strict=True))
            borders += [*_within(left, across), *_within(right, across)]
            spans.append([(across.place(x), y) for x, y in (*left, *reversed(right))])
    return spans, borders


def _within(points: Points, across: _Axis) -> Iterator[Points]:
    """Yield the stretches of a side that are within the axis."""
    least, most = across.ends
    for inside, group in groupby(points, key=lambda point: least < point[0] < most):
        if inside:
            yield list(group)


def _box(left: float, right: float, bottom: float, top: float) -> Points:
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def _never(row: Region, across: _Axis, heights: tuple[float, float]) -> Iterator[Area]:
    edges = _edges(row.fails_for_every_eta)
    boxes = [_box(across.place(left), across.place(right), *heights) for left, right in edges]
    if boxes:
        yield Area("fails at every eta (exact): a determinant proves it", boxes, _ORANGE, line=":")


def sufficient(bounds: Mapping[str, Bound]) -> Iterator[tuple[str, str, float, float]]:
    """Yield (words, colour, beta, eta) of the bounds that a map outlines: those that some beta and eta meet."""
    for name, words, colour in (("beta_printed", "as printed", _PURPLE), ("beta_corrected", "corrected", _GREEN)):
        beta, eta = bounds[name].value, bounds["eta"].value
        if beta is not None and beta > 0 and eta is not None:
            yield f"bounds of Theorem 3.1, {words}; only sufficient", colour, beta, eta


def _settings(across: _Axis) -> Iterator[Curve]:
    """Mark the settings of the paper: eta = 1 with the sweep of beta, and the default beta = 1, filled."""
    swept = [setting for setting in paper_settings() if setting.beta != 1]
    x, y = [across.place(float(each.beta)) for each in swept], [float(each.eta) for each in swept]
    yield Curve("the paper's sweep of beta", x, y, marks=True, hollow=True, colour=_BLACK)
    yield Curve("its default, beta = eta = 1", [1.0], [1.0], marks=True, colour=_BLACK)


def line_picture(region: Region) -> Picture:
    """Return the region of one parameter along a line, with the paper's settings where it is of beta at eta = 1."""
    across = _Axis(region.parameter, _LEAST, _MOST)
    ends = [(across.place(low), across.place(high)) for low, high in _edges(region.intervals)]
    areas = [Area("converges (exact)", [_box(*each, 0, 1) for each in ends], AREA, filled=True)] if ends else []
    areas += _never(region, across, (0.0, 1.0))
    of_the_paper = region.parameter == "beta" and region.fixed == 1
    marked = [replace(each, y=[0.5] * len(each.x)) for each in _settings(across)] if of_the_paper else []
    panel = Panel(
        marked,
        across.title,
        "",
        log_x=across.log,
        areas=areas,
        x_ends=across.ends,
        y_ends=(0, 1),
        x_ticks=across.ticks(),
        y_ticks=(),
    )
    return Picture(str(region), f"{region!s}.", [panel])


Plane.view = View(
    lambda plane: plane.answer.removesuffix("."),
    lambda plane: [plane.table],
    lambda plane: picture(compute_map(plane.setting, plane.names)),
)
Region.view = View(str, lambda region: [region.table], line_picture)
Map.view = View(lambda each: f"{each.who}: {each.proven}", lambda each: [each.table], picture)
