from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest

from tdrc_theory.figure import Curve, Panel, svg

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


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "$\\frac{", "a & b", "\x1b[31m"])
def test_a_users_text_is_shown_as_it_is(text):
    drawn = svg(text, text, [panel(label=text, title=text)])
    shown = text.replace("\x1b", "\\x1b")
    assert "<script>" not in drawn
    assert texts(drawn).count(shown) == 3
    assert ET.fromstring(drawn)[0].text == shown


@pytest.mark.parametrize("log_y", [None, 10])
@pytest.mark.parametrize("missing", [math.inf, -math.inf])
def test_what_is_not_finite_leaves_a_gap(missing, log_y):
    def drawn(gap):
        values = [1.0, gap, 2.0]
        return svg("gap", "one", [Panel([Curve("", [1, 2, 3], values, values, [3.0] * 3)], "x", "y", log_y=log_y)])

    assert drawn(missing) == drawn(math.nan) != drawn(1.5)


def test_logarithmic_axes_are_labelled_by_plain_numbers():
    powers = Curve("td", [1 / 8, 1 / 4, 1 / 2, 1], [0.001, 0.1, 10, 1000])
    found = texts(svg("log", "", [Panel([powers], "alpha", "RMSPBE", log_x=2, log_y=10)]))
    assert {"1/8", "1/4", "1/2", "1", "0.1", "1000"} <= set(found)
    assert not any("$" in (t or "") for t in found)


def test_within_a_power_of_ten_a_logarithmic_axis_has_numbers_too():
    narrow = Curve("td", [1, 2], [0.043, 0.052])
    assert "0.05" in texts(svg("log", "", [Panel([narrow], "x", "y", log_y=10)]))


def test_a_row_that_is_not_full_shows_no_empty_axes():
    shown = [svg("five", "", [panel()] * number).count('id="axes_') for number in (3, 5)]
    assert shown == [3, 5]


def test_an_empty_label_makes_no_legend():
    assert "_" not in texts(svg("no legend", "", [panel(label="")]))


def test_curves_can_be_told_apart_without_colours():
    many = Panel([Curve(str(n), [1, 2], [n, n + 1.0]) for n in range(4)], "x", "y")
    lines = [path.get("style") for path in ET.fromstring(svg("many", "", [many])).iter(f"{NAMESPACE}path")]
    dashed = {line.partition("stroke-dasharray: ")[2].partition(";")[0] for line in lines if line and "1.5" in line}
    assert len(dashed) == 4


def test_a_title_wider_than_the_figure_goes_on_in_another_line():
    words = [f"word{n}" for n in range(60)]
    lines = [text.split() for text in texts(svg(" ".join(words), "", [panel()])) if text and "word" in text]
    assert [word for line in lines for word in line] == words
    assert 2 <= len(lines) <= 10
