"""A chain drawn as SVG: states as circles, arrows with what each policy does, values of states, and a legend."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from reports.chain.arrows import LONGEST, Arrow, Chain, arrow_text, chain_of, described, signed
from reports.chain.layout import LINE, RADIUS, Box, Layout, Text, labels, layout, path, values
from tdrc_theory.cli.command import printable
from tdrc_theory.exact.number import short_number
from tdrc_theory.problem import END, Problem

STYLES = (
    ("#0072b2", 2.0, ""),
    ("#333", 0.7, ""),
    ("#d55e00", 1.6, "7 4"),
    ("#009e73", 1.6, "2 4"),
)
"""Colour, width and dashes."""
_TAKEN, _NEVER, _LESS = 0, 1, 2
"""Styles of arrows that target takes, at least as often as behaviour where that matters; never; and less often."""
_LEAST_WIDTH, _MOST_WIDTH, _LEAST_STRENGTH = 0.6, 3.2, 0.4


class ShownBy(Enum):
    """How it is shown how often an arrow is taken."""

    LABELS = "labels"
    """Text at each arrow, where there is room."""
    KINDS = "kinds"
    """A style for each pair of probabilities, where they are few."""
    WIDTHS = "widths"
    """Width and strength, elsewhere."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """How arrows are drawn; `kinds` are the pairs (behaviour, target) of probabilities by style, if they tell."""

    shown_by: ShownBy
    kinds: tuple[tuple[Fraction, Fraction], ...]
    most: Fraction

    @classmethod
    def of(cls, chain: Chain, labelled: bool) -> Strokes:
        """Return the strokes of a chain, with labels or without them."""
        most = max((arrow.behaviour for arrow in chain.arrows), default=Fraction(1))
        pairs = {(arrow.behaviour, arrow.target) for arrow in chain.arrows}
        kinds = tuple(sorted(pairs, key=lambda pair: (-pair[1], -pair[0])))
        if labelled:
            return cls(ShownBy.LABELS, (), most)
        return cls(ShownBy.KINDS, kinds, most) if len(kinds) <= len(STYLES) else cls(ShownBy.WIDTHS, (), most)

    def style(self, arrow: Arrow) -> int:
        """Return the number of an arrow's style."""
        if self.shown_by is ShownBy.KINDS:
            return self.kinds.index((arrow.behaviour, arrow.target))
        if not arrow.target:
            return _NEVER
        return _LESS if self.shown_by is ShownBy.WIDTHS and arrow.target < arrow.behaviour else _TAKEN

    def width(self, arrow: Arrow) -> float:
        """Return how wide an arrow is."""
        if self.shown_by is not ShownBy.WIDTHS:
            return STYLES[self.style(arrow)][1]
        return _LEAST_WIDTH + (_MOST_WIDTH - _LEAST_WIDTH) * float(arrow.behaviour / self.most)

    def strength(self, arrow: Arrow) -> float:
        """Return how little of the paper an arrow lets through, at most 1."""
        if self.shown_by is not ShownBy.WIDTHS:
            return 1.0
        return _LEAST_STRENGTH + (1 - _LEAST_STRENGTH) * float(arrow.behaviour / self.most)


_OF_MATRICES = (
    "The chain as matrices of transition probabilities, actions merged: a graph would have too many arrows. "
    "The numbers behind it are exact."
)


def caption(shown_by: ShownBy, chain: Chain) -> str:
    """Return what is to be seen of a chain's graph."""
    values = ", with their values w.x" if chain.has_values else ""
    graph = f"The chain, actions merged: circles are states{values}."
    if shown_by is ShownBy.WIDTHS:
        return f"{graph} There are too many arrows for labels: the numbers behind it have their exact probabilities."
    return graph


def legend_rows(chain: Chain, strokes: Strokes) -> list[tuple[int | str, str]]:
    """Return (sign, text): the number of an arrow's style, or the name of another sign."""
    rows = [*_of_arrows(chain, strokes), *([("", "beside a state: its value w.x")] if chain.has_values else [])]
    rows += _of_rewards(chain, "unless R is written" if strokes.shown_by is ShownBy.LABELS else "but not everywhere")
    if chain.first:
        rows.append(("first", "an episode begins here"))
    if any(arrow.t == END for arrow in chain.arrows):
        rows.append(("end", "the episode ends"))
    if chain.terminal:
        rows.append(("terminal", "terminal state: the episode ends there"))
    return rows


