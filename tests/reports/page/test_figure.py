from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET

import pytest

from reports.page.figure import embedded, short_path, with_strokes_together
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.figures.figure import svg
from tdrc_theory.figures.panel import COLOURS, Curve, Panel
from tdrc_theory.problems import find_problem
from verify.conditions.setting import Setting
from verify.region.family import Family
from verify.region.map import Map, picture
from verify.region.region import family_region

TOKEN = re.compile(r"[MLlhvz]|-?(?:\d+(?:\.\d+)?|\.\d+)")
HOSTILE = "</svg><script>alert(1)</script>"


def drawn():
    curve = Curve(HOSTILE, [1, 2, 4], [3.0, 2.0, 1.0], [2.5, 1.5, 0.5], [3.5, 2.5, 1.5])
    return svg(HOSTILE, "falling", [Panel([curve], "updates", "RMSPBE")])


def ids_and_references(text):
    return re.findall(r'\bid="([^"]+)"', text), re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"|aria-\w+="([^"]+)"', text)


def test_many_figures_in_a_page_keep_their_parts_apart():
    ids, references = ids_and_references(embedded(drawn(), "one") + embedded(drawn(), "two"))
    assert len(ids) == len(set(ids)) == 10
    assert len(references) > 10
    assert {"".join(each) for each in references} == set(ids), "an id that nothing refers to takes room"


def test_a_figure_has_a_title_and_a_description_for_whoever_cannot_see_it():
    root = ET.fromstring(embedded(drawn(), "one"))
    fields = {element.get("id"): element.text for element in root.iter()}
    assert (fields[root.get("aria-labelledby")], fields[root.get("aria-describedby")]) == (HOSTILE, "falling")


def test_a_users_text_stays_text():
    assert "<script" not in embedded(drawn(), "one")
    assert HOSTILE in [element.text for element in ET.fromstring(embedded(drawn(), "one")).iter("text")]


def test_no_style_of_a_figure_is_the_pages():
    assert "<style" in drawn()
    assert "<style" not in embedded(drawn(), "one")


def test_what_has_a_colour_has_the_themes():
    setting = Setting.of(find_problem("two-state"), find_algorithm("tdrc"), 1, 1)
    rows = tuple(
        family_region(Family(Setting.of(setting.problem, setting.algorithm, 1, eta), ("beta",))) for eta in (1, 2)
    )
    curves = [Curve(str(n), [1, 2], [n, n + 1.0], [n, n], [n + 2.0, n + 2]) for n in range(len(COLOURS))]
    for document in (svg(*picture(Map(rows))), svg("", "", [Panel(curves, "x", "y")])):
        shown = ET.fromstring(embedded(document, "one"))
        text = " ".join(f"{e.get('style', '')} {e.get('fill', '')} {e.get('stroke', '')}" for e in shown.iter())
        assert "var(--" in text
        assert "currentColor" in text
        assert re.findall(r"#[0-9a-f]{3,6}\b|\bblack\b|\bwhite\b", text) == []


def corners(way):
    """Return the places of each line of a path in tenths, without those that lie within a level or upright line."""
    lines, command, here, tokens = [], "", (0, 0), TOKEN.findall(way)
    while tokens:
        if tokens[0].isalpha():
            command = tokens.pop(0)
            if command == "z":
                lines[-1].append("z")
                continue
        if command in "hv":
            step = round(10 * float(tokens.pop(0)))
            here = (here[0] + step, here[1]) if command == "h" else (here[0], here[1] + step)
        else:
            x, y = (round(10 * float(tokens.pop(0))) for _ in range(2))
            here = (here[0] + x, here[1] + y) if command == "l" else (x, y)
        if command == "M":
            lines.append([])
            command = "L"
        lines[-1].append(here)
    return [without_what_is_between(line) for line in lines]


def without_what_is_between(line):
    kept = []
    for place in line:
        for axis in (0, 1):
            if len(kept) > 1 and place != "z" and kept[-2][axis] == kept[-1][axis] == place[axis]:
                before, after = kept[-1][1 - axis] - kept[-2][1 - axis], place[1 - axis] - kept[-1][1 - axis]
                if before * after >= 0:
                    kept.pop()
        if not kept or place != kept[-1]:
            kept.append(place)
    return kept


def test_a_short_path_leads_to_the_same_places():
    chosen = random.Random(0)
    for _ in range(50):
        lines = []
        for _ in range(chosen.randint(1, 3)):
            places = [
                (chosen.randint(-99, 99) / 10, chosen.choice([-3, 0, 0, 0.5])) for _ in range(chosen.randint(2, 9))
            ]
            lines.append("M " + " L ".join(f"{x:g} {y:g}" for x, y in places) + chosen.choice(["", " z"]))
        way = " ".join(lines)
        assert corners(short_path(way)) == corners(way)
        assert len(short_path(way)) < len(way)


@pytest.mark.parametrize("way", ["M0 2C0.5 2 1 1.7 1.4 1.4z", "M1.25 0 3 4", "M0 0 1e-05 3", "m1 1 2 2", ""])
def test_any_other_path_stays_what_it_is(way):
    assert short_path(way) == way


def test_ticks_are_one_path_and_marks_of_a_curve_are_not():
    grid = '<path d="M{0} 90v-80" style="stroke: grey" /><use x="{0}" y="90" href="#tick" /><text x="{0}">{0}</text>'
    root = ET.fromstring(
        '<svg><defs><path id="tick" d="M0 0v3.5" style="stroke: black" /></defs>'
        + "".join(map(grid.format, (10, 20, 30)))
        + '<path d="M0 0l5 5" /><path d="M9 9h9"><title>told</title></path><path d="M9 9h9" style="stroke: grey" />'
        + '<use x="1" y="2" style="fill: red" href="#mark" /></svg>'
    )
    with_strokes_together(root)
    assert [each.get("d") for each in root.iter("path")] == [
        "M10 90v-80M20 90v-80M30 90v-80",
        "M10 90v3.5M20 90v3.5M30 90v3.5",
        "M0 0l5 5",
        "M9 9h9",
        "M9 9h9",
    ]
    assert [each.get("style") for each in root.iter("path")][:2] == ["stroke: grey", "stroke: black"]
    assert len(list(root.iter("use"))) == 1
    assert [each.text for each in root.iter("text")] == ["10", "20", "30"]
