"""Text of a drawing, and where it finds room."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reports.chain.layout import Point

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

    @classmethod
    def around(cls, point: Point, lines: tuple[str, ...]) -> Text:
        """Return lines with a point in their middle."""
        return cls((point[0], point[1] + 4 - LINE * (len(lines) - 1) / 2), lines, on_arrow=True)

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


@dataclass(slots=True)
class Room:
    """What of a drawing is covered.

    Attributes:
        boxes: by texts and states.
    """

    boxes: list[Box] = field(default_factory=list)

    def put(self, texts: Iterable[Text]) -> Text | None:
        """Return the first of several texts that covers nothing else, which is then there; None where all do."""
        for text in texts:
            if not any(_overlap(text.box, other) for other in self.boxes):
                self.boxes.append(text.box)
                return text
        return None


def holds(box: Box, point: Point) -> bool:
    """Return whether a point lies in a box."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
