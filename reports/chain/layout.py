"""Where states of a chain lie: on a line where every step is short, else on a circle; and what stands beside them."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from reports.chain.arrows import Arrow, Chain, label, linear_form
from tdrc_theory.problem import END, Problem

MOST_ON_LINE, MOST_ON_CIRCLE = 24, 16
"""States up to which a chain is drawn."""
RADIUS = 18.0
_STEP, _MARGIN, _FURTHEST, _CROWDED = 82.0, 86.0, 2, 3
"""Between neighbours on a line, to its ends; how far a step on it goes at most; arrows a state that crowd it then."""
_SLANT = 0.11
"""How far the middle of an arrow of a circle lies from the straight way, of that way's length."""
DEPTH = 78.0
"""How far below a line of states an arrow passes that leads back over a state: below the label of a shorter one."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """Places, in units of the figure.

    Attributes:
        on_line: whether the states lie on a line, rather than on a circle.
        states: of each state.
        outward: (states,), the direction from the middle of the figure, where there is room beside a state.
        ends: of the end of an episode, by the state that it is reached from.
    """

    on_line: bool
    states: tuple[Point, ...]
    outward: tuple[Point, ...]
    ends: dict[int, Point]

    def place(self, arrow: Arrow) -> Point:
        """Return where an arrow leads."""
        return self.ends[arrow.s] if arrow.t == END else self.states[arrow.t]


def layout(chain: Chain, size: float = 1.0) -> Layout | None:
    """Return where the states of a chain lie, a circle `size` times as large as usual; None where they are too many."""
    steps = [abs(arrow.s - arrow.t) for arrow in chain.arrows if arrow.t != END]
    furthest = max(steps, default=0)
    if furthest <= 1 or (furthest <= _FURTHEST and len(chain.arrows) < _CROWDED * chain.states):
        return _line(chain) if chain.states <= MOST_ON_LINE else None
    return _circle(chain, size) if chain.states <= MOST_ON_CIRCLE else None


def _line(chain: Chain) -> Layout:
    states = tuple((_MARGIN + _STEP * s, 0.0) for s in range(chain.states))
    ends = {}
    for arrow in chain.arrows:
        if arrow.t == END:
            x, y = states[arrow.s]
            last = arrow.s == chain.states - 1
            beside = _STEP if last else -_STEP if arrow.s == 0 else 0.0
            ends[arrow.s] = (x + beside, y if beside else y - _STEP)
    return Layout(True, states, ((0.0, 1.0),) * chain.states, ends)


def _circle(chain: Chain, size: float) -> Layout:
    """Place the states clockwise, the last at the bottom."""
    radius = size * max(110.0, chain.states * 3.6 * RADIUS / (2 * math.pi))
    angles = [math.pi / 2 + 2 * math.pi * (s + 1) / chain.states for s in range(chain.states)]
    outward = tuple((math.cos(angle), math.sin(angle)) for angle in angles)
    ends = {}
    for arrow in chain.arrows:
        if arrow.t == END:
            aside = angles[arrow.s] + 0.35
            ends[arrow.s] = ((radius + 62) * math.cos(aside), (radius + 62) * math.sin(aside))
    return Layout(False, tuple((radius * x, radius * y) for x, y in outward), outward, ends)


def path(arrow: Arrow, places: Layout) -> str:
    """Return an arrow as the data of an SVG path."""
    first, *others = (f"{x:.1f},{y:.1f}" for x, y in _corners(arrow, places))
    return f"M{first} {'C' if len(others) == 3 else 'Q'}{' '.join(others)}"


def point(arrow: Arrow, places: Layout, share: float) -> Point:
    """Return the point of an arrow after a share of its way, by Casteljau's construction."""
    corners = _corners(arrow, places)
    while len(corners) > 1:
        corners = [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for a, b in pairwise(corners)]
    return corners[0]


def _midpoint(arrow: Arrow, places: Layout) -> Point:
    """Return the point of an arrow half-way, bent to its left: forward arrows of a line above, the others below."""
    (x0, y0), (x1, y1) = places.states[arrow.s], places.place(arrow)
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    bend = {1: 14.0, 2: 62.0}.get(abs(arrow.s - arrow.t), 0.0) if places.on_line else _SLANT * length
    bend = 0.0 if arrow.t == END else bend
    return (x0 + x1) / 2 + bend * (y1 - y0) / length, (y0 + y1) / 2 - bend * (x1 - x0) / length


