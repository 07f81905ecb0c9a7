"""The report on all claims, which takes as long as judging them."""

from __future__ import annotations

import re

import pytest

from reports.build.__main__ import main
from tdrc_theory.papers import find_paper
from verify.paper.report import claims_judged


@pytest.mark.slow
def test_every_claim_is_on_the_page_and_every_formula_is_drawn(look, tmp_path):
    file = tmp_path / "paper.html"
    assert main(["--paper", "--reproducible", "-o", str(file)]) == 0
    page = look(file, 360)
    rows = page.evaluate("[...document.querySelectorAll('.claims tbody')].map((each) => each.id)")
    assert [re.sub(r"^part-1-claims-", "", row) for row in rows] == [claim.id for claim in claims_judged(find_paper())]
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    narrow = "[...document.querySelectorAll('math')].filter((each) => each.getBoundingClientRect().width < 3).length"
    assert page.evaluate(narrow) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.troubles == []
