"""The judge does not let formulas with a mistake in them pass."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from claim_facts import true_formula
from mutation.formulas import mutants
from mutation.score import formulas, mutation_score

from tdrc_theory.formula.expression import DIM, Expr, det, equal, expr, greater, implies, symbols
from tdrc_theory.formula.vocabulary import expanded, shape
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Kind
from verify.check import Status
from verify.paper.judge import judge
from verify.refute.witness_check import refutes

A, beta, eta, G = symbols("A beta eta G_tdrc")

PAPER = find_paper()
CLAIMS = PAPER.of_kind(Kind.FORMULA)


def test_mutants_are_formulas_other_than_the_original_and_each_is_there_once():
    for claim in CLAIMS:
        results = [mutant.formula for mutant in mutants(true_formula(claim))]
        assert len(set(results)) == len(results)
        assert true_formula(claim) not in results
        assert all(shape(formula) == ("truth", "truth") for formula in results)


def test_the_printed_errors_are_among_the_mutants_of_the_corrections():
    # So that what the judge is tested on is what the paper gets wrong.
    for name in ("determinant.of-G", "tdc++.quadratic"):
        claim = find_paper().claim(name)
        assert claim.printed in [mutant.formula for mutant in mutants(true_formula(claim))]


def test_every_kind_of_mistake_is_made():
    kinds = {mutant.kind for claim in CLAIMS for mutant in mutants(true_formula(claim))}
    assert {"sign", "exponent", "transpose dropped", "transpose added", "symbol", "number", "relation"} < kinds
    assert {"hypothesis dropped", "inv dropped", "blocks exchanged", "strictness"} < kinds


def of_claims(*names):
    """Return the paper with some of its claims alone."""
    return replace(PAPER, claims=tuple(map(PAPER.claim, names)) if names else PAPER.claims)


def test_a_sample_of_the_mutants_is_refuted_or_proven():
    score = mutation_score(of_claims(*(claim.id for claim in CLAIMS)), every=180, workers=1)
    assert len(score.outcomes) > 10
    assert score.count(Status.FAILS) > len(score.outcomes) / 2
    assert [str(outcome.mutant) for outcome in score.survivors] == []


def test_formulas_of_other_claims_and_of_lemmas_are_changed_too():
    result = formulas(PAPER)
    assert {"background.value", "noise.moments", "noise.lipschitz"} <= {name for name, _ in result}
    assert len({formula for _, formula in result}) == len(result)
    assert {true_formula(claim) for claim in CLAIMS} <= {formula for _, formula in result}


@pytest.mark.parametrize("name", ["background.value", "background.td-on-policy", "noise.moments"])
def test_mutants_of_the_lemmas_of_arguments_are_refuted(name):
    score = mutation_score(of_claims(name), workers=1)
    assert score.count(Status.FAILS) > 5
    assert [str(outcome.mutant) for outcome in score.survivors] == []


def test_a_counterexample_to_a_mutant_is_one_for_the_independent_checker():
    for mutant in mutants(true_formula(find_paper().claim("determinant.of-G"))):
        judgement = judge(mutant.formula)
        if judgement.status is Status.FAILS:
            assert refutes(expanded(mutant.formula).to_json(), judgement.witness)


@pytest.mark.parametrize(
    ("formula", "status"),
    [
        (equal(det(G), eta**DIM * det(A) * det(A + beta * expr(1) * symbols("I")[0])), Status.HOLDS),
        (implies(greater(eta, 0), Expr("hurwitz", (G,))), Status.FAILS),
        (greater(beta, -1), Status.HOLDS),
        (greater(beta, 0), Status.FAILS),
    ],
)
def test_the_judge_knows_a_formula_that_nobody_registered(formula, status):
    assert judge(formula).status is status


NUMBERS = r"(\d+)\D*? (\d+) (?:are )?refuted, (\d+) (?:are )?proven true .*?, (\d+) have no meaning.*?, and (\d+) s"
SCORES = {"tdrc": rf"Of {NUMBERS}urvive", "emphatic-td": rf"Of the emphatic TD paper's {NUMBERS}tays undecided"}


@pytest.mark.slow
@pytest.mark.parametrize("paper", SCORES)
def test_the_score_in_the_readme_is_what_the_mutants_give(paper):
    readme = " ".join((Path(__file__).parents[3] / "verify" / "README.md").read_text().split())
    match = re.search(SCORES[paper], readme)
    score = mutation_score(find_paper(paper))
    refuted, true = (score.count(status) for status in (Status.FAILS, Status.HOLDS))
    result = (len(score.outcomes), refuted, true, len(score.void), len(score.survivors))
    assert match is not None
    assert tuple(map(int, match.groups())) == result
