from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from matplotlib.figure import Figure

from tdrc_theory.figures.figure import plot, svg
from tdrc_theory.figures.panel import COLOURS, Curve, Panel, Picture

NAMESPACE = "{http://www.w3.org/2000/svg}"


def panel(label="td", **changes):
    curve = Curve(label, [1, 2, 4], [3.0, 2.0, 1.0], [2.5, 1.5, 0.5], [3.5, 2.5, 1.5])
    return Panel([curve], "updates", "RMSPBE", **changes)


def texts(drawn):
    return [element.text for element in ET.fromstring(drawn).iter(f"{NAMESPACE}text")]


def test_the_same_figure_gives_the_same_bytes():
    assert svg("curves", "falling", [panel()]) == svg("curves", "falling", [panel()])


def test_labels_are_text_that_a_reader_can_search():
    assert {"curves", "updates", "RMSPBE", "td"} <= set(texts(svg("curves", "falling", [panel()])))


def test_a_title_and_a_description_come_first():
    drawn = ET.fromstring(svg("curves", "falling", [panel()]))
    assert [(child.tag.removeprefix(NAMESPACE), child.text) for child in drawn[:2]] == [
        ("title", "curves"),
        ("desc", "falling"),
    ]


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "$\\frac{", "$\\foo$ $_$ a$b^$", "_x", "a & b", "\x1b[31m"]
)
def test_a_users_text_is_shown_as_it_is(text):
    drawn = svg(text, text, [panel(label=text, title=text)])
    shown = text.replace("\x1b", "\\x1b")
    assert "<script>" not in drawn
    assert [each.strip() for each in texts(drawn)].count(shown) == 3
    assert ET.fromstring(drawn)[0].text == shown


def axes_of(*curves, **changes):
    return plot(Picture("", "", [Panel(curves, "x", "y", **changes)]), Figure().subplots())


def edge_marks(ax, marker):
    return [x for line in ax.lines if line.get_marker() == marker for x in line.get_xdata()]


@pytest.mark.parametrize("log_y", [None, 10])
@pytest.mark.parametrize("past", [math.inf, 1e300, 1e37, 3e6])
def test_what_is_far_past_the_rest_is_marked_at_the_edge_and_explained(past, log_y):
    ax = axes_of(Curve("td", [1, 2, 3], [1.0, past, 2.0], [0.5, math.nan, 1.5], [1.5, past, 3.0]), log_y=log_y)
    assert edge_marks(ax, "^") == [2]
    assert ax.get_ylim()[1] < 10
    assert "above 1e+06 or diverged, not to scale" in [text.get_text() for text in ax.get_legend().get_texts()]
    assert max(path.vertices[:, 1].max() for band in ax.collections for path in band.get_paths()) < 10


def test_what_is_far_below_is_marked_at_the_lower_edge():
    ax = axes_of(Curve("", [1, 2, 3], [-1.0, -math.inf, 2.0]))
    assert (edge_marks(ax, "v"), edge_marks(ax, "^")) == ([2], [])
    assert ax.get_ylim()[0] > -10


@pytest.mark.parametrize("values", [[1e9, 2e9, 1e9], [1e-30, 1e-3, 1.0], [1e12, 1.0, 1e-9], [5.0, 4e6, 1.0]])
def test_what_is_not_far_past_where_it_begins_is_drawn_to_scale(values):
    ax = axes_of(Curve("", [1, 2, 3], values), log_y=10)
    assert edge_marks(ax, "^") == []
    assert ax.get_ylim()[1] > max(values)


def test_axes_hold_something_where_everything_is_past_them():
    for log_y in (None, 10):
        ax = axes_of(Curve("td", [1, 2], [math.inf, math.inf]), log_y=log_y)
        assert edge_marks(ax, "^") == [1, 2]
        assert ax.get_ylim()[1] == 1


def test_arrays_are_drawn_as_lists_are():
    y = [1.0, math.inf, 2.0]
    drawn = [
        svg("", "", [Panel([Curve("", make([1, 2, 3]), make(y), make(y), make(y))], "x", "y")])
        for make in (list, np.array)
    ]
    assert drawn[0] == drawn[1]


def test_what_is_unknown_leaves_a_gap():
    (line,) = axes_of(Curve("", [1, 2, 3], [1.0, math.nan, 2.0])).lines
    assert [math.isnan(y) for y in line.get_ydata()] == [False, True, False]


def test_logarithmic_axes_are_labelled_by_plain_numbers():
    powers = Curve("td", [1 / 8, 1 / 4, 1 / 2, 1], [0.001, 0.1, 10, 1000])
    result = texts(svg("log", "", [Panel([powers], "alpha", "RMSPBE", log_x=2, log_y=10)]))
    assert {"1/8", "1/4", "1/2", "1", "0.1", "1000"} <= set(result)
    assert not any("$" in (t or "") for t in result)


def test_within_a_power_of_ten_a_logarithmic_axis_has_numbers_too():
    narrow = Curve("td", [1, 2], [0.043, 0.052])
    assert "0.05" in texts(svg("log", "", [Panel([narrow], "x", "y", log_y=10)]))


def test_a_row_that_is_not_full_shows_no_empty_axes():
    shown = [svg("five", "", [panel()] * number).count('id="axes_') for number in (3, 5)]
    assert shown == [3, 5]


def test_an_empty_label_makes_no_legend():
    assert "_" not in texts(svg("no legend", "", [panel(label="")]))


def test_curves_can_be_told_apart_without_colours():
    many = axes_of(*(Curve(str(n), [1, 2], [n, n + 1.0]) for n in range(14)))
    assert len({(line.get_linestyle(), line.get_marker()) for line in many.lines}) == 14


def test_neighbouring_colours_differ_in_grey_too():
    def luminance(colour):
        linear = [((c / 255 + 0.055) / 1.055) ** 2.4 for c in bytes.fromhex(colour[1:])]
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    shades = sorted(map(luminance, COLOURS))
    assert len({round(shade, 2) for shade in shades}) == len(COLOURS)


def test_a_title_wider_than_the_figure_goes_on_in_another_line():
    words = [f"word{n}" for n in range(40)]
    lines = [text.split() for text in texts(svg(" ".join(words), "", [panel()])) if text and "word" in text]
    assert [word for line in lines for word in line] == words
    assert 2 <= len(lines) <= 10
