"""What the tables decide, beside numbers typed here and a comparison in floats; three answers, none of them forced."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from importlib.resources import files

import pytest
from claim_facts import facts
from quantified import on

from verify.check import Proof, Status
from verify.paper.facts.cells import Areas, Bold, Tables
from verify.paper.facts.content import Argument, judged
from verify.paper.facts.statement import All, ForEach

CELLS = {
    (line["stepsize"], line["algorithm"], line["problem"]): (float(line["mean"]), float(line["standard_error"]))
    for line in csv.DictReader(
        files("tdrc_theory").joinpath("papers/published.csv").read_text(encoding="utf-8").splitlines()
    )
}
TABLES = facts("tables.")
BY_NAME = {fact.id: fact for fact in TABLES}


def leaves(statement, problems=()):
    """Yield (atom, problem) pairs of a statement."""
    if isinstance(statement, Argument):
        for lemma in statement.lemmas:
            yield from leaves(lemma, problems)
    elif isinstance(statement, All):
        for part in statement.parts:
            yield from leaves(part, problems)
    elif isinstance(statement, ForEach):
        yield from leaves(statement.body, statement.values)
    elif isinstance(statement, Areas | Tables):
        yield from ((statement, problem) for problem in problems)


def float_answer(one, other, relation, times):
    """Return how many standard errors of the difference one mean is on the side that a relation names."""
    (mean, error), (other_mean, other_error) = CELLS[one], CELLS[other]
    size = (mean - float(times) * other_mean) / math.hypot(error, float(times) * other_error)
    return size if relation == ">" else -size


def float_pairs(atom, problem):
    if isinstance(atom, Areas):
        names = [((t, a, problem), (t, b, problem)) for t in atom.tables for a in atom.learners for b in atom.others]
    else:
        names = [((atom.table, a, problem), (atom.against, a, problem)) for a in atom.learners]
    return [(one, other) for one, other in names if one != other and one in CELLS and other in CELLS]


ATOMS = [
    pytest.param(atom, problem, id=f"{fact.id}-{problem}-{i}")
    for fact in TABLES
    for which in (fact.printed, fact.corrected)
    for i, (atom, problem) in enumerate(leaves(which))
]


@pytest.mark.parametrize(("atom", "problem"), ATOMS)
def test_every_comparison_is_that_of_floats_parsed_here(atom, problem):
    sizes = [float_answer(*pair, atom.relation, atom.times) for pair in float_pairs(atom, problem)]
    assert sizes
    assert all(abs(abs(size) - 2) > 1e-9 for size in sizes)
    wanted = False if min(sizes) < -2 else None if min(sizes) < 2 else True
    assert atom.truth({"problem": problem}).value is wanted


@pytest.mark.parametrize("fact", TABLES, ids=lambda fact: fact.id)
def test_every_statement_on_the_tables_comes_out_as_expected(fact):
    corrected = None if fact.corrected is None else judged(fact.corrected).status.value
    assert (judged(fact.printed).status.value, corrected) == fact.claim.expected


def test_what_rests_on_cells_is_sampled_and_what_only_reads_them_is_exact():
    kinds = {fact.id: judged(fact.printed).proof for fact in TABLES}
    exact = {"tables.bold", "tables.vtrace-no-remedy"}
    assert {name for name, kind in kinds.items() if kind is Proof.EXACT} == exact
    assert {kind for name, kind in kinds.items() if name not in exact} == {Proof.SAMPLED}


@pytest.mark.parametrize(
    ("identifier", "cells"),
    [
        ("tables.tdc-against-gtd2", "0.639 ± 0.001 and 0.269 ± 0.003"),
        ("tables.vtrace-slightly-worse", "0.038 ± 0.001 and 0.024 ± 0.001"),
        ("tables.adam-only-tdc", "3.623 ± 0.027 and 2.123 ± 0.013"),
        ("tables.adam-tdc-on-boyan", "0.244 ± 0.005 and 0.237 ± 0.006"),
        ("tables.bold", "under Adam: 0.031 ± 0.001 and TDRC on random-walk-dependent under Adam: 0.031 ± 0.001"),
    ],
)
def test_the_cells_that_decide_are_those_and_no_others(identifier, cells):
    (step,) = judged(BY_NAME[identifier].printed).steps
    assert step.text.endswith(cells)


def test_cells_within_their_errors_decide_neither_a_relation_nor_its_opposite():
    for relation in (">", "<="):
        assert Areas(("tdc",), relation, ("td",), tables=("adam",)).truth({"problem": "boyan"}).value is None


def test_a_relation_and_its_opposite_are_never_both_true():
    for atom, problem in (parameters.values for parameters in ATOMS):
        opposite = {">": "<=", "<=": ">"}[atom.relation]
        fields = {name: getattr(atom, name) for name in atom.__dataclass_fields__}
        turned = type(atom)(**{**fields, "relation": opposite})
        results = {each.truth({"problem": problem}).value for each in (atom, turned)}
        assert results != {True}


@pytest.mark.parametrize("identifier", [name for name, fact in BY_NAME.items() if fact.claim.erratum is None])
def test_a_factor_of_a_hundred_more_makes_no_statement_hold_that_says_more_than(identifier):
    for atom, problem in leaves(BY_NAME[identifier].printed):
        if atom.relation == ">":
            fields = {name: getattr(atom, name) for name in atom.__dataclass_fields__}
            assert type(atom)(**{**fields, "times": 100}).truth({"problem": problem}).value is not True


def test_cells_that_are_not_printed_are_left_out_and_none_at_all_decides_nothing():
    assert Areas(("htd",), ">", ("td",)).truth({"problem": "boyan"}).value is None
    assert Areas(("htd", "gtd2"), ">", ("tdrc",)).truth({"problem": "boyan"}).value is True


def test_vtrace_and_td_have_the_same_cells_on_baird_where_the_size_of_directions_is_undone():
    same = {table: CELLS[table, "td", "baird"] == CELLS[table, "vtrace", "baird"] for table, *_ in CELLS}
    assert same == {"adagrad": True, "adam": True, "constant": False}


def test_bold_is_alone_in_every_column_but_one():
    columns = sorted({(table, problem) for table, _, problem in CELLS})
    shared = [c for c in columns if judged(on(c[1], Bold((c[0],), alone=True))).status is Status.FAILS]
    assert shared == [("adam", "random-walk-dependent")]


def test_sentences_are_made_from_what_is_compared():
    assert str(Areas(("td", "htd"), ">", ("tdc",), Fraction(9, 8))) == (
        "under Adagrad the areas of TD and HTD are each more than 9/8 times TDC's"
    )
    assert str(Tables(("tdc",), "adam", "<=", "adagrad")) == "under Adam TDC's area is at most that under Adagrad"


def test_statements_on_the_tables_are_of_experiments_and_their_witnesses_have_the_cells():
    kinds = {fact.id: fact.claim.kind.value for fact in TABLES}
    assert {name for name, kind in kinds.items() if kind != "experiment"} == {
        "tables.vtrace-no-remedy",
        "tables.reward-scales",
    }
    witness = judged(BY_NAME["tables.tdc-against-gtd2"].printed).witness
    assert {"cell": "TDC on boyan under Adagrad", "mean": "0.639 ± 0.001"} in witness["evaluated"]
