"""Where states of a chain lie, on a line where every step is short, elsewhere on a circle; and the ways of arrows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from reports.chain.arrows import Arrow, Chain
from tdrc_theory.problem import END

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
    """Return the places of a chain's states; None where there are too many for a legible picture.

    Args:
        chain: what is drawn.
        size: of a circle of states, 1 the usual one.
    """
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
