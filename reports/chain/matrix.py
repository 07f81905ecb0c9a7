"""A chain with too many arrows for a graph, drawn as the matrices of its steps, a shade for each probability."""

from __future__ import annotations

import html
from collections.abc import Iterator
from fractions import Fraction

from reports.chain.arrows import Chain
from reports.chain.words import arrow_text
from tdrc_theory.problem import END

_CELL, _NUMBERED = 27.0, 12
"""The side of a cell; states up to which numbers are written into cells."""
_SMALL = 16.0
_STRONGEST = 0.6
"""How much of its colour the likeliest step has: numbers stay legible on it."""
_TITLES = {"behaviour": "behaviour b", "target": "target \u03c0"}


def matrix_parts(chain: Chain) -> tuple[tuple[float, float], list[str]]:
    """Return width and height, and the matrices of a chain as SVG elements, of behaviour and of target.

    Rows are states that are left, columns states that are reached; the last column is the end, where episodes end.
    """
    columns = [*range(chain.states), *([END] if any(arrow.t == END for arrow in chain.arrows) else [])]
    cell = _CELL if chain.states <= _NUMBERED else _SMALL
    kinds = ("behaviour",) if chain.on_policy else ("behaviour", "target")
    across, down = 44 + cell * len(columns) + 24, 64 + cell * chain.states
    parts: list[str] = []
    for number, kind in enumerate(kinds):
        title = "behaviour b and target \u03c0 alike" if chain.on_policy else _TITLES[kind]
        parts += _one(chain, kind, title, columns, cell, across * number + 44)
    return (across * len(kinds), down), parts


def _one(chain: Chain, kind: str, title: str, columns: list[int], cell: float, left: float) -> Iterator[str]:
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
            yield _written(x + cell / 2, y + cell / 2 + 4, _two_digits(probability), "middle", 10)


def _two_digits(probability: Fraction) -> str:
    """Return a probability as `.25`, which a cell has room for."""
    return "1" if probability == 1 else f"{float(probability):.2f}".removeprefix("0")


def _written(x: float, y: float, text: str, anchor: str, size: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" fill="#333">{text}</text>'
