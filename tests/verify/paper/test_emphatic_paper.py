"""The paper on emphatic TD: every claim comes out as its folder expects, and what is concluded of it."""

from __future__ import annotations

import pytest

from tdrc_theory.papers import find_paper
from verify.check import Proof, Status
from verify.paper.report import answers


@pytest.fixture(scope="module")
def by_claim():
    return {each.claim.id: each for each in answers(find_paper("emphatic-td"), workers=1)}


def test_every_claim_comes_out_as_expected(by_claim):
    assert [name for name, each in by_claim.items() if not each.as_expected] == []


@pytest.mark.parametrize(
    ("claim", "proof"),
    [
        ("theorem-1", Proof.EXACT),
        ("zero-interest.conjecture", Proof.EXACT),
        ("derivation.follow-on", Proof.EXACT),
        ("general.emphasis", Proof.EXACT),
        ("derivation.constant", Proof.ARGUED),
    ],
)
def test_main_results_hold_with_their_evidence(by_claim, claim, proof):
    assert by_claim[claim].printed.status is Status.HOLDS
    assert by_claim[claim].printed.proof is proof


@pytest.mark.parametrize("claim", ["examples.average-sense", "on-policy.eigenvectors", "on-policy.dominance"])
def test_what_fails_has_a_witness_and_its_correction_holds(by_claim, claim):
    assert by_claim[claim].printed.status is Status.FAILS
    assert by_claim[claim].printed.witness
    assert by_claim[claim].corrected.status is Status.HOLDS


def test_every_finding_is_graded():
    graded = [claim for claim in find_paper("emphatic-td").claims if claim.erratum]
    assert len(graded) == 9
    assert all(claim.severity for claim in graded)