def _of_arrows(chain: Chain, strokes: Strokes) -> list[tuple[int | str, str]]:
    if strokes.shown_by is ShownBy.KINDS:
        return [
            (i, f"probability {short_number(behaviour)} under behaviour, {short_number(target)} under target")
            for i, (behaviour, target) in enumerate(strokes.kinds)
        ]
    if strokes.shown_by is ShownBy.WIDTHS:
        odds = [float(arrow.behaviour) for arrow in chain.arrows]
        often = "the wider and stronger, the more often behaviour takes it: probability"
        alike = (
            "taken as often by target as by behaviour" if chain.on_policy else "target takes it as often, or more often"
        )
        meanings = {
            _TAKEN: alike,
            _NEVER: "only behaviour takes it",
            _LESS: "target takes it less often than behaviour",
        }
        there = {strokes.style(arrow) for arrow in chain.arrows}
        styles = [(style, meaning) for style, meaning in meanings.items() if style in there]
        return [*styles, ("", f"{often} {min(odds):.2g} to {max(odds):.2g}")]
    numbers = [n for arrow in chain.arrows for n in (arrow.behaviour, arrow.target)]
    rounded = ", to two digits where it is long" if any(len(short_number(n)) > LONGEST for n in numbers) else ""
    both = "under behaviour and target alike" if chain.on_policy else "under behaviour (b) and under target (π)"
    return [("", f"at the arrows: the probability{rounded}, {both}")]


def _of_rewards(chain: Chain, unless: str) -> list[tuple[int | str, str]]:
    """Return the usual reward, and `unless` where there are others."""
    if chain.usual_reward is None:
        return []
    others = any(arrow.reward != chain.usual_reward for arrow in chain.arrows)
    return [("", f"reward {signed(short_number(chain.usual_reward))}{f', {unless}' if others else ''}")]


_SIZES = (1.0, 1.3, 1.6)
"""How much larger than usual a circle of states is drawn, to make room for labels."""
_CROWDED = 4
"""Arrows a state beyond which matrices are drawn, unless arrows have labels, or are of a few kinds."""
MOST_IN_MATRIX = 24
"""States up to which matrices are drawn."""
_CELL, _NUMBERED = 27.0, 12
"""The side of a cell; states up to which numbers are written into cells."""
_SMALL = 16.0
_STRONGEST = 0.6
"""How much of its colour the likeliest step has: numbers stay legible on it."""


class Drawing(NamedTuple):
    """A chain drawn: as SVG, in which the problem's name may be a user's, what is to be seen, and what was drawn."""

    svg: str
    caption: str
    chain: Chain


def draw(problem: Problem) -> Drawing | None:
    """Return a problem's chain drawn: as a graph, or as matrices; None where neither would be legible."""
    chain = chain_of(problem)
    places, texts, labelled = _placed(problem, chain)
    strokes = Strokes.of(chain, labelled)
    crowded = strokes.shown_by is ShownBy.WIDTHS and len(chain.arrows) > _CROWDED * chain.states
    if places is not None and not crowded:
        graph = _graph(chain, places, texts, strokes)
        return Drawing(_document(problem, chain, *graph), caption(strokes.shown_by, chain), chain)
    if chain.states > MOST_IN_MATRIX:
        return None
    return Drawing(_document(problem, chain, *_matrices(chain)), _OF_MATRICES, chain)


def _document(problem: Problem, chain: Chain, frame: Box, parts: list[str]) -> str:
    left, top, right, bottom = frame
    view = f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" role="img" '
            'font-family="sans-serif" font-size="12">',
            f"<title>The chain of {html.escape(printable(problem.name))}</title>",
            f"<desc>{html.escape(described(chain))}</desc>",
            *parts,
            "</svg>\n",
        ]
    )


