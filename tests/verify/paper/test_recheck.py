"""The independent check of what algorithms do on a witness's problem."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path

import pytest

from verify.conditions import check_conditions
from verify.paper.facts import FACTS
from verify.paper.facts import recheck as checker
from verify.paper.facts.fact import as_witness
from verify.paper.facts.recheck import confirms, does
from verify.paper.facts.small_problems import skewed

SAYS = {"convergent": "stable", "convergent-to-a-set": "resting", "not-convergent": "unstable"}


def test_it_imports_nothing_of_the_project():
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names == {"__future__", "collections.abc", "fractions", "math", "operator", "typing"}


@pytest.mark.parametrize("problem", ["two-state", "boyan", "random-walk-inverted", "baird"])
@pytest.mark.parametrize("algorithm", ["td", "tdc", "tdrc", "htd", "vtrace"])
def test_it_agrees_with_the_verdicts_of_the_other_code(problem, algorithm):
    for beta, eta in ((1, 1), ("1/5", 1), (0, "1/8")):
        found = check_conditions(problem, algorithm, beta=beta, eta=eta).verdict
        assert does(as_witness(problem), algorithm, Fraction(beta), Fraction(eta)) == SAYS[found.status.value]


@pytest.mark.parametrize("wrong", [{"does": "stable"}, {"beta": "0"}, {"algorithm": "tdc"}, {"eta": "1/100"}])
def test_a_wrong_verdict_is_not_confirmed(wrong):
    witness = as_witness(skewed(), ("tdrc", 1, 1))
    assert confirms(witness)
    (claimed,) = witness["verdicts"]
    assert not confirms({**witness, "verdicts": [{**claimed, **wrong}]})


def test_another_problem_is_not_confirmed():
    witness = as_witness(skewed(), ("tdrc", 1, 1))
    assert not confirms({**witness, "gamma": "1/2"})


def test_the_facts_about_convergence_have_verdicts_to_check():
    claimed = [fact.examine().witness or {} for fact in FACTS if fact.id.startswith("text.")]
    assert sum(len(witness.get("verdicts", ())) for witness in claimed) >= 20