def _corners(arrow: Arrow, places: Layout) -> list[Point]:
    """Return the points that define an arrow's curve: quadratic between states, cubic at one, and back over one."""
    (x0, y0), (x1, y1) = places.states[arrow.s], places.place(arrow)
    if arrow.s == arrow.t:
        return _loop((x0, y0), (0.0, -1.0) if places.on_line else places.outward[arrow.s])
    if places.on_line and arrow.t != END and arrow.s - arrow.t > 1:
        below = y0 + 4 / 3 * DEPTH - RADIUS / 3  # so that the middle of the curve is at DEPTH
        return [(x0, y0 + RADIUS + 1), (x0, below), (x1, below), (x1, y1 + RADIUS + 3)]
    middle = _midpoint(arrow, places)
    # A quadratic curve through `middle` at half of its way.
    control = (2 * middle[0] - (x0 + x1) / 2, 2 * middle[1] - (y0 + y1) / 2)
    start = _towards((x0, y0), control, RADIUS + 1)
    end = _towards((x1, y1), control, (9.0 if arrow.t == END else RADIUS) + 2)
    return [start, control, end]


def _towards(a: Point, b: Point, by: float) -> Point:
    length = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    return a[0] + by * (b[0] - a[0]) / length, a[1] + by * (b[1] - a[1]) / length


def _loop(centre: Point, out: Point) -> list[Point]:
    """Return a loop at a circle, on the side where there is room."""
    angle = math.atan2(out[1], out[0])
    points = []
    for turn, reach in ((-0.45, RADIUS + 1), (-0.5, RADIUS + 30), (0.5, RADIUS + 30), (0.45, RADIUS + 3)):
        points.append((centre[0] + reach * math.cos(angle + turn), centre[1] + reach * math.sin(angle + turn)))
    return points


MOST_LABELLED = 30
"""Arrows of a circle that are labelled; the more there are, the longer it takes to find room, and the less it helps."""
_MOST_TERMS = 6
_SHARES = (0.38, 0.32, 0.44, 0.26, 0.5, 0.56, 0.62, 0.2)
"""Where on its way an arrow's label may stand, preferably on the side that it comes from."""
_STEPS = 24
"""Points that stand for an arrow's way."""
LINE = 14.0
_WIDE, _ABOVE, _BELOW = 6.6, 11.0, 4.0
"""A letter's width, and what a line takes above and below the place that it stands on; about."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


@dataclass(frozen=True, slots=True)
class Text:
    """Lines of text, the first one on the height of a point; `on_arrow` where they interrupt the arrow below them."""

    at: Point
    lines: tuple[str, ...]
    anchor: str = "middle"
    on_arrow: bool = False

    def draw(self) -> Iterator[str]:
        """Yield a line each."""
        x, y = self.at
        if self.on_arrow:
            left, top, right, bottom = self.box
            size = f'width="{right - left:.1f}" height="{bottom - top:.1f}"'
            yield f'<rect x="{left:.1f}" y="{top:.1f}" {size} fill="white" stroke="none"/>'
        for i, line in enumerate(self.lines):
            # The paper's colour around the letters keeps them legible on arrows.
            yield (
                f'<text x="{x:.1f}" y="{y + LINE * i:.1f}" text-anchor="{self.anchor}" fill="#333" stroke="white" '
                f'stroke-width="3" paint-order="stroke">{html.escape(line)}</text>'
            )

    @property
    def box(self) -> Box:
        """Return what it covers, about."""
        width = _WIDE * max(map(len, self.lines), default=0)
        left = {"middle": -width / 2, "start": 0.0, "end": -width}[self.anchor] + self.at[0]
        return left, self.at[1] - _ABOVE, left + width, self.at[1] + LINE * (len(self.lines) - 1) + _BELOW


def labels(chain: Chain, places: Layout, covered: list[Box]) -> list[Text] | None:
    """Return what stands at the arrows; None where one would lie on another, or on an arrow that it does not belong to.

    `covered` is what texts and states cover so far; the labels are added.
    """
    if not places.on_line and len(chain.arrows) > MOST_LABELLED:
        return None
    texts = [put(tried, covered) for tried in _tried(chain, places)]
    result = [text for text in texts if text is not None]
    return result if len(result) == len(texts) else None


def _tried(chain: Chain, places: Layout) -> Iterator[list[Text]]:
    """Yield where each arrow's label may stand, off other arrows; short arrows first: they have the least choice."""
    ways = {arrow: _way(arrow, places) for arrow in chain.arrows}
    for arrow in sorted(chain.arrows, key=lambda arrow: math.dist(places.states[arrow.s], places.place(arrow))):
        others = [at for other, way in ways.items() if other is not arrow for at in way]
        if places.on_line:
            tried = [_beside(arrow, chain, places)]
        elif arrow.s == arrow.t:
            tried = [_outside(arrow.s, label(arrow, chain), places, reach) for reach in (36, 44, 52)]
        else:
            lines = label(arrow, chain)
            first = 4 - LINE * (len(lines) - 1) / 2  # so that the point is in the middle of the lines
            at = [point(arrow, places, share) for share in _SHARES]
            tried = [Text((x, y + first), lines, on_arrow=True) for x, y in at]
        yield [text for text in tried if not any(_holds(text.box, at) for at in others)]


