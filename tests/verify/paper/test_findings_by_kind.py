"""Errors, contradictions and what is overstated: numbered, told apart, and shown apart."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from claim_facts import FACTS, PAPER, Fact

from tdrc_theory.judgement import Judgement, Step
from tdrc_theory.papers.claim import BadClaim, Places
from verify.check import Proof, Status
from verify.paper.__main__ import main
from verify.paper.facts.content import ready
from verify.paper.report import MEANING, Answer, Finding, answer, finding, order
from verify.paper.terminal import errata

NUMBERS = {claim.erratum for claim in PAPER.claims if claim.erratum is not None}


@pytest.mark.parametrize("letter", ["E", "R"])
def test_numbers_are_dense(letter):
    result = sorted(order(number) for number in NUMBERS | PAPER.withdrawn.keys() if number.startswith(letter))
    assert result == list(range(1, len(result) + 1))


def test_every_number_is_an_E_or_an_R():
    assert all(number[0] in "ER" and number[1:].isdigit() for number in NUMBERS)


def test_a_withdrawn_number_is_not_used_again_and_what_became_of_it_is_there():
    assert NUMBERS.isdisjoint(PAPER.withdrawn)
    assert set(PAPER.withdrawn.values()) <= NUMBERS


def test_pairs_that_do_not_agree_are_contradictions_or_overstated():
    pairs = [fact for fact in FACTS if isinstance(fact.printed, Places)]
    assert {finding(pair.claim.erratum, PAPER) for pair in pairs} == {Finding.CONTRADICTION, Finding.OVERSTATED}


def answer_of(identifier):
    claim = PAPER.claim(identifier)
    fact = Fact(claim, ready(claim.printed, PAPER), claim.corrected and ready(claim.corrected, PAPER))
    failed = Judgement(Status.FAILS, Proof.EXACT, "", (Step("shown by", "this"),), {})
    corrected = None if fact.corrected is None else Judgement(Status.HOLDS, Proof.EXACT, "a rule", ())
    return Answer(PAPER, fact.claim, fact.printed, failed, fact.corrected, corrected)


def test_the_three_kinds_are_shown_apart_in_order_each_under_what_it_means():
    lines = list(errata([answer_of("proof.upsilon"), answer_of("contradiction.beta"), answer_of("noise.split")]))
    places = [
        next(i for i, line in enumerate(lines) if line.startswith(start))
        for start in ("Errors (E)", "E15", "Contradictions: ", "E12", "Overstated (R)", "R18")
    ]
    assert places == sorted(places)
    assert lines[-1] == "3 claims: 0 hold as printed, 1 error, 1 contradiction, 1 overstated remark"


def test_a_kind_that_nothing_has_is_not_announced():
    lines = list(errata([answer_of("proof.upsilon")]))
    assert lines[0].startswith("Overstated (R)")
    assert not any(line.startswith(("Errors", "Contradictions")) for line in lines)


def test_what_is_not_decided_is_no_claim_that_holds_and_stands_with_its_reason():
    (fact,) = [fact.claim for fact in FACTS if fact.claim.undecided]
    lines = list(errata([answer(fact, PAPER)]))
    assert lines[0].startswith("Undecided")
    assert any(line.startswith(fact.id) for line in lines)
    assert any(fact.remark in line for line in lines)
    assert lines[-1].endswith("0 hold as printed, 0 errors, 0 contradictions, 0 overstated remarks, 1 undecided claim")


@pytest.mark.parametrize("wrong", [{"remark": ""}, {"erratum": "R1"}])
def test_what_is_undecided_has_a_reason_and_no_number(wrong):
    (fact,) = [fact.claim for fact in FACTS if fact.claim.undecided]
    with pytest.raises(BadClaim, match="undecided"):
        replace(fact, **wrong)


def test_every_kind_has_a_meaning():
    assert set(MEANING) == set(Finding)


def test_the_row_of_an_overstated_remark_does_not_say_that_the_paper_fails(capsys):
    assert main(["--claim", "proof.upsilon"]) == 0
    row = capsys.readouterr().out.splitlines()[1]
    assert "overstated" in row
    assert "fails" not in row


def test_json_names_the_kind_beside_the_number(capsys):
    assert main(["--claim", "proof.upsilon", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["claims"]
    assert (result["erratum"], result["finding"], result["printed"]) == ("R18", "overstated", "fails")
