"""How a reader finds the way in a page: what is folded, marked, searched, moved and printed, in a real browser."""

from __future__ import annotations

from fractions import Fraction

import pytest

from reports.build.site import build
from reports.page.subject import OnProblem, Request
from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.problems import find_problem


@pytest.fixture(scope="module")
def compared_page(tmp_path_factory):
    """Return a page about one problem with two learners."""
    request = Request(steps=100, place_and_time=False)
    asked = {"problem": find_problem("two-state"), "request": request}
    parameters = {"beta": Fraction(1, 10), "eta": Fraction(1, 8)}
    subjects = [OnProblem(algorithm=find_algorithm(name), parameters=parameters, **asked) for name in ("tdrc", "tdc")]
    file = tmp_path_factory.mktemp("pages") / "compared.html"
    file.write_text(build(subjects, request), encoding="utf-8")
    return file


@pytest.mark.thorough
def test_learners_are_beside_each_other_first_and_each_is_folded_until_a_link_leads_into_it(look, compared_page):
    page = look(compared_page)
    rows = page.locator(".compared tbody th")
    assert [row.split()[0] for row in rows.all_inner_texts()] == ["tdrc", "tdc"]
    assert page.locator("details.part[open]").count() == 0
    rows.nth(1).locator("a").click()
    page.locator("#part-2-verdict").wait_for()
    assert page.locator("details.part[open]").count() == 1
    assert not page.locator("#part-1-verdict").is_visible()
    page.locator(".contents a", has_text="tdrc").click()
    page.locator("#part-1-verdict").wait_for()
    assert page.troubles == []


def test_everyone_can_use_what_is_folded(look, compared_page, axe):
    page = look(compared_page)
    assert axe(page) == []


@pytest.mark.thorough
def test_what_is_folded_is_printed(look, compared_page):
    page = look(compared_page)
    page.emulate_media(media="print")
    assert all(page.locator("details.part h3").evaluate_all("(all) => all.map((each) => each.checkVisibility())"))


@pytest.mark.thorough
def test_a_slider_moves_by_the_keyboard_and_shows_what_is_known_at_each_value(look, compared_page):
    page = look(compared_page)
    page.locator("#part-1 > details > summary").click()
    slider = page.locator("#part-1-stability_map .slider[data-of=eta]")
    moved, result = slider.locator("input"), slider.locator("output")
    before = result.inner_text()
    assert before.startswith("eta = 1/8: ")
    chosen = "(each) => [...each.children].findIndex((line) => line.classList.contains('chosen'))"
    family = page.locator("#part-1-stability_map .family[data-of=eta]").last
    place = family.evaluate(chosen)
    moved.focus()
    page.keyboard.press("ArrowRight")
    assert result.inner_text().startswith("eta = 1/4: ")
    assert moved.get_attribute("aria-valuetext") == result.inner_text()
    assert family.evaluate(chosen) == place + 1
    page.keyboard.press("End")
    assert result.inner_text().startswith("eta = 64: ")
    assert page.troubles == []


@pytest.mark.thorough
def test_without_a_script_there_is_no_slider_and_its_values_are_in_a_table(look, compared_page):
    page = look(compared_page, java_script_enabled=False)
    page.locator("#part-1 > details > summary").click()
    assert page.locator(".slider:visible").count() == 0
    figure = page.locator("#part-1-stability_map-over-eta")
    assert figure.locator(".chosen").count() == 1
    figure.locator("summary").click()
    assert figure.locator("tbody tr").count() == 13


@pytest.mark.thorough
def test_evidence_opens_within_its_column(look, problem_page):
    page = look(problem_page)
    table = page.locator("#part-1-hypotheses table")
    places = "(table) => [...table.tHead.rows[0].cells].map((cell) => cell.getBoundingClientRect().left)"
    before = table.evaluate(places)
    table.locator("details").evaluate_all("(all) => all.forEach((each) => { each.open = true; })")
    assert table.locator("details[open] pre").first.bounding_box()["height"] > 10
    assert table.evaluate(places) == before


@pytest.mark.thorough
def test_the_contents_mark_the_section_that_is_read(look, problem_page):
    page = look(problem_page)
    marked = page.locator(".contents [aria-current]")
    assert marked.count() == 1
    assert marked.get_attribute("href") == "#part-1-problem"
    page.locator("#part-1-hypotheses").evaluate("(each) => each.scrollIntoView()")
    page.locator(".contents [aria-current][href='#part-1-hypotheses']").wait_for()
    assert marked.count() == 1


@pytest.mark.thorough
def test_a_search_that_finds_nothing_says_so(look, paper_page):
    page = look(paper_page)
    page.get_by_role("searchbox").fill("no such claim")
    assert page.locator(".filters output").inner_text().startswith("Nothing matches")
    page.get_by_role("button", name="Show all").click()
    page.locator(".filters output", has_text="7 of 7 shown").wait_for()


@pytest.mark.thorough
def test_a_table_that_scrolls_says_so_on_a_telephone_and_not_on_a_wide_screen(look, compared_page):
    says = "(table) => getComputedStyle(table.caption, '::before').content.includes('scrolls sideways')"
    for width, scrolls in ((360, True), (1280, False)):
        page = look(compared_page, width)
        page.locator("#part-1 > details > summary").click()
        bounds = page.locator("#part-1-bounds table").first
        page.locator("#part-1 > details[open]").wait_for()
        assert bounds.evaluate(says) is scrolls
        assert not page.locator(".compared").evaluate(says), "learners stand below each other where it is narrow"
