"""z3's opinion on scalar claims, asked where it is installed."""

from __future__ import annotations

import pytest

from tdrc_theory.formula.expression import (
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
from verify.paper.facts.on_policy import SUM_OF_SQUARES
from verify.paper.smt import is_real_arithmetic, second_opinion
from verify.paper.terminal import explanation

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
    (SUM_OF_SQUARES, "holds"),
]


@pytest.fixture(autouse=True)
def solver():
    return pytest.importorskip("z3")


@pytest.mark.parametrize(("formula", "answer"), OPINIONS)
def test_z3_answers_what_is_asked_of_the_quadratic(formula, answer):
    assert second_opinion(formula).value == answer


def test_it_never_contradicts_the_judge_on_the_registry(report):
    asked = 0
    for found in report.values():
        claim = found.claim
        for formula, judgement in ((claim.printed, found.printed), (claim.corrected, found.corrected)):
            if formula is not None and is_real_arithmetic(formula):
                opinion, ours = second_opinion(formula).value, judgement.status.value
                assert "undecided" in (opinion, ours) or opinion == ours
                asked += 1
    assert asked > 10


def test_a_derivation_says_what_z3_thinks_of_it(report):
    lines = list(explanation(report["conditions.second-is-redundant"]))
    assert "  z3, asked for a second opinion: holds" in lines


def test_matrices_are_beyond_it():
    A, C = symbols("A C")
    assert not is_real_arithmetic(equal(A * C, C * A))
    assert not is_real_arithmetic(equal(det(inv(A)), 1))
    assert not is_real_arithmetic(equal(eta**-1, 1))
    with pytest.raises(ValueError, match="real arithmetic"):
        second_opinion(equal(A, C))
