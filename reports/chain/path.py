"""The ways of arrows between the states of a chain."""

from __future__ import annotations

import math
from itertools import pairwise

from reports.chain.arrows import Arrow
from reports.chain.layout import RADIUS, Layout, Point
from tdrc_theory.problem import END

_SLANT = 0.11
"""How far the middle of an arrow of a circle lies from the straight way, of that way's length."""
DEPTH = 78.0
"""How far below a line of states an arrow passes that leads back over a state: below the label of a shorter one."""


def _bend(arrow: Arrow, places: Layout, length: float) -> float:
    """Return how far the middle of an arrow lies to the left of the straight way."""
    if arrow.t == END:
        return 0.0
    if places.on_line:
        return {1: 14.0, 2: 62.0}.get(abs(arrow.s - arrow.t), 0.0)
    return _SLANT * length


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
    bend = _bend(arrow, places, length)
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
