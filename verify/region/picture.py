"""The picture of two parameters: the area in which an expected update converges, as SVG."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from tdrc_theory.command import printable
from tdrc_theory.exact.convert import number_text
from tdrc_theory.paper_settings import paper_settings
from tdrc_theory.parameters import out_of_range
from verify.conditions.bound import Bound
from verify.region.map import ETAS, Map
from verify.region.region import Region

_LEAST, _MOST = 1e-3, 1e2
_WIDTH, _HEIGHT, _LEFT, _TOP, _LINE = 720, 480, 70, 30, 22
_TICKS = (0, 0.25, 0.5, 0.75, 1)
_NEVER = 'stroke="#a63603" stroke-width="1.5" stroke-dasharray="2 3"'


def svg(made: Map) -> str:
    """Return the map as a self-contained SVG: the first parameter to the right, the second one upwards."""
    first = made.rows[0]
    name = html.escape(printable(f"{first.algorithm.name} on {first.problem.name}"))
    signs = _signs(made)
    axes = _Axes(_Axis(made.first, *_ACROSS), _Axis(made.second, *_UP))
    body = [*_spans(made, axes), *_boundary(made, axes)]
    if axes.of_the_paper:
        body += [*_never(first, axes), *_sufficient(first.bounds, axes)]
    body += _frame(axes)
    if axes.of_the_paper:
        body += _settings(axes)
    body += _legend(signs, axes)
    height = _HEIGHT + 70 + _LINE * len(signs)
    described = "; ".join(f"{made.second} {number_text(made.at(row))}: {_intervals(row)}" for row in made.rows[::6])
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
            'font-family="sans-serif" font-size="12">',
            f"<title>Where {name} converges</title>",
            f"<desc>Values of {made.first}, to the right, and of {made.second}, upwards, "
            f"at which the expected update {made.proven}. "
            f"{html.escape(printable(described))}.</desc>",
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            f'<text x="{_LEFT}" y="18" font-size="14">Where {name} converges</text>',
            *body,
            "</svg>\n",
        ]
    )


class _Axis(NamedTuple):
    """A parameter along an axis: from 0 to 1 where its range is bounded, else logarithmic between two values."""

    name: str
    least: float
    most: float
    begin: float
    length: float

    @property
    def bounded(self) -> bool:
        """Whether its range ends at 1."""
        return out_of_range(self.name, Fraction(2))

    def place(self, value: float) -> float:
        """Return the coordinate of a value; those that are off the axis are put at its ends."""
        if self.bounded:
            return self.begin + min(max(value, 0.0), 1.0) * self.length
        low, high = math.log(self.least), math.log(self.most)
        return self.begin + (math.log(min(max(value, self.least), self.most)) - low) / (high - low) * self.length

    def holds(self, value: float) -> bool:
        """Return whether a value is between the ends."""
        return 0 < value < 1 if self.bounded else self.least < value < self.most


class _Axes(NamedTuple):
    across: _Axis
    up: _Axis

    @property
    def of_the_paper(self) -> bool:
        """Whether they are those that the paper's settings and bounds are of."""
        return (self.across.name, self.up.name) == ("beta", "eta")

    def x(self, value: float) -> float:
        return self.across.place(value)

    def y(self, value: float) -> float:
        return self.up.place(value)


_ACROSS = (_LEAST, _MOST, float(_LEFT), float(_WIDTH - _LEFT - 20))
_UP = (float(ETAS[0]), float(ETAS[-1]) * 1.6, float(_HEIGHT - 10), float(_TOP - _HEIGHT + 10))


def _intervals(row: Region) -> str:
    return " and ".join(map(str, row.intervals)) or "nowhere"


def _edges(row: Region) -> list[tuple[float, float]]:
    return [(i.lower.value, math.inf if i.upper is None else i.upper.value) for i in row.intervals]


def _spans(made: Map, axes: _Axes) -> Iterator[str]:
    """Fill between neighbouring rows that have as many intervals, and half-way where they have not."""
    for below, above in pairwise(made.rows):
        y0, y1 = axes.y(float(made.at(below))), axes.y(float(made.at(above)))
        pairs = [(below, above)] if len(below.intervals) == len(above.intervals) else [(below, below), (above, above)]
        heights = [(y0, y1)] if len(pairs) == 1 else [(y0, (y0 + y1) / 2), ((y0 + y1) / 2, y1)]
        for (low, high), (bottom, top) in zip(pairs, heights, strict=True):
            for (a, b), (c, d) in zip(_edges(low), _edges(high), strict=True):
                points = [(axes.x(a), bottom), (axes.x(b), bottom), (axes.x(d), top), (axes.x(c), top)]
                text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
                yield f'<polygon points="{text}" fill="#9ecae1" stroke="#9ecae1"/>'


def _boundary(made: Map, axes: _Axes) -> Iterator[str]:
    for below, above in pairwise(made.rows):
        ends = [[v for pair in _edges(row) for v in pair] for row in (below, above)]
        if len(ends[0]) != len(ends[1]):
            continue
        for a, b in zip(*ends, strict=True):
            if all(axes.across.holds(v) for v in (a, b)):
                yield (
                    f'<line x1="{axes.x(a):.1f}" y1="{axes.y(float(made.at(below))):.1f}" x2="{axes.x(b):.1f}" '
                    f'y2="{axes.y(float(made.at(above))):.1f}" stroke="#08519c" stroke-width="1.5"/>'
                )


