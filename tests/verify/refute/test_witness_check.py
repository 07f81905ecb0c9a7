"""The independent checker: against what is known, and without a line of what finds counterexamples."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import verify.refute.witness_check as checker
from tdrc_theory.formula.expression import det, equal, hurwitz, implies, inv, number, posdef, symbols
from verify.refute.witness_check import CannotTell, refutes

A, C, eta = symbols("A C eta")


def at(**values):
    return {"dimension": len(next(iter(values.values()))), "values": values}


def test_it_imports_nothing_of_the_project():
    nodes = list(ast.walk(ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))))
    names = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert names <= {"__future__", "collections.abc", "fractions", "functools", "itertools", "math", "typing"}


def test_a_true_formula_is_not_refuted_and_a_false_one_is():
    two = at(A=[["1", "2"], ["3", "4"]])
    assert not refutes(equal(det(A), number(-2)).to_json(), two)
    assert refutes(equal(det(A), number(2)).to_json(), two)
    assert not refutes(equal(A * inv(A), symbols("I")[0]).to_json(), two)


@pytest.mark.parametrize(
    ("rows", "stable", "positive"),
    [
        ([["-1", "100"], ["0", "-2"]], True, False),
        ([["0", "1"], ["-1", "0"]], False, False),
        ([["2", "1"], ["-1", "1"]], False, True),
        ([["-1", "1"], ["-5", "0"]], True, False),
    ],
)
def test_a_matrix_refutes_that_it_is_stable_or_definite_where_it_is_not(rows, stable, positive):
    assert refutes(hurwitz(A).to_json(), at(A=rows)) is not stable
    assert refutes(posdef(A).to_json(), at(A=rows)) is not positive


def test_an_unmet_hypothesis_refutes_nothing_and_no_value_is_no_answer():
    one = at(A=[["0"]], eta=[["2"]])
    assert not refutes(implies(equal(eta, 1), equal(eta, 3)).to_json(), one)
    with pytest.raises(CannotTell, match="singular"):
        refutes(equal(inv(A), A).to_json(), one)
