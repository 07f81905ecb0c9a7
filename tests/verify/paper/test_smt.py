"""A second opinion on formulas over real scalars: the solver z3 never contradicts the judge.

A formula holds for all values of its symbols' domains exactly when its negation has no solution there, which is a
question of nonlinear real arithmetic that z3 decides, given time.
"""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import pytest
from claim_facts import BY_NAME

from tdrc_theory.formula.expression import (
    Expr,
    at_least,
    both,
    det,
    equal,
    greater,
    iff,
    implies,
    inv,
    less,
    symbols,
)
from tdrc_theory.formula.vocabulary import SCALAR, entry, expanded
from verify.check import Status

_SECONDS = 10
_DOMAINS = ("real", "positive", "nonnegative", "discount")
_RELATIONS = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "iff": operator.eq,
}
_OF_Z3 = {"add": "Sum", "mul": "Product", "and": "And", "or": "Or", "not": "Not", "implies": "Implies"}


def is_real_arithmetic(formula: Expr) -> bool:
    """Return whether a formula is one of polynomials in real scalars, so that z3 can be asked."""
    return all(_speaks_of(node) for _, node in expanded(formula).walk())


def second_opinion(formula: Expr) -> Status:
    """Return what z3 says of a formula of real arithmetic; undecided where it gives up.

    Raises:
        ValueError: the formula is not one of real arithmetic.

    """
    import z3

    if not is_real_arithmetic(formula):
        raise ValueError("not a formula of real arithmetic")
    plain = expanded(formula)
    solver = z3.SolverFor("QF_NRA")
    solver.set("timeout", 1000 * _SECONDS)
    for name in sorted(plain.names()):
        solver.add(*_domain(z3, name))
    solver.add(z3.Not(_translated(z3, plain)))
    answer = str(solver.check())
    return {"unsat": Status.HOLDS, "sat": Status.FAILS}.get(answer, Status.UNDECIDED)


def _speaks_of(node: Expr) -> bool:
    if node.op == "symbol":
        there = entry(node.name)
        return there.shape == SCALAR and there.domain in _DOMAINS
    if node.op == "power":
        exponent = node.args[1]
        return exponent.op == "number" and Fraction(exponent.name).denominator == 1 and Fraction(exponent.name) >= 0
    return node.op in (*_RELATIONS, *_OF_Z3, "number")


def _domain(z3: Any, name: str) -> list[Any]:
    value, domain = z3.Real(name), entry(name).domain
    if domain == "discount":
        return [value >= 0, value <= 1]
    return {"positive": [value > 0], "nonnegative": [value >= 0], "real": []}[domain]


def _translated(z3: Any, formula: Expr) -> Any:
    if formula.op == "number":
        return z3.Q(*Fraction(formula.name).as_integer_ratio())
    if formula.op == "symbol":
        return z3.Real(formula.name)
    if formula.op == "power":
        base, exponent = _translated(z3, formula.args[0]), int(formula.args[1].name)
        return z3.Product(*[base] * exponent) if exponent else z3.RealVal(1)
    parts = [_translated(z3, part) for part in formula.args]
    return _RELATIONS[formula.op](*parts) if formula.op in _RELATIONS else getattr(z3, _OF_Z3[formula.op])(*parts)


eta, beta, lambda_r, lambda_c, b_c, b_a = symbols("eta beta lambda_r lambda_c b_c b_a")
u, v, other_u, other_v = symbols("u_1 v_1 u_2 v_2")

omega = eta * beta + eta * b_c + lambda_r
n = beta * lambda_r + b_a
C1 = greater(omega, 0)
C2 = greater(omega**2 + lambda_c**2 + 4 * eta * n, 0)
C3 = greater(omega**2 * n + beta * lambda_c**2 * (eta * b_c + lambda_r), 0)
APART = (u + other_u) ** 2 + (v - other_v) ** 2

OPINIONS = [
    (implies(C1, C3, C2), "holds"),
    (implies(C2, C3, C1), "fails"),
    (implies(C1, C2, C3), "fails"),
    (iff(both(less(u, 0), less(other_u, 0)), both(greater(-u - other_u, 0), greater(u * other_u * APART, 0))), "holds"),
    (implies(greater(lambda_r, 0), greater(b_a, 0), both(C1, C3)), "holds"),
    (implies(greater(lambda_r, 0), both(C1, C3)), "fails"),
    (implies(greater(n, 0), greater(eta * b_c + lambda_r, 0), both(C1, C3)), "holds"),
    (implies(greater(beta, 0), greater(n, 0), at_least(eta * b_c + lambda_r, 0), both(C1, C3)), "holds"),
    (implies(greater(n, 0), at_least(eta * b_c + lambda_r, 0), both(C1, C3)), "fails"),
    (BY_NAME["text.on-policy"].printed.lemmas[0], "holds"),
]


@pytest.fixture(autouse=True)
def solver():
    return pytest.importorskip("z3")


@pytest.mark.parametrize(("formula", "answer"), OPINIONS)
def test_z3_answers_what_is_asked_of_the_quadratic(formula, answer):
    assert second_opinion(formula).value == answer


def test_it_never_contradicts_the_judge_on_the_registry(report):
    asked = 0
    for each in report.values():
        claim = each.claim
        for formula, judgement in ((claim.printed, each.printed), (claim.corrected, each.corrected)):
            if formula is not None and is_real_arithmetic(formula):
                opinion, ours = second_opinion(formula).value, judgement.status.value
                assert "undecided" in (opinion, ours) or opinion == ours
                asked += 1
    assert asked > 10


def test_matrices_are_beyond_it():
    A, C = symbols("A C")
    assert not is_real_arithmetic(equal(A * C, C * A))
    assert not is_real_arithmetic(equal(det(inv(A)), 1))
    assert not is_real_arithmetic(equal(eta**-1, 1))
    with pytest.raises(ValueError, match="real arithmetic"):
        second_opinion(equal(A, C))
