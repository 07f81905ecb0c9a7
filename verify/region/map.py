"""The map of both parameters: exact intervals of beta at each of many etas, as data and as a picture."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tdrc_theory.command import printable
from tdrc_theory.exact.convert import number_text
from tdrc_theory.paper_settings import paper_settings
from verify.conditions.bound import Bound
from verify.conditions.setting import Setting
from verify.region.everywhere import converges_everywhere, whole_region
from verify.region.family import Family
from verify.region.region import Region, family_region

ETAS = tuple(Fraction(2**n) if n >= 0 else Fraction(1, 2**-n) for n in range(-6, 7))
"""The etas at which intervals are computed, with two more between each pair of neighbours."""
_LEAST, _MOST = 1e-3, 1e2
_WIDTH, _HEIGHT, _LEFT, _TOP, _LINE = 720, 480, 70, 30, 22
_NEVER = 'stroke="#a63603" stroke-width="1.5" stroke-dasharray="2 3"'


@dataclass(frozen=True)
class Map:
    """Regions of beta, exact at each eta, ascending; the picture joins their ends by straight lines.

    Attributes:
        rows: one for each eta.
        everywhere: whether a theorem proves convergence at every beta and eta, between the rows too.
    """

    rows: tuple[Region, ...]
    everywhere: bool = False

    @property
    def proven(self) -> str:
        """Return what is known of the blue area, and how."""
        if self.everywhere:
            return "converges everywhere (exact): A is positive definite, Theorem 3.1 (i)"
        return f"converges: exact at {len(self.rows)} values of eta, their ends joined by straight lines"

    def to_json(self) -> dict[str, Any]:
        """Return every row as the contract's region."""
        return {"problem": self.rows[0].problem.to_json(), "rows": [row.to_json() for row in self.rows]}


def etas() -> list[Fraction]:
    """Return the etas of the map: powers of 2 and two simple fractions between neighbours."""
    return sorted({eta * step for eta in ETAS for step in (Fraction(1), Fraction(5, 4), Fraction(8, 5))})


def compute_map(setting: Setting, progress: Callable[[int], None] = lambda _: None) -> Map:
    """Return the map of a setting; its own beta and eta do not matter."""
    family = Family(setting, ("beta",))
    whole = whole_region(setting) if converges_everywhere(setting) else None
    rows = []
    for done, eta in enumerate(etas(), start=1):
        other = Family(setting.at(eta=eta), family.names)
        rows.append(
            family_region(other) if whole is None else replace(whole, parameters={**whole.parameters, "eta": eta})
        )
        progress(done)
    return Map(tuple(rows), whole is not None)


def svg(made: Map) -> str:
    """Return the map as a self-contained SVG: beta to the right, eta upwards, both logarithmic, beta = 0 far left."""
    first = made.rows[0]
    name = html.escape(printable(f"{first.algorithm.name} on {first.problem.name}"))
    signs = _signs(made)
    body = [*_spans(made), *_boundary(made), *_never(first), *_sufficient(first.bounds), *_axes(), *_settings()]
    body += _legend(signs)
    height = _HEIGHT + 70 + _LINE * len(signs)
    described = "; ".join(f"eta {number_text(row.fixed or Fraction(0))}: {_told(row)}" for row in made.rows[::6])
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
            'font-family="sans-serif" font-size="12">',
            f"<title>Where {name} converges</title>",
            f"<desc>Values of beta, to the right, and of eta, upwards, at which the expected update {made.proven}. "
            f"{html.escape(printable(described))}.</desc>",
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            f'<text x="{_LEFT}" y="18" font-size="14">Where {name} converges</text>',
            *body,
            "</svg>\n",
        ]
    )


def _told(row: Region) -> str:
    return " and ".join(map(str, row.intervals)) or "nowhere"


def _x(beta: float) -> float:
    share = (math.log(min(max(beta, _LEAST), _MOST)) - math.log(_LEAST)) / (math.log(_MOST) - math.log(_LEAST))
    return _LEFT + share * (_WIDTH - _LEFT - 20)


def _y(eta: float) -> float:
    low, high = math.log(float(ETAS[0])), math.log(float(ETAS[-1]) * 1.6)
    return _TOP + (1 - (math.log(eta) - low) / (high - low)) * (_HEIGHT - _TOP - 10)


def _edges(row: Region) -> list[tuple[float, float]]:
    return [(i.lower.value, math.inf if i.upper is None else i.upper.value) for i in row.intervals]


def _eta(row: Region) -> float:
    return float(row.fixed or 1)


