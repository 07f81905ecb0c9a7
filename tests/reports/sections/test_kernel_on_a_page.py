"""What `--prove` brings to the paper's page, with the proof assistant itself."""

from __future__ import annotations

import functools
import re
from fractions import Fraction

import pytest

from reports.build.__main__ import main
from reports.page.subject import OnProblem, Request
from tdrc_theory.algorithms import EMPHATIC_TD, TDC
from tdrc_theory.errors import MissingExtra
from tdrc_theory.papers import find_paper
from tdrc_theory.problems import find_problem
from tdrc_theory.problems.garnet import garnet
from tdrc_theory.proofs.coq import coq_version
from verify.paper.kernel import kernel_results
from verify.paper.report import claims_judged

PROVEN = tuple(claim for claim in claims_judged(find_paper()) if claim.theorem)
FALSE = "From mathcomp Require Import all_ssreflect.\nTheorem det_G : true = false. Proof. by []. Qed.\n"


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Return what makes the page about some statements, with nothing kept of what was accepted before."""
    try:
        coq_version()
    except MissingExtra as missing:
        pytest.skip(f"the proofs are not checked: {missing}")
    monkeypatch.setenv("TDRC_CACHE", str(tmp_path / "cache"))

    def asked(statements):
        monkeypatch.setattr("verify.paper.report.claims_judged", lambda _: statements)
        file = tmp_path / "paper.html"
        assert main(["--paper", "--prove", "--reproducible", "-o", str(file)]) == 0
        return file.read_text(encoding="utf-8")

    return asked


def proofs(page):
    kinds = r'data-printed_proof="([a-z]*)" data-corrected_proof="([a-z]*)"'
    rows = re.findall(rf'<tbody id="part-1-claims-([^"]+)"[^>]* {kinds}', page)
    return [(claim, corrected or printed) for claim, printed, corrected in rows]


@pytest.mark.slow
def test_every_claim_with_a_theorem_has_the_kernels_word_on_the_page(asked):
    page = asked(PROVEN)
    assert proofs(page) == [(statement.id, "kernel") for statement in PROVEN]
    assert page.count("checked here without axioms") == len(PROVEN) + sum(c.refutation is not None for c in PROVEN) > 20
    assert (
        f"{len(PROVEN)} claims also proven or refuted in Coq; {len(PROVEN)} of these were checked for this page" in page
    )


@pytest.mark.thorough
def test_a_proof_that_the_kernel_rejects_is_no_evidence_and_the_page_says_why(asked, monkeypatch, tmp_path):
    (tmp_path / "altered.v").write_text(FALSE, encoding="utf-8")
    altered = functools.partial(kernel_results, folder=tmp_path)
    monkeypatch.setattr("verify.paper.kernel.kernel_results", altered)
    page = asked((find_paper().claim("determinant.of-G"),))
    assert proofs(page) == [("determinant.of-G", "exact")]
    assert "checked here without axioms" not in page
    assert "does not compile" in page
    assert "--prove checks" not in page


def verdict_on_a_page(problem, algorithm=TDC):
    request = Request(prove=True, place_and_time=False)
    return OnProblem(problem=problem, algorithm=algorithm, request=request).headline.proof


@pytest.mark.slow
def test_a_verdict_on_a_page_is_the_kernels_where_it_has_a_proof():
    try:
        coq_version()
    except MissingExtra as missing:
        pytest.skip(f"the proofs are not checked: {missing}")
    assert verdict_on_a_page(find_problem("random-walk-dependent")) == "kernel"
    long = garnet(20, 2, 3, 4, 1, Fraction(9, 10))  # weights of hundreds of digits, which Coq is not asked about
    assert verdict_on_a_page(long, EMPHATIC_TD) == "exact"


def test_without_coq_a_verdict_on_a_page_is_what_it_was(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert verdict_on_a_page(find_problem("two-state")) == "exact"
