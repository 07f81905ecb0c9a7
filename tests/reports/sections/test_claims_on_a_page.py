"""How a page shows what is known of a claim: what is printed and what is corrected, each with its own kind of proof."""

from __future__ import annotations

import re

import pytest


@pytest.fixture(scope="module")
def rows(paper_page):
    page = paper_page.read_text(encoding="utf-8")
    matches = re.findall(r'<tbody id="part-\d+-claims-([^"]+)"(.*?)</tbody>', page, re.DOTALL)
    return {claim: row.partition('<tr class="more">')[0] for claim, row in matches}


def badges(row):
    return re.findall(r'class="proof ([a-z]+)"', row)


def test_printed_and_corrected_each_have_their_own_kind_of_proof(rows):
    assert badges(rows["background.errors-vanish"]) == ["exact", "argued"]
    assert badges(rows["determinant.of-G"]) == ["exact", "exact"]
    assert badges(rows["background.td-no-objective"]) == ["argued"]


def test_two_places_that_contradict_each_other_have_no_badge(rows):
    row = rows["contradiction.batch-steps"]
    assert badges(row) == []
    assert 'data-printed_proof="" data-corrected_proof="" data-kind="contradiction"' in row


def test_the_page_opens_with_what_was_judged_and_grades_each_erratum(paper_page):
    page = paper_page.read_text(encoding="utf-8")
    lines = re.findall(r"<li>(.*?)</li>", page[page.index('<ul class="opening">') :].partition("</ul>")[0])
    assert len(lines) == 5
    assert lines[0].endswith("7 claims judged")
    assert "E2 (Theorem 3.1)" in lines[2]
    heads = re.findall(r"<h4 [^>]*>([^<]*) \((\d+)\)</h4>", page)
    assert heads == [("Wrong result", "1"), ("Wrong step", "1"), ("Overstated remark", "1"), ("Slip", "1")]


def test_an_erratum_stands_once_with_all_its_claims_under_the_worst_of_them(rows, paper_page):
    page = paper_page.read_text(encoding="utf-8")
    articles = re.findall(r'<article class="finding">(.*?)</article>', page, re.DOTALL)
    numbers = [set(re.findall(r'class="number">([^<]+)<', article)) for article in articles]
    assert all(len(number) == 1 for number in numbers)
    assert len(set.union(*numbers)) == len(articles)
    claims = re.findall(r'<div id="part-1-errata-([^"]+)">', "".join(articles))
    assert sorted(claims) == sorted(claim for claim, row in rows.items() if "part-1-errata-" in row)


def test_every_kind_of_proof_is_explained_in_its_order(paper_page):
    page = paper_page.read_text(encoding="utf-8")
    legend = page[page.index("Kinds of evidence") :]
    assert badges(legend)[:6] == ["kernel", "exact", "enclosed", "argued", "float", "sampled"]
