"""A chain drawn as SVG: states as circles, arrows with what each policy does, and the value of each state."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from reports.chain.arrows import Arrow, Chain, chain_of
from reports.chain.layout import RADIUS, Layout, Point, layout
from reports.chain.path import midpoint, path
from reports.chain.words import KINDS, arrow_told, described, legend_rows, linear_form, probabilities, signed
from tdrc_theory.command import printable
from tdrc_theory.exact import Number
from tdrc_theory.exact.convert import short_number
from tdrc_theory.problem import END, Problem

_LINE = 14.0
_MOST_TERMS = 6
_LABELLED = 8
_STYLES = (
    ("#0072b2", 2.0, ""),
    ("#333", 0.7, ""),
    ("#d55e00", 1.6, "7 4"),
    ("#009e73", 1.6, "2 4"),
)
"""Colour, width and dashes of arrows: those that target takes first, where arrows are too many for labels."""


@dataclass(frozen=True, slots=True)
class _Text:
    """Lines of text around a point."""

    at: Point
    lines: tuple[str, ...]
    anchor: str = "middle"

    def draw(self) -> Iterator[str]:
        x, y = self.at
        for i, line in enumerate(self.lines):
            # The paper's colour around the letters keeps them legible on arrows.
            yield (
                f'<text x="{x:.1f}" y="{y + _LINE * i:.1f}" text-anchor="{self.anchor}" fill="#333" stroke="white" '
                f'stroke-width="3" paint-order="stroke">{html.escape(line)}</text>'
            )

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom, about."""
        width = 6.6 * max(map(len, self.lines), default=0)
        left = {"middle": -width / 2, "start": 0.0, "end": -width}[self.anchor] + self.at[0]
        return left, self.at[1] - 11, left + width, self.at[1] + _LINE * (len(self.lines) - 1) + 4


def svg(problem: Problem) -> str | None:
    """Return the graph of a problem's chain, None where it would not be legible; the name may be a user's."""
    chain = chain_of(problem)
    places = layout(chain)
    if places is None:
        return None
    kinds = _kinds(chain, places)
    below = _depth(chain, places)
    texts = [*_labels(chain, places, kinds), *_values(problem, places, below)]
    legend = legend_rows(chain, kinds)
    left, top, right, bottom = _frame(places, texts)
    height = bottom - top + _LINE * 1.4 * len(legend) + 12
    width = max(right - left, 8 + 6.6 * max((len(text) + 8 for _, text in legend), default=0))
    name = html.escape(printable(problem.name))
    drawn = [
        *_markers(),
        *(part for arrow in _drawn(chain, kinds) for part in _arrow(arrow, places, _style(arrow, kinds))),
        *_states(chain, places),
        *(part for text in texts for part in text.draw()),
        *_keys(legend, left + 8, bottom + 16),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" role="img"'
    return "\n".join(
        [
            f'{head} font-family="sans-serif" font-size="12">',
            f"<title>The chain of {name}</title>",
            f"<desc>{html.escape(described(chain))}</desc>",
            *drawn,
            "</svg>\n",
        ]
    )


def _kinds(chain: Chain, places: Layout) -> list[tuple[Number, Number]]:
    """Return the different pairs of probabilities where arrows are too many for labels of their own; none elsewhere."""
    if places.on_line or (chain.states <= _LABELLED and len(chain.arrows) <= 3 * chain.states):
        return []
    found = {(arrow.behaviour, arrow.target) for arrow in chain.arrows}
    return sorted(found, key=lambda pair: (-pair[1], -pair[0]))


def _style(arrow: Arrow, kinds: list[tuple[Number, Number]]) -> int:
    """Return the number of an arrow's style: of its kind where each can have its own, else whether target takes it."""
    if 0 < len(kinds) <= KINDS:
        return kinds.index((arrow.behaviour, arrow.target))
    return int(not arrow.target)


def _drawn(chain: Chain, kinds: list[tuple[Number, Number]]) -> list[Arrow]:
    """Return the arrows, the faint ones first, so that they lie below."""
    return sorted(chain.arrows, key=lambda arrow: -_style(arrow, kinds))


def _markers() -> Iterator[str]:
    yield "<defs>"
    for i, (colour, _, _) in enumerate(_STYLES):
        yield (
            f'<marker id="head-{i}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
            f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="{colour}"/></marker>'
        )
    yield "</defs>"


def _arrow(arrow: Arrow, places: Layout, style: int) -> Iterator[str]:
    colour, width, dashes = _STYLES[style]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    yield (
        f'<path d="{path(arrow, places)}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed} '
        f'marker-end="url(#head-{style})"><title>{html.escape(arrow_told(arrow))}</title></path>'
    )


def _labels(chain: Chain, places: Layout, kinds: list[tuple[Number, Number]]) -> Iterator[_Text]:
    """Yield what stands at the arrows."""
    if kinds:
        return
    for arrow in chain.arrows:
        lines = probabilities(arrow, chain.on_policy)
        if arrow.reward != chain.usual_reward:
            lines = (*lines, "R varies" if arrow.reward is None else f"R {signed(short_number(arrow.reward))}")
        if arrow.s == arrow.t:
            out = (0.0, -1.0) if places.on_line else places.outward[arrow.s]
            x, y = places.states[arrow.s]
            x, y = x + (RADIUS + 30) * out[0], y + (RADIUS + 30) * out[1]
        else:
            x, y = midpoint(arrow, places)
        above = not places.on_line or arrow.t > arrow.s or arrow.t == END or arrow.s == arrow.t
        shift = -8 - _LINE * (len(lines) - 1) if places.on_line and above else 17
        yield _Text((x, y + (shift if places.on_line else 4 - _LINE * (len(lines) - 1) / 2)), lines)


def _depth(chain: Chain, places: Layout) -> float:
    """Return how far arrows and labels reach below a line of states."""
    if not places.on_line:
        return RADIUS
    back = [arrow.s - arrow.t for arrow in chain.arrows if arrow.t not in (END, arrow.s) and arrow.t < arrow.s]
    return {0: RADIUS, 1: RADIUS + 38}.get(max(back, default=0), RADIUS + 92)


def _values(problem: Problem, places: Layout, below: float) -> Iterator[_Text]:
    """Yield w.x beside each state."""
    loops = {s for s, _, t, _, _ in problem.transitions if s == t}
    for s, row in enumerate(problem.features):
        terms = linear_form(row)
        if len(terms) > _MOST_TERMS:
            terms = (*terms[: _MOST_TERMS - 1], "+ ...")
        x, y = places.states[s]
        if places.on_line:
            yield _Text((x, y + below + 16), terms)
            continue
        lines = tuple(" ".join(pair) for pair in _pairs(terms))
        reach = RADIUS + (40 if s in loops else 12)
        out = places.outward[s]
        anchor = "middle" if abs(out[0]) < 0.3 else "start" if out[0] > 0 else "end"
        lift = _LINE * (len(lines) - 1) * (out[1] - 1) / 2
        yield _Text((x + reach * out[0], y + reach * out[1] + 4 + 6 * out[1] + lift), lines, anchor)


def _pairs(terms: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for i in range(0, len(terms), 2):
        yield terms[i : i + 2]


def _states(chain: Chain, places: Layout) -> Iterator[str]:
    for s, (x, y) in enumerate(places.states):
        width = 3.0 if s in chain.first else 1.4
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}" fill="white" stroke="#333" stroke-width="{width}"/>'
        if s in chain.terminal:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS - 4:g}" fill="none" stroke="#333"/>'
        yield f'<text x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle" fill="#333">{s}</text>'
    for x, y in places.ends.values():
        yield f'<rect x="{x - 8:.1f}" y="{y - 8:.1f}" width="16" height="16" fill="#333" stroke="#333"/>'


