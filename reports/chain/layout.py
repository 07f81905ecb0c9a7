"""Where the states of a chain lie: on a line where every step is short, on a circle elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reports.chain.arrows import Arrow, Chain
from tdrc_theory.problem import END

MOST_ON_LINE, MOST_ON_CIRCLE = 24, 16
"""States up to which a chain is drawn."""
RADIUS = 18.0
_STEP, _MARGIN, _FURTHEST, _CROWDED = 82.0, 86.0, 2, 3
"""Between neighbours on a line, to its ends; how far a step on it goes at most; arrows a state that crowd it then."""

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