def _graph(chain: Chain, places: Layout, texts: list[Text], strokes: Strokes) -> tuple[Box, list[str]]:
    """Return the graph of a chain, and its frame."""
    legend = legend_rows(chain, strokes)
    left, top, right, bottom = _frame(places, texts)
    # The faint ones first, so that they lie below.
    arrows = sorted(chain.arrows, key=lambda arrow: (strokes.strength(arrow), -strokes.style(arrow)))
    parts = [
        *_markers(),
        *(part for arrow in arrows for part in _arrow(arrow, places, strokes)),
        *_states(chain, places),
        *(part for text in texts for part in text.draw()),
        *_keys(legend, left + 8, bottom + 16),
    ]
    return (left, top, max(right, left + _legend_width(legend)), bottom + _legend_height(legend)), parts


def _legend_width(legend: list[tuple[int | str, str]]) -> float:
    return 8 + 6.6 * max((len(text) + 8 for _, text in legend), default=0)


def _legend_height(legend: list[tuple[int | str, str]]) -> float:
    return LINE * 1.4 * len(legend) + 12


def _placed(problem: Problem, chain: Chain) -> tuple[Layout | None, list[Text], bool]:
    """Return where states lie, None of too many, what is written around them, and whether with every arrow's label."""
    for places in filter(None, (layout(chain, size) for size in _SIZES)):
        covered = _around(places, RADIUS, 8.0)
        result = labels(chain, places, covered)
        if result is not None:
            return places, [*result, *values(problem, chain, places, covered)], True
    plain = layout(chain)
    texts = [] if plain is None else list(values(problem, chain, plain, _around(plain, RADIUS, 8.0)))
    return plain, texts, False


def _around(places: Layout, of_states: float, of_ends: float) -> list[Box]:
    """Return boxes around states and ends, of these half widths."""
    points = [*((at, of_states) for at in places.states), *((at, of_ends) for at in places.ends.values())]
    return [(x - r, y - r, x + r, y + r) for (x, y), r in points]


def _markers() -> Iterator[str]:
    yield "<defs>"
    for i, (colour, _, _) in enumerate(STYLES):
        yield (
            f'<marker id="head-{i}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
            f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="{colour}"/></marker>'
        )
    yield "</defs>"


def _arrow(arrow: Arrow, places: Layout, strokes: Strokes) -> Iterator[str]:
    style = strokes.style(arrow)
    faint = strokes.strength(arrow)
    strength = f' opacity="{faint:.2f}"' if faint < 1 else ""
    yield (
        f'<path d="{path(arrow, places)}" fill="none" {_stroke(style, strokes.width(arrow))}{strength} '
        f'marker-end="url(#head-{style})"><title>{html.escape(arrow_text(arrow))}</title></path>'
    )


def _stroke(style: int, width: float) -> str:
    colour, _, dashes = STYLES[style]
    return f'stroke="{colour}" stroke-width="{width:.3g}"' + (f' stroke-dasharray="{dashes}"' if dashes else "")


def _states(chain: Chain, places: Layout) -> Iterator[str]:
    for s, (x, y) in enumerate(places.states):
        width = 3.0 if s in chain.first else 1.4
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}" fill="white" stroke="#333" stroke-width="{width}"/>'
        if s in chain.terminal:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS - 4:g}" fill="none" stroke="#333"/>'
        yield f'<text x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle" fill="#333">{s}</text>'
    for x, y in places.ends.values():
        yield f'<rect x="{x - 8:.1f}" y="{y - 8:.1f}" width="16" height="16" fill="#333" stroke="#333"/>'


def _frame(places: Layout, texts: list[Text]) -> Box:
    boxes = [*_around(places, RADIUS + (10 if places.on_line else 34), 12.0), *(text.box for text in texts)]
    left, top = min(box[0] for box in boxes) - 10, min(box[1] for box in boxes) - 10
    if places.on_line and any(abs(a[0] - b[0]) for a, b in pairwise(places.states)):
        top = min(top, -RADIUS - 40)
    return left, top, max(box[2] for box in boxes) + 10, max(box[3] for box in boxes) + 8


