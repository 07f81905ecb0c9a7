from __future__ import annotations

import re
from pathlib import Path

import pytest

from simulate.paper.conclusions import Asked, claims_on_runs, conclusions
from simulate.store import Store
from simulate.tables.cell import VARIANTS
from tdrc_theory.evidence import Status
from tdrc_theory.papers import find_paper

README = Path(__file__).parents[3] / "simulate" / "README.md"
ROWS = {
    "tdc-never-behind-gtd2": "TDC is never behind GTD2",
    "vtrace-slightly-worse": "V-trace is slightly worse than TD on the walks",
    "tdc-prefers-small-eta": "TDC almost always does best with the smallest eta",
    "tuned-tdc-matches-td": "with eta tuned, TDC matches TD but on Baird's problem",
    "adam-repairs-tdc-on-boyan": "TDC's trouble on Boyan's chain is much less under Adam",
    "same-order-with-constant": "constant step sizes turn no comparison round",
    "insensitive-to-beta": "TDRC is insensitive to beta: a range of 8 is good everywhere",
    "bold-cells": "the lowest cells are those in bold",
}
"""The claims that do not stand under some variant, by their words in simulate/README.md."""
ABOUT_SETTINGS = "published-cells"


def shown():
    """Return the README's table: under each variant, whether a statement stands."""
    (table,) = re.findall(
        r"^\| the paper says \| as run \| as stated \| corrected \|\n(?:\|.*\n)*",
        README.read_text("utf-8"),
        re.MULTILINE,
    )
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return {text: [cell.startswith("yes") for cell in cells] for text, *cells in rows}


@pytest.mark.slow
def test_the_readme_says_which_conclusions_do_not_stand(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        paper = find_paper("tdrc")
        claims = [claim for claim in claims_on_runs(paper) if claim.sweep == "tables"]
        assert_shown(conclusions(paper, store, Asked(), chosen=claims))


def assert_shown(judged):
    results = {
        one.claim.id: [one.findings[variant.name].status is Status.HOLDS for variant in VARIANTS]
        for one in judged
        if one.claim.id != ABOUT_SETTINGS
    }
    not_standing = {key: stands for key, stands in results.items() if not all(stands)}
    assert {ROWS[key]: stands for key, stands in not_standing.items()} == shown()
