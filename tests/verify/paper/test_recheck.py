"""The independent check of what algorithms do on a witness's problem."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path

import pytest

from verify.conditions import check_conditions
from verify.paper.facts import FACTS
from verify.paper.facts import recheck as checker
from verify.paper.facts.atoms import Is, Kind, Run, SameFixedPoints, converges
from verify.paper.facts.constant_steps import Settles
from verify.paper.facts.properties import Plain
from verify.paper.facts.quantities import Compared, Entry, SecondReward
from verify.paper.facts.recheck import does
from verify.paper.facts.small_problems import SMALL, problem_named
from verify.paper.facts.statement import everywhere


def test_it_imports_nothing_of_the_project():
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names == {"__future__", "collections.abc", "fractions", "math", "operator", "typing"}


@pytest.mark.parametrize("problem", ["two-state", "boyan", "random-walk-inverted", "baird", *SMALL])
@pytest.mark.parametrize("algorithm", ["td", "tdc", "tdrc", "htd", "gtd2", "vtrace"])
def test_it_agrees_with_the_verdicts_of_the_other_code(problem, algorithm):
    named = problem_named(problem)
    for beta, eta in ((1, 1), ("1/5", 1), (0, "1/8"), ("47/100", 1)):
        found = check_conditions(named.problem, algorithm, beta=beta, eta=eta).verdict
        assert does(named.plain, algorithm, Fraction(beta), Fraction(eta)) == found.status.value


@pytest.mark.parametrize(
    "problem", ["two-state", "boyan", "random-walk-tabular", "random-walk-inverted", "baird", *SMALL]
)
def test_it_agrees_on_every_atom_that_it_knows(problem):
    atoms = [
        *(Is(matrix, kind) for matrix in "AC" for kind in Kind),
        *(SameFixedPoints(Run(*run)) for run in (("td",), ("vtrace",), ("tdrc", Fraction(47, 100), 1), ("tdrc", 1, 1))),
        *(Settles(Run("td"), Fraction(n, 4)) for n in (1, 4, 8)),
        *(Settles(Run("tdrc", 1, 1), Fraction(n, 4)) for n in (1, 3)),
        *(Plain(name) for name in ("on-policy", "errors-vanish")),
        Compared(SecondReward("behaviour"), "=", SecondReward("target")),
        Compared(Entry("A"), "<", Entry("C")),
    ]
    for atom in atoms:
        known, again = atom.truth({"problem": problem}).value, atom.recheck({"problem": problem})
        assert known is None or again in (None, known), atom.sentence()


def test_a_refutation_that_the_other_code_does_not_confirm_is_none(monkeypatch):
    statement = everywhere(converges("td"), problem="two-state")
    assert statement.judged().status.value == "fails"
    monkeypatch.setattr("verify.paper.facts.atoms.rechecked_at", lambda *_: "convergent")
    assert statement.judged().status.value == "undecided"
    monkeypatch.setattr("verify.paper.facts.atoms.rechecked_at", lambda *_: None)
    assert statement.judged().status.value == "undecided"


@pytest.mark.parametrize("wrong", [{"beta": "0"}, {"gamma": "1/2"}, {"d": ["1", "0", "0"]}])
def test_other_numbers_are_another_answer(wrong):
    data = problem_named("skewed").data()
    run = {"beta": "1", **wrong}
    assert does(data, "tdrc", Fraction(1), Fraction(1)) == "not-convergent"
    assert does({**data, **wrong}, "tdrc", Fraction(run["beta"]), Fraction(1)) != "not-convergent"


def test_refutations_by_what_a_learner_does_name_their_runs():
    witnesses = [fact.printed.judged().witness for fact in FACTS if fact.erratum and fact.kind == "problem"]
    assert sum("verdict" in each for witness in witnesses for each in witness.get("evaluated", ())) >= 15
