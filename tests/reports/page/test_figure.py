from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from reports.page.figure import embedded
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.figures.figure import svg
from tdrc_theory.figures.panel import COLOURS, Curve, Panel
from tdrc_theory.problems import find_problem
from verify.conditions.setting import Setting
from verify.region.family import Family
from verify.region.map import Map
from verify.region.picture import picture
from verify.region.region import family_region

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
    assert {"".join(found) for found in references} == set(ids), "an id that nothing refers to takes room"


def test_a_figure_has_a_title_and_a_description_for_whoever_cannot_see_it():
    root = ET.fromstring(embedded(drawn(), "one"))
    told = {element.get("id"): element.text for element in root.iter()}
    assert (told[root.get("aria-labelledby")], told[root.get("aria-describedby")]) == (HOSTILE, "falling")


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
        told = " ".join(f"{e.get('style', '')} {e.get('fill', '')} {e.get('stroke', '')}" for e in shown.iter())
        assert "var(--" in told
        assert "currentColor" in told
        assert re.findall(r"#[0-9a-f]{3,6}\b|\bblack\b|\bwhite\b", told) == []
