"""What beta, eta and lambda change: a map of where the expected update converges, and curves along each of them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction

from reports.page.figure import Figure
from reports.page.section import Content, Missing, Section, Tell
from reports.page.slider import LARGEST, Slider, sliders
from reports.page.subject import OnProblem
from reports.page.table import Table
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import number_text
from tdrc_theory.figures.figure import svg
from tdrc_theory.figures.panel import Panel
from verify.conditions.setting import Setting
from verify.region.family import Family
from verify.region.map import Map, compute_map, map_values, picture, sufficient
from verify.region.region import converges_everywhere

_MOST_SECONDS = 10
"""Seconds that a row of a map is estimated to take beyond which there is no map."""


def collect(subject: OnProblem, tell: Tell) -> Content | Missing | None:
    """Return the map of a subject's algorithm, whatever its own beta and eta are, and what each parameter does."""
    known = _map(subject, tell)
    if isinstance(known, Map):
        shown = picture(known)
        drawn = svg(*shown)
    moved = tuple(sliders(subject))  # last: other processes predict their curves meanwhile
    if isinstance(known, Missing):
        return Content(map=None, no_map=known, sliders=moved) if moved else known
    if known is None:
        return Content(map=None, no_map=None, sliders=moved) if moved else None
    dots = "".join(_dots(drawn, shown.panels[0], slider, subject.conditions.parameters) for slider in moved)
    caption = f"{_caption(known)} Orange dot: the values that the sliders have." if dots else _caption(known)
    figure = Figure("map", caption, drawn.replace("</svg>", f"{dots}</svg>"), _numbers(known))
    return Content(map=figure, no_map=None, sliders=moved)


def _map(subject: OnProblem, tell: Tell) -> Map | Missing | None:
    if "beta" not in subject.conditions.parameters or subject.algorithm.fixed:
        return None  # one parameter at most is free
    others = {n: value for n, value in subject.conditions.parameters.items() if n not in ("beta", "eta")}
    setting = Setting.of(subject.problem, subject.algorithm, 1, 1, others)
    size = setting.update.G.shape[0]
    if not (subject.problem.is_rational or converges_everywhere(setting)):
        why = "There is no map: the features have square roots in them, and each row of a map would take long."
        return Missing(why, "tdrc region PROBLEM --map FILE.svg")
    if size > LARGEST and not converges_everywhere(setting):
        why = f"There is no map: G is {size} x {size}, and each row of a map would take long beyond {LARGEST}."
        return Missing(why, "tdrc region PROBLEM --map FILE.svg")
    try:
        if not converges_everywhere(setting):
            Family(setting, ("beta",)).duration.check(subject.problem.name, _MOST_SECONDS)
        return compute_map(setting, progress=tell)
    except BadOption as error:
        return Missing(f"There is no map: {error}.")


def _dots(drawn: str, panel: Panel, slider: Slider, used: Mapping[str, Fraction]) -> str:
    """Return a dot for each value of a slider where it lies on a map: within the axes' box, which the drawing clips at.

    A value that is off an axis is at its end.
    """
    box = re.search(r'<clipPath[^>]*>\s*<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"', drawn)
    if box is None or panel.x_ends is None or panel.y_ends is None:
        return ""
    left, top, width, height = map(float, box.groups())
    circles = []
    for number, value in enumerate(slider.places):
        at = {**used, slider.name: value}
        x = left + width * _share(float(at["beta"]), *panel.x_ends)
        y = top + height * (1 - _share(float(at["eta"]), *panel.y_ends))
        chosen = ' class="chosen"' if number == slider.chosen else ""
        circles.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#d55e00" stroke="#ffffff"{chosen}/>')
    return f'<g class="family dots" data-of="{slider.name}">{"".join(circles)}</g>'


def _share(value: float, least: float, most: float) -> float:
    """Return how far along a logarithmic axis a value is; beyond an end, at it."""
    return math.log(min(max(value, least), most) / least) / math.log(most / least)


def _caption(stability_map: Map) -> str:
    """Return what the colours mean that are there."""
    first = stability_map.rows[0]
    text = [f"Blue: where the expected update {stability_map.proven}."]
    if first.fails_for_every_eta:
        text.append("Dotted: a determinant proves that it fails at every eta there (exact).")
    if any(sufficient(first.bounds)):
        text.append("Green or violet: what the bounds of Theorem 3.1 cover, which are only sufficient.")
    return " ".join([*text, "Circles: the paper's own settings."])


def _numbers(stability_map: Map) -> Table:
    rows = tuple(
        (number_text(row.fixed or Fraction(0)), f"{interval}", *interval.to_json()["exact"].values())
        for row in stability_map.rows
        for interval in row.intervals
    )
    titles = ("eta", "converges for beta in", "lower end", "upper end")
    rows = tuple(tuple(cell or "none" for cell in row) for row in rows)
    return Table("Intervals of beta, exact, at each eta of the map", titles, rows)


SECTION = Section("stability_map", "What its parameters change", collect, lambda _: len(map_values("eta")))
