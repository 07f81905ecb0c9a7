"""The site's table of all verdicts in a real browser: seen whole on a desk, a line a verdict on a telephone."""

from __future__ import annotations

import pytest

from reports.build.site import build
from reports.page.subject import Headline, OnSite, Request, SiteRow
from tdrc_theory.algorithms import OF_THE_PAPER
from verify.conditions.fixed_points import Bias

LONG = "<b>&\u202e" + "x" * 10_000
NAMES = [*(algorithm.name for algorithm in OF_THE_PAPER), "a learner of somebody's"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    request = Request(place_and_time=False)
    text = "0 is a semisimple eigenvalue", "convergent-to-a-set", "exact"
    beside = {"vtrace": Bias("biased", "rests elsewhere")}
    names = ("baird", "gymnasium:FrozenLake-v1", LONG)
    rows = [
        SiteRow(
            name,
            "16 states",
            "it.html",
            tuple((n, "beta = 1, eta = 1", Headline(*text, beside.get(n))) for n in NAMES),
        )
        for name in names
    ]
    beside_them = {
        "papers": (("paper.html", "A paper", "1 of 1 claims hold as printed"),),
        "learners": ("learners.html", "23 of them"),
    }
    site = OnSite(request=request, rows=tuple(rows), **beside_them)
    result = tmp_path_factory.mktemp("pages") / "index.html"
    result.write_text(build([site], request), encoding="utf-8")
    return result


@pytest.mark.parametrize("width", [360, 800, 1024, 1280])
def test_every_verdict_is_seen_without_scrolling_sideways(look, file, width):
    page = look(file, width)
    beyond = """() => {
      const right = (each) => each.getBoundingClientRect().right;
      const badges = [...document.querySelectorAll('.verdicts .status, .verdicts .proof')];
      return badges.filter((each) => right(each) > right(each.closest('.scroll'))).length;
    }"""
    assert page.locator(".verdicts td").count() == 3 * len(NAMES)
    assert page.evaluate(beyond) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width
    cell = page.locator(".verdicts td").nth(1)
    assert (NAMES[1] in cell.inner_text()) == (width <= 1024)  # a line of its own says whose it is
    assert page.locator(".verdicts thead").is_visible() == (width > 1024)


def test_a_table_of_lines_is_still_a_table_to_a_screen_reader(look, file):
    page = look(file, 360)
    table = page.get_by_role("table").first
    assert table.get_by_role("row").count() == 3
    assert table.get_by_role("cell").count() == 3 * len(NAMES)
    for name, beside in (("tdrc", ""), ("vtrace", ", biased: rests elsewhere")):
        text = f"{name} on baird: convergent-to-a-set, exact{beside}"
        assert page.get_by_role("link", name=text, exact=True).count() == 1


def test_a_name_of_ten_thousand_letters_neither_hides_what_follows_nor_turns_the_page_round(look, file):
    page = look(file)
    assert "\u202e" not in page.content()
    assert page.locator(".verdicts tbody tr").nth(2).bounding_box()["height"] < 300
    assert LONG.replace("\u202e", "\\u202e") in page.locator(".verdicts").text_content()
    assert page.troubles == []