def _never(row: Region, axes: _Axes) -> Iterator[str]:
    for interval in row.fails_for_every_eta:
        left, right = axes.x(interval.lower.value), axes.x(math.inf if interval.upper is None else interval.upper.value)
        yield (
            f'<rect x="{left:.1f}" y="{_TOP}" width="{max(right - left, 1):.1f}" height="{_HEIGHT - _TOP - 10}" '
            f'fill="none" {_NEVER}/>'
        )


def sufficient(bounds: Mapping[str, Bound]) -> Iterator[tuple[str, str, float, float]]:
    """Yield (words, colour, beta, eta) of the bounds that a map outlines: those that some beta and eta meet."""
    for name, words, colour in (("beta_printed", "as printed", "#756bb1"), ("beta_corrected", "corrected", "#238b45")):
        beta, eta = bounds[name].value, bounds["eta"].value
        if beta is not None and beta > 0 and eta is not None:
            yield f"bounds of Theorem 3.1, {words}; only sufficient", colour, beta, eta


def _sufficient(bounds: Mapping[str, Bound], axes: _Axes) -> Iterator[str]:
    """Outline where Theorem 3.1 (ii) applies: beta below its bound and eta above its own."""
    for _, colour, beta, eta in sufficient(bounds):
        bottom = axes.y(max(eta, float(ETAS[0])))
        yield (
            f'<rect x="{_LEFT}" y="{_TOP}" width="{max(axes.x(beta) - _LEFT, 1):.1f}" '
            f'height="{max(bottom - _TOP, 1):.1f}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )


def _frame(axes: _Axes) -> Iterator[str]:
    bottom = _HEIGHT - 10
    size = f'width="{_WIDTH - _LEFT - 20}" height="{bottom - _TOP}"'
    yield f'<rect x="{_LEFT}" y="{_TOP}" {size} fill="none" stroke="#333"/>'
    across, up = axes
    for value in _TICKS if across.bounded else (1e-3, 1e-2, 1e-1, 1, 10, 100):
        label = "0" if value == _LEAST else f"{value:g}"
        yield f'<text x="{axes.x(value):.1f}" y="{bottom + 16}" text-anchor="middle">{label}</text>'
    for tick in [Fraction(str(t)) for t in _TICKS] if up.bounded else ETAS[::2]:
        yield f'<text x="{_LEFT - 6}" y="{axes.y(float(tick)) + 4:.1f}" text-anchor="end">{number_text(tick)}</text>'
    middle = f'x="{_WIDTH / 2:.0f}" y="{bottom + 36}"'
    name, other = (html.escape(printable(axis.name)) for axis in axes)
    scale = "" if across.bounded else " (logarithmic; the left edge is 0)"
    yield f'<text {middle} text-anchor="middle">{name}{scale}</text>'
    yield f'<text x="16" y="{_HEIGHT / 2:.0f}" transform="rotate(-90 16 {_HEIGHT / 2:.0f})">{other}</text>'


def _settings(axes: _Axes) -> Iterator[str]:
    """Mark the settings of the paper: eta = 1 with the sweep of beta, and the default beta = 1, filled."""
    for setting in paper_settings():
        default = setting.beta == 1
        centre = f'cx="{axes.x(float(setting.beta)):.1f}" cy="{axes.y(float(setting.eta)):.1f}"'
        label = f"<title>{setting.told}: beta = {float(setting.beta):g}, eta = {float(setting.eta):g}</title>"
        shape = 'r="4.5" fill="black"' if default else 'r="3" fill="white"'
        yield f'<circle {centre} {shape} stroke="black">{label}</circle>'


def _signs(made: Map) -> list[tuple[str, str]]:
    """Return the signs of areas and lines that are there, as attributes, with what they mean."""
    first = made.rows[0]
    signs = [('fill="#9ecae1" stroke="#08519c"', made.proven)]
    if (made.first, made.second) != ("beta", "eta"):
        return signs
    if first.fails_for_every_eta:
        signs.append((f'fill="none" {_NEVER}', "fails at every eta (exact): a determinant proves it"))
    outlines = (
        (words, f'fill="none" stroke="{colour}" stroke-width="2"') for words, colour, *_ in sufficient(first.bounds)
    )
    return signs + [(sign, words) for words, sign in outlines]


def _legend(signs: list[tuple[str, str]], axes: _Axes) -> Iterator[str]:
    line = _HEIGHT + 52
    for sign, words in signs:
        yield f'<rect x="{_LEFT}" y="{line - 10}" width="14" height="12" {sign}/>'
        yield f'<text x="{_LEFT + 22}" y="{line}">{words}</text>'
        line += _LINE
    if not axes.of_the_paper:
        return
    yield f'<circle cx="{_LEFT + 7}" cy="{line - 4}" r="3" fill="white" stroke="black"/>'
    yield f'<text x="{_LEFT + 22}" y="{line}">the paper\'s settings; filled: its default, beta = eta = 1</text>'