def _keys(legend: list[tuple[int | str, str]], x: float, y: float) -> Iterator[str]:
    for i, (sign, text) in enumerate(legend):
        line = y + 1.4 * LINE * i
        indent = 0 if sign == "" else 44
        if isinstance(sign, int):
            drawn = _stroke(sign, STYLES[sign][1])
            yield f'<path d="M{x:.1f},{line - 4:.1f} h34" {drawn} marker-end="url(#head-{sign})"/>'
        elif sign == "end":
            yield f'<rect x="{x + 10:.1f}" y="{line - 11:.1f}" width="14" height="14" fill="#333"/>'
        elif sign:
            width = 3.0 if sign == "first" else 1.4
            centre = f'cx="{x + 17:.1f}" cy="{line - 4:.1f}"'
            yield f'<circle {centre} r="8" fill="none" stroke="#333" stroke-width="{width}"/>'
            if sign == "terminal":
                yield f'<circle {centre} r="5" fill="none" stroke="#333"/>'
        yield f'<text x="{x + indent:.1f}" y="{line:.1f}" fill="#333">{html.escape(text)}</text>'


def _matrices(chain: Chain) -> tuple[Box, list[str]]:
    """Return the matrices of a chain, of behaviour and of target, and their frame.

    Rows are states that are left, columns states that are reached; the last column is the end, where episodes end.
    """
    columns = [*range(chain.states), *([END] if any(arrow.t == END for arrow in chain.arrows) else [])]
    cell = _CELL if chain.states <= _NUMBERED else _SMALL
    titles = {"behaviour": "behaviour b", "target": "target \u03c0"}
    if chain.on_policy:
        titles = {"behaviour": "behaviour b and target \u03c0 alike"}
    across, down = 44 + cell * len(columns) + 24, 64 + cell * chain.states
    parts: list[str] = []
    for number, (kind, title) in enumerate(titles.items()):
        parts += _matrix(chain, kind, title, columns, cell, across * number + 44)
    starts = [("", f"episodes begin in {', '.join(map(str, chain.first))}")] if chain.first else []
    legend = [("", "a cell: how probable a step is"), *_of_rewards(chain, "but not everywhere"), *starts]
    frame = (0.0, 0.0, max(across * len(titles), _legend_width(legend)), down + _legend_height(legend))
    return frame, [*parts, *_keys(legend, 8, down + 16)]


def _matrix(chain: Chain, kind: str, title: str, columns: list[int], cell: float, left: float) -> Iterator[str]:
    top = 52.0
    size = 11 if cell == _CELL else 9
    yield _written(left, 14, title, "start", 13)
    yield _written(left, 32, "to \u2192", "start", 11)
    yield _written(left - 5, top - 5, "from \u2193", "end", 11)
    for place, t in enumerate(columns):
        yield _written(left + cell * (place + 0.5), top - 5, "end" if t == END else str(t), "middle", size)
    for s in range(chain.states):
        yield _written(left - 5, top + cell * (s + 0.5) + 4, str(s), "end", size)
    width, height = cell * len(columns), cell * chain.states
    yield f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" fill="none" stroke="#b0b0b0"/>'
    most = max(max(arrow.behaviour, arrow.target) for arrow in chain.arrows)
    for arrow in chain.arrows:
        x, y = left + cell * columns.index(arrow.t), top + cell * arrow.s
        probability: Fraction = getattr(arrow, kind)
        strength = _STRONGEST * float(probability / most)
        yield (
            f'<rect x="{x:g}" y="{y:g}" width="{cell:g}" height="{cell:g}" fill="#0072b2" '
            f'fill-opacity="{strength:.3f}"><title>{html.escape(arrow_text(arrow))}</title></rect>'
        )
        if cell == _CELL and probability:
            short = "1" if probability == 1 else f"{float(probability):.2f}".removeprefix("0")  # .25: a cell has room
            yield _written(x + cell / 2, y + cell / 2 + 4, short, "middle", 10)


def _written(x: float, y: float, text: str, anchor: str, size: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" fill="#333">{text}</text>'
