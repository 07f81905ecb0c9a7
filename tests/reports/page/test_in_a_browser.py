"""Pages in a real browser: what a reader sees, with a mouse, a keyboard, a screen reader, a telephone, or no script."""

from __future__ import annotations

import csv
import json

import pytest

from reports.page import render
from reports.page.figure import Figure
from reports.page.section import Content, Section
from reports.page.subject import OnPaper
from reports.page.table import Table

HOSTILE = "<script>alert(1)</script>"
PAGES = ("paper_page", "problem_page")


@pytest.fixture(params=PAGES)
def file(request):
    return request.getfixturevalue(request.param)


def test_nothing_fails_nothing_is_fetched_and_everyone_can_use_it(look, file, axe):
    page = look(file)
    opened(page)
    # Of rows that are all alike the first ones will do: the checker takes its time.
    page.evaluate(
        "document.querySelectorAll('tr:nth-child(n+4), .derivation li:nth-child(n+3)').forEach((each) => each.remove())"
    )
    assert page.troubles == []
    assert axe(page) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    assert axe(page, "color-contrast") == []


def opened(page):
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.thorough)])
def test_the_page_is_no_wider_than_the_window(look, file, width):
    page = look(file, width)
    opened(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.thorough
def test_no_two_elements_have_the_same_id_and_every_link_in_the_page_leads_somewhere(look, file):
    page = look(file)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    links = page.evaluate("[...document.querySelectorAll('a[href^=\"#\"]')].map((each) => each.hash.slice(1))")
    assert len(set(ids)) == len(ids)
    assert set(links) <= set(ids)


@pytest.mark.thorough
def test_without_a_script_everything_is_there(look, file):
    page = look(file, java_script_enabled=False)
    assert page.locator("form.filters:visible").count() == 0
    assert page.locator("main h3:visible").count() == page.locator("main h3").count() > 0
    for summary in page.locator("details:not([open]) > summary:visible").element_handles()[:2]:
        summary.click()
        assert summary.evaluate("(each) => each.parentElement.open")


@pytest.mark.thorough
def test_formulas_are_laid_out_as_mathematics(look, paper_page):
    page = look(paper_page)
    sizes = page.evaluate(
        "[...document.querySelectorAll('.finding math')].map((each) => each.getBoundingClientRect().width)"
    )
    assert sizes
    assert min(sizes) > 5
    raised, divided = page.evaluate(
        """() => {
          const box = (each) => each.getBoundingClientRect();
          const power = [...document.querySelectorAll('.finding msup')][0].children;
          document.querySelectorAll('details').forEach((each) => { each.open = true; });
          const table = [...document.querySelectorAll('mtable')][0].children;
          return [box(power[0]).bottom - box(power[1]).bottom, box(table[1]).top - box(table[0]).top];
        }"""
    )
    assert raised > 2
    assert divided > 10


def shown(page):
    return page.evaluate(
        "[...document.querySelectorAll('.claims tbody')].filter((each) => each.checkVisibility()).length"
    )


def test_claims_are_filtered_by_status_proof_finding_and_words(look, paper_page):
    page = look(paper_page)
    assert shown(page) == 7
    page.get_by_role("combobox", name="As printed").select_option("fails")
    assert shown(page) == 3
    page.get_by_role("combobox", name="Finding").select_option("contradiction")
    assert shown(page) == 1
    assert page.locator("output").inner_text() == "1 of 7 shown"
    page.get_by_role("button", name="Show all").click()
    page.locator("output", has_text="7 of 7 shown").wait_for()
    page.get_by_role("searchbox").fill("Det g")
    assert shown(page) == 3
    page.get_by_role("searchbox").fill("")
    page.get_by_role("combobox", name="Its proof").select_option("exact")
    assert shown(page) == page.locator("tbody[data-printed_proof=exact]").count() == 5
    assert page.locator("tbody[data-finding=contradiction]:visible").count() == 0, "it has no proof"


@pytest.mark.thorough
def test_a_derivation_opens_by_the_keyboard(look, paper_page):
    page = look(paper_page)
    page.get_by_role("searchbox").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.locator(".claims details[open] .derivation").first.is_visible()
    page.keyboard.press("Enter")
    assert page.locator(".claims details[open]").count() == 0


@pytest.mark.thorough
def test_the_first_key_leads_past_the_contents(look, paper_page):
    page = look(paper_page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def to_every_step(page):
    erratum = page.locator("[id='part-1-errata-determinant.of-G']")
    erratum.locator("summary").click()
    erratum.locator("a", has_text="Every step").click()


@pytest.mark.thorough
def test_a_link_to_a_derivation_opens_it(look, paper_page):
    page = look(paper_page)
    to_every_step(page)
    page.locator(".claims details[open]").first.wait_for()  # the page hears of it after the click
    assert page.locator(".claims details[open]").count() == 1


@pytest.mark.thorough
def test_a_formula_too_wide_for_a_telephone_can_be_scrolled_from_the_keyboard(look, paper_page):
    page = look(paper_page, 360)
    wide = "[...document.querySelectorAll('.formula')].filter((each) => each.scrollWidth > each.clientWidth)"
    assert page.evaluate(f"{wide}.length") > 0
    assert page.evaluate(f"{wide}.every((each) => each.tabIndex === 0)")


def test_what_a_user_wrote_is_shown_and_not_obeyed(look, problem_page):
    page = look(problem_page)
    assert page.evaluate("document.scripts.length") == 1
    assert HOSTILE in page.locator("#part-2-title").inner_text()
    assert HOSTILE in page.title()
    assert HOSTILE in "".join(page.locator("svg").all_text_contents())
    assert page.troubles == []


@pytest.mark.thorough
@pytest.mark.parametrize("width", [360, 1280])
def test_a_name_of_ten_thousand_letters_leaves_the_page_as_wide_as_the_window(look, problem_page, tmp_path, width):
    named = tmp_path / "named.html"
    name = "&lt;script&gt;alert(1)&lt;/script&gt;"
    assert name in problem_page.read_text()
    named.write_text(problem_page.read_text().replace(name, name + "x" * 10_000))
    page = look(named, width)
    opened(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("#part-2-title").bounding_box()["height"] < 300


@pytest.mark.thorough
def test_even_a_script_that_got_into_the_page_would_not_run(look, problem_page, tmp_path):
    altered = tmp_path / "altered.html"
    altered.write_text(problem_page.read_text().replace("<h1>", "<script>alert(1)</script><h1 onclick='alert(2)'>"))
    page = look(altered)
    page.locator("h1").click()
    page.evaluate("0")  # what the browser reported before this has arrived after it
    assert len(page.troubles) == 2
    assert all("Content Security Policy" in trouble for trouble in page.troubles)


@pytest.mark.thorough
def test_on_paper_it_is_black_on_white_without_what_is_for_a_screen(look, paper_page):
    page = look(paper_page, color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.locator("nav").is_hidden()
    assert page.locator("form.filters").is_hidden()


@pytest.mark.thorough
def test_the_update_of_an_algorithm_is_drawn_and_told_in_plain_text(look, problem_page):
    page = look(problem_page)
    section = page.locator("#part-1-algorithm")
    assert section.locator("math").count() == 4
    assert "w += alpha (rho delta x - gamma rho delta_hat x')" in section.inner_text()
    assert section.locator("mtable").first.bounding_box()["height"] > 20


@pytest.mark.thorough
def test_the_numbers_behind_a_figure_can_be_taken_along(look, problem_page):
    page = look(problem_page)
    opened(page)
    figure = page.locator("#part-1-learning_curves figure")
    with page.expect_download() as started:
        figure.locator("a[download]").click()
    rows = list(csv.reader(started.value.path().read_text().splitlines()))
    assert rows[0] == figure.locator("thead th").all_inner_texts()
    assert rows[1] == figure.locator("tbody tr").first.locator("th, td").all_inner_texts()
    assert len(rows) == 1 + figure.locator("tbody tr").count() > 50


@pytest.mark.thorough
def test_a_counterexample_can_be_taken_along(look, paper_page):
    page = look(paper_page)
    to_every_step(page)
    with page.expect_download() as started:
        page.locator(".claims a[download]:visible").first.click()
    assert json.loads(started.value.path().read_text())["values"]["eta"] == [["2"]]


@pytest.mark.thorough
def test_an_integer_of_a_hundred_digits_does_not_push_other_columns_out_of_sight(look, tmp_path):
    number = "1" * 100
    numbers = Table("A table", ("what", "exactly", "remark"), (("a bound", f"root of {number}*t - 1", "seen"),))
    it = Figure("figure", "A figure", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', numbers)
    file = tmp_path / "page.html"
    section = Section("stability_map", "A section", OnPaper, lambda *_: None)
    part = render.Part("part-1", "A part", None, ((section, Content(map=it, no_map=None, sliders=())),))
    file.write_text(render.page("A page", [part]), encoding="utf-8")
    page = look(file, 390)
    opened(page)
    remark = page.locator("td", has_text="seen").bounding_box()
    assert remark["x"] + remark["width"] <= 390
    assert page.locator(".long").text_content() == f"root of {number}*t - 1"