def _spans(made: Map) -> Iterator[str]:
    """Fill between neighbouring rows that have as many intervals, and half-way where they have not."""
    for below, above in pairwise(made.rows):
        y0, y1 = _y(_eta(below)), _y(_eta(above))
        pairs = [(below, above)] if len(below.intervals) == len(above.intervals) else [(below, below), (above, above)]
        heights = [(y0, y1)] if len(pairs) == 1 else [(y0, (y0 + y1) / 2), ((y0 + y1) / 2, y1)]
        for (low, high), (bottom, top) in zip(pairs, heights, strict=True):
            for (a, b), (c, d) in zip(_edges(low), _edges(high), strict=True):
                points = [(_x(a), bottom), (_x(b), bottom), (_x(d), top), (_x(c), top)]
                text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
                yield f'<polygon points="{text}" fill="#9ecae1" stroke="#9ecae1"/>'


def _boundary(made: Map) -> Iterator[str]:
    for below, above in pairwise(made.rows):
        ends = [[v for pair in _edges(row) for v in pair] for row in (below, above)]
        if len(ends[0]) != len(ends[1]):
            continue
        for a, b in zip(*ends, strict=True):
            if all(_LEAST < v < _MOST for v in (a, b)):
                yield (
                    f'<line x1="{_x(a):.1f}" y1="{_y(_eta(below)):.1f}" x2="{_x(b):.1f}" '
                    f'y2="{_y(_eta(above)):.1f}" stroke="#08519c" stroke-width="1.5"/>'
                )


def _never(row: Region) -> Iterator[str]:
    for interval in row.fails_for_every_eta:
        left, right = _x(interval.lower.value), _x(math.inf if interval.upper is None else interval.upper.value)
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


def _sufficient(bounds: Mapping[str, Bound]) -> Iterator[str]:
    """Outline where Theorem 3.1 (ii) applies: beta below its bound and eta above its own."""
    for _, colour, beta, eta in sufficient(bounds):
        bottom = _y(max(eta, float(ETAS[0])))
        yield (
            f'<rect x="{_LEFT}" y="{_TOP}" width="{max(_x(beta) - _LEFT, 1):.1f}" '
            f'height="{max(bottom - _TOP, 1):.1f}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )


def _axes() -> Iterator[str]:
    bottom = _HEIGHT - 10
    size = f'width="{_WIDTH - _LEFT - 20}" height="{bottom - _TOP}"'
    yield f'<rect x="{_LEFT}" y="{_TOP}" {size} fill="none" stroke="#333"/>'
    for beta in (1e-3, 1e-2, 1e-1, 1, 10, 100):
        label = "0" if beta == _LEAST else f"{beta:g}"
        yield f'<text x="{_x(beta):.1f}" y="{bottom + 16}" text-anchor="middle">{label}</text>'
    for eta in ETAS[::2]:
        yield f'<text x="{_LEFT - 6}" y="{_y(float(eta)) + 4:.1f}" text-anchor="end">{number_text(eta)}</text>'
    middle = f'x="{_WIDTH / 2:.0f}" y="{bottom + 36}"'
    yield f'<text {middle} text-anchor="middle">beta (logarithmic; the left edge is 0)</text>'
    yield f'<text x="16" y="{_HEIGHT / 2:.0f}" transform="rotate(-90 16 {_HEIGHT / 2:.0f})">eta</text>'


def _settings() -> Iterator[str]:
    """Mark the settings of the paper: eta = 1 with the sweep of beta, and the default beta = 1, filled."""
    for setting in paper_settings():
        default = setting.beta == 1
        centre = f'cx="{_x(float(setting.beta)):.1f}" cy="{_y(float(setting.eta)):.1f}"'
        label = f"<title>{setting.told}: beta = {float(setting.beta):g}, eta = {float(setting.eta):g}</title>"
        shape = 'r="4.5" fill="black"' if default else 'r="3" fill="white"'
        yield f'<circle {centre} {shape} stroke="black">{label}</circle>'


def _signs(made: Map) -> list[tuple[str, str]]:
    """Return the signs of areas and lines that are there, as attributes, with what they mean."""
    first = made.rows[0]
    signs = [('fill="#9ecae1" stroke="#08519c"', made.proven)]
    if first.fails_for_every_eta:
        signs.append((f'fill="none" {_NEVER}', "fails at every eta (exact): a determinant proves it"))
    outlines = (
        (words, f'fill="none" stroke="{colour}" stroke-width="2"') for words, colour, *_ in sufficient(first.bounds)
    )
    return signs + [(sign, words) for words, sign in outlines]


def _legend(signs: list[tuple[str, str]]) -> Iterator[str]:
    line = _HEIGHT + 52
    for sign, words in signs:
        yield f'<rect x="{_LEFT}" y="{line - 10}" width="14" height="12" {sign}/>'
        yield f'<text x="{_LEFT + 22}" y="{line}">{words}</text>'
        line += _LINE
    yield f'<circle cx="{_LEFT + 7}" cy="{line - 4}" r="3" fill="white" stroke="black"/>'
    yield f'<text x="{_LEFT + 22}" y="{line}">the paper\'s settings; filled: its default, beta = eta = 1</text>'