def _frame(places: Layout, texts: list[_Text]) -> tuple[float, float, float, float]:
    points = [*places.states, *places.ends.values()]
    room = RADIUS + (34 if not places.on_line else 10)
    boxes = [*((x - room, y - room, x + room, y + room) for x, y in points), *(text.box for text in texts)]
    left, top = min(box[0] for box in boxes) - 10, min(box[1] for box in boxes) - 10
    if places.on_line and any(abs(a[0] - b[0]) for a, b in pairwise(places.states)):
        top = min(top, -RADIUS - 40)
    return left, top, max(box[2] for box in boxes) + 10, max(box[3] for box in boxes) + 8


def _keys(legend: list[tuple[int | str, str]], x: float, y: float) -> Iterator[str]:
    for i, (sign, text) in enumerate(legend):
        line = y + 1.4 * _LINE * i
        indent = 0 if sign == "" else 44
        if isinstance(sign, int):
            colour, width, dashes = _STYLES[sign]
            dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
            yield (
                f'<path d="M{x:.1f},{line - 4:.1f} h34" stroke="{colour}" stroke-width="{width}"{dashed} '
                f'marker-end="url(#head-{sign})"/>'
            )
        elif sign == "end":
            yield f'<rect x="{x + 10:.1f}" y="{line - 11:.1f}" width="14" height="14" fill="#333"/>'
        elif sign:
            width = 3.0 if sign == "first" else 1.4
            centre = f'cx="{x + 17:.1f}" cy="{line - 4:.1f}"'
            yield f'<circle {centre} r="8" fill="none" stroke="#333" stroke-width="{width}"/>'
            if sign == "terminal":
                yield f'<circle {centre} r="5" fill="none" stroke="#333"/>'
        yield f'<text x="{x + indent:.1f}" y="{line:.1f}" fill="#333">{html.escape(text)}</text>'
