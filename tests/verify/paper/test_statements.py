"""The language of statements: a sentence, its truth and its mutants come from the same data."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from claim_facts import FACTS, FORMULAS, PAPER
from mutation.score import Agreement, statement_score
from mutation.statements import statement_mutants
from quantified import everywhere, on

from tdrc_theory.formula.expression import equal, symbols
from tdrc_theory.papers.claim import Places
from verify.check import Proof, Status, weakest
from verify.paper.facts.atoms import Above, Does, Expected, Is, Kind, Run, Somewhere
from verify.paper.facts.content import Argument, judged, sentence
from verify.paper.facts.distributions import FiniteMoment, Geometric
from verify.paper.facts.quantities import Compared, Constant, Entry, Rate
from verify.paper.facts.statement import All, Either, ForEach, If, Not, Over
from verify.paper.report import answers
from verify.paper.terminal import errata


def converges(*run, **values):
    return Expected(Run(*run, **values), Does.CONVERGES)


def diverges(*run, **values):
    return Expected(Run(*run, **values), Does.DIVERGES)


TRUE, FALSE = converges("tdc", eta=1), converges("tdrc", 1, 1)
ON = {"problem": "two-state"}
UNKNOWN = everywhere(TRUE, problem="baird")


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        (All((TRUE, TRUE)), True),
        (All((TRUE, FALSE)), False),
        (All((UNKNOWN, FALSE)), False),
        (All((UNKNOWN, TRUE)), None),
        (Either((TRUE, FALSE)), True),
        (Either((UNKNOWN, TRUE)), True),
        (Either((UNKNOWN, FALSE)), None),
        (Either((FALSE, FALSE)), False),
        (Not(FALSE), True),
        (Not(UNKNOWN), None),
        (If(FALSE, FALSE), True),
        (If(TRUE, FALSE), False),
        (If(TRUE, UNKNOWN), None),
        (If(UNKNOWN, TRUE), True),
        (ForEach("eta", (1, 2, 4), converges("tdc", eta="eta")), True),
        (ForEach("eta", (1, Fraction(1, 8)), converges("tdc", eta="eta")), False),
        (Expected(Run("tdc", eta=1), Does.TO_A_POINT), True),
        (Expected(Run("tdc", eta=1), Does.TO_A_SET), False),
        (Is("A", Kind.NOT_DEFINITE), True),
        (Compared(Entry("A"), "=", Constant(Fraction(-47, 100))), True),
        (Compared(Rate(Run("tdrc", 1, 1)), "<=", Constant(Fraction(801, 10000))), True),
        (Compared(Rate(Run("tdrc", 1, 1)), "=", Constant(Fraction(801, 10000))), False),
        (Somewhere(Run("tdrc", beta=1), "eta"), False),
        (Above(Run("tdc"), "eta", Fraction(47, 250), Fraction(47, 250)), True),
        (Above(Run("tdc"), "eta", Fraction(48, 250), Fraction(1)), False),
    ],
    ids=str,
)
def test_connectives_and_atoms_on_the_two_state_problem(statement, value):
    assert statement.truth(ON).value is value


def test_all_problems_are_never_shown_by_examples():
    for problem in ("baird", "boyan", "random-walk-tabular"):
        assert everywhere(TRUE, problem=problem).judged().status is Status.UNDECIDED


def test_a_witness_outside_of_what_is_quantified_refutes_nothing():
    body = converges("tdc", eta="eta")
    small = Fraction(1, 8)
    assert everywhere(body, Over("eta", ">", 0), problem="two-state", eta=small).judged().status is Status.FAILS
    assert everywhere(body, Over("eta", ">=", 1), problem="two-state", eta=small).judged().status is Status.UNDECIDED


def test_an_argument_is_argued_and_no_stronger_than_its_lemmas():
    A, C = symbols("A C")
    true, false = on("two-state", TRUE), on("two-state", FALSE)
    judgement = Argument("any sentence at all", (equal(A, A), true), (("so", "it is"),)).judged()
    assert (judgement.status, judgement.proof) == (Status.HOLDS, Proof.ARGUED)
    for broken in (false, everywhere(TRUE, problem="baird"), equal(A, C)):
        assert Argument("any sentence", (true, broken), ()).judged().status is Status.UNDECIDED
        assert Argument("any sentence", (true, broken), (), refuted=True).judged().status is Status.UNDECIDED
    assert Argument("any sentence", (true,), (), refuted=True).judged().status is Status.FAILS


def test_two_places_carry_no_proof_and_disagree_only_where_they_do():
    judgement = judged(Places("a number", ("here", "1"), ("there", "2")))
    assert (judgement.status, judgement.proof) == (Status.FAILS, None)
    assert judged(Places("a number", ("here", "1"), ("there", "1"))).status is Status.UNDECIDED


def test_the_weakest_of_kinds_is_last_in_their_order():
    assert [kind.value for kind in Proof] == ["kernel", "exact", "enclosed", "argued", "float", "sampled"]
    assert weakest([Proof.EXACT, Proof.SAMPLED, Proof.ARGUED]) is Proof.SAMPLED


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.id)
def test_a_changed_datum_is_another_sentence(fact):
    for statement in (fact.printed, fact.corrected):
        for mutant in statement_mutants(statement):
            if not isinstance(mutant.statement, Argument):
                assert sentence(mutant.statement) != sentence(statement), mutant.kind


def test_outcomes_relations_numbers_learners_and_lists_are_altered():
    kinds = {mutant.kind for fact in FACTS for mutant in statement_mutants(fact.printed)}
    assert {"does", "relation", "number", "learner", "problem", "left out", "connective", "negation", "kind"} <= kinds


@pytest.mark.parametrize("base", [2, 3])
@pytest.mark.parametrize("ratio", [1, 4])
@pytest.mark.parametrize("powers", [(0, 2), (0, 4), (1, 3), (2, 2), (2, 4), (4, 0)])
def test_moments_are_finite_where_partial_sums_stop_growing(base, ratio, powers):
    sample = Geometric(Fraction(1, 256), base, ratio)
    rho, x = powers
    terms = [
        255 * Fraction(1, 256) ** n * Fraction(ratio) ** (-n * (rho > 0) + n * rho) * base ** (n * x)
        for n in range(1, 40)
    ]
    finite = FiniteMoment(rho=rho, x=x)
    assert finite.truth({"sample": sample}).value is (terms[-1] < terms[0] / 100) is finite.recheck({"sample": sample})


def test_probabilities_of_a_distribution_sum_to_1():
    sample = Geometric(Fraction(1, 8), 2)
    assert 1 - sum((1 / sample.q - 1) * sample.q**n for n in range(1, 40)) == sample.q**39


def test_a_falsified_sentence_is_not_left_standing():
    statement = on("baird", All((diverges("td"), converges("htd", eta=16))))
    for mutant in statement_mutants(statement):
        if mutant.kind in ("does", "negation", "learner"):
            assert mutant.statement.judged().status in (Status.FAILS, Status.HOLDS)
    flipped = on("baird", All((diverges("td"), diverges("htd", eta=16))))
    assert flipped in [mutant.statement for mutant in statement_mutants(statement)]
    assert flipped.judged().status is Status.FAILS


def settled(every):
    """Return the score, of which every mutant comes out otherwise or is confirmed, or was undecided and stays so."""
    score = statement_score(PAPER, every)
    unsettled = [o for o in score.outcomes if o.agreement in (Agreement.UNCONFIRMED, Agreement.CONTRADICTED)]
    assert [(o.claim, o.status.value, str(o.mutant.altered)) for o in unsettled] == []
    assert {o.claim for o in score.outcomes if o.agreement is Agreement.OPEN} <= {
        f.id for f in FACTS if f.claim.undecided
    }
    return score


def test_a_sample_of_the_mutants_comes_out_otherwise_or_is_confirmed():
    score = settled(every=53)
    assert score.count(Agreement.OTHERWISE) > 0.4 * len(score.outcomes)
    assert score.count(Agreement.CONFIRMED) > 0


def test_a_mutant_of_which_the_other_code_finds_the_opposite_is_shown(monkeypatch):
    paper = replace(PAPER, claims=(PAPER.claim("text.baird-diverges"),))
    monkeypatch.setattr("verify.paper.facts.atoms.again", lambda *_: "convergent")
    score = statement_score(paper)
    assert score.count(Agreement.CONTRADICTED) > 0
    assert any("the other code finds the opposite" in line for line in score.lines())
    monkeypatch.setattr("verify.paper.facts.atoms.again", lambda *_: None)
    assert statement_score(paper).count(Agreement.UNCONFIRMED) == score.count(Agreement.CONFIRMED) + sum(
        o.agreement is Agreement.CONTRADICTED and o.status is o.before for o in score.outcomes
    )


README = " ".join((Path(__file__).parents[3] / "verify" / "README.md").read_text(encoding="utf-8").split())


@pytest.mark.slow
def test_the_score_of_statements_in_the_readme_is_what_their_mutants_give():
    pattern = (
        r"Of (\d+) mutants of statements in words (\d+) come out otherwise, (\d+) alike, .*? and (\d+) of a sentence"
    )
    shown = tuple(map(int, re.search(pattern, README).groups()))
    score = settled(every=1)
    assert shown == (len(score.outcomes), *map(score.count, (Agreement.OTHERWISE, Agreement.CONFIRMED, Agreement.OPEN)))


def test_the_counts_of_proofs_in_the_readme_are_those_of_the_report(report):
    listed = [*report.values(), *answers(PAPER, [fact.claim for fact in FACTS])]
    line = next(line for line in errata(listed) if line.startswith("proof: as printed "))
    printed, corrected = (
        {name: int(count) for count, name in re.findall(r"(\d+) (\w+)", part)} for part in line.split("; corrected ")
    )
    rows = re.findall(r"\| `?(\w+)`?(?:: two places)? \| (\d+) \| (\d+) \|", README)
    assert {(name, int(one), int(other)) for name, one, other in rows} == {
        (name, printed.get(name, 0), corrected.get(name, 0)) for name in printed | corrected
    }
    assert len(report) == len(FORMULAS)


_JUDGED = """
import json, sys
from tdrc_theory.papers import find_paper
from verify.paper.report import answers
paper = find_paper()
print(json.dumps([each.to_json() for each in answers(paper, map(paper.claim, sys.argv[1:]))]))
"""


def judged_by(*flags, names):
    command = [sys.executable, *flags, "-c", _JUDGED, *names]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    return json.loads(subprocess.run(command, capture_output=True, check=True, env=environment).stdout)


def assert_same_without_assertions(names):
    assert judged_by("-O", names=names) == judged_by(names=names)


@pytest.mark.thorough
def test_no_proof_rests_on_an_assertion():
    names = ("determinant.of-G", "text.convergent-where-TD-is", "background.td-no-objective", "contradiction.beta")
    assert_same_without_assertions(names)


@pytest.mark.slow
def test_no_proof_of_the_report_rests_on_an_assertion():
    assert_same_without_assertions([claim.id for claim in PAPER.claims if claim.sweep is None])