def _way(arrow: Arrow, places: Layout) -> list[Point]:
    """Return points that stand for an arrow's way."""
    return [point(arrow, places, i / _STEPS) for i in range(_STEPS + 1)]


def _beside(arrow: Arrow, chain: Chain, places: Layout) -> Text:
    """Return an arrow's label on a line: above what leads on, below what leads back."""
    lines = label(arrow, chain)
    x, y = point(arrow, places, 0.5)
    if arrow.t not in (END, arrow.s) and arrow.t < arrow.s:
        return Text((x, y + 17), lines)
    return Text((x, y - (14 if arrow.s == arrow.t else 8) - LINE * (len(lines) - 1)), lines)


def values(problem: Problem, chain: Chain, places: Layout, covered: list[Box]) -> Iterator[Text]:
    """Yield w.x beside each state, as near as there is room; nothing where features are by state and action."""
    below = _depth(chain)
    ways = [at for arrow in chain.arrows for at in _way(arrow, places)]
    for s, row in enumerate(problem.features if chain.has_values else ()):
        terms = linear_form(row)
        if len(terms) > _MOST_TERMS:
            terms = (*terms[: _MOST_TERMS - 1], "+ ...")
        x, y = places.states[s]
        if places.on_line:
            yield Text((x, y + below + 16), terms)
            continue
        lines = tuple(" ".join(terms[i : i + 2]) for i in range(0, len(terms), 2))
        tried = [_outside(s, lines, places, reach) for reach in (12, 24, 40, 56, 72, 88, 104, 120)]
        yield put((text for text in tried if not any(_holds(text.box, at) for at in ways)), covered) or tried[-1]


def _outside(s: int, lines: tuple[str, ...], places: Layout, reach: float) -> Text:
    """Return lines so far outside of a circle of states."""
    (x, y), out = places.states[s], places.outward[s]
    anchor = "middle" if abs(out[0]) < 0.3 else "start" if out[0] > 0 else "end"
    lift = LINE * (len(lines) - 1) * (out[1] - 1) / 2
    away = RADIUS + reach
    return Text((x + away * out[0], y + away * out[1] + 4 + 6 * out[1] + lift), lines, anchor)


def _depth(chain: Chain) -> float:
    """Return how far arrows and labels reach below a line of states."""
    back = [arrow.s - arrow.t for arrow in chain.arrows if arrow.t not in (END, arrow.s) and arrow.t < arrow.s]
    return {0: RADIUS, 1: RADIUS + 38}.get(max(back, default=0), DEPTH + 48)


def put(texts: Iterable[Text], covered: list[Box]) -> Text | None:
    """Return the first of several texts that covers nothing else, which is then there; None where all do."""
    for text in texts:
        if not any(_overlap(text.box, other) for other in covered):
            covered.append(text.box)
            return text
    return None


def _holds(box: Box, point: Point) -> bool:
    """Return whether a point lies in a box."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
