"""Irrational eigenvalues, boundaries and inverses that do not exist, in the judge and in the independent checker."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np
import pytest

from tdrc_theory.formula.expression import (
    Expr,
    det,
    eigmax,
    eigmin,
    equal,
    expr,
    greater,
    hurwitz,
    iff,
    implies,
    inv,
    less,
    nonsingular,
    posdef,
    symbols,
)
from tdrc_theory.formula.vocabulary import expanded
from verify.check import Status
from verify.paper.judge import SAYS_NOTHING, judge
from verify.refute.evaluate import Instance, holds_at
from verify.refute.numbers import NoValue, square_root
from verify.refute.witness_check import CannotTell, refutes, side_of

A, C, H, M, P = symbols("A C H M P")
beta, eta, w, b = symbols("beta eta w b")


def test_surds_have_the_signs_that_floats_have_where_these_are_sure():
    rng = np.random.default_rng(0)
    for p, q, r, s in rng.integers(-9, 10, (200, 4)):
        root = square_root(flint.fmpq(7))
        value = (int(p) + int(q) * root) * (int(r) + int(s) * root) - 1
        expected = (p + q * 7**0.5) * (r + s * 7**0.5) - 1
        if abs(expected) > 1e-9:
            assert (value.sign if hasattr(value, "sign") else np.sign(float(value.p))) == np.sign(expected)


def test_a_quotient_of_surds_times_its_divisor_is_the_dividend():
    root = square_root(flint.fmpq(5, 3))
    assert (2 + root) / (1 - 3 * root) * (1 - 3 * root) == 2 + root
    assert 1 / root * root == 1


@pytest.mark.parametrize("largest", [True, False])
def test_the_side_of_an_eigenvalue_is_that_of_a_float_eigenvalue(largest):
    rng = np.random.default_rng(1)
    for a, b_, c, point in rng.integers(-6, 7, (200, 4)):
        values = np.linalg.eigvalsh([[a, b_], [b_, c]])
        mu = max(values) if largest else min(values)
        polynomial = [Fraction(1), Fraction(int(-a - c)), Fraction(int(a * c - b_ * b_))]
        side = side_of(polynomial, largest, Fraction(int(point)))
        assert side == (0 if abs(mu - point) < 1e-9 else np.sign(mu - point))


def test_the_extreme_of_complex_eigenvalues_is_undefined_for_both():
    turn = [["0", "-1"], ["1", "0"]]
    formula = greater(eigmax(M), 0)
    rows = tuple(tuple(flint.fmpq(int(v)) for v in row) for row in turn)
    with pytest.raises(NoValue):
        holds_at(formula, Instance(2, {"M": rows}))
    with pytest.raises(CannotTell):
        refutes(formula.to_json(), {"dimension": 2, "values": {"M": turn}})


def test_an_irrational_eigenvalue_is_compared_exactly_by_both():
    rows = ((flint.fmpq(0), flint.fmpq(2)), (flint.fmpq(1), flint.fmpq(0)))  # eigenvalues are +-sqrt(2)
    near = Fraction(665857, 470832)  # greater than sqrt(2) by 1.6e-12
    for number, truth in ((near, False), (near - Fraction(1, 10**11), True)):
        formula = greater(eigmax(M), Expr("number", (), str(number)))
        assert holds_at(formula, Instance(2, {"M": rows})) is truth
        witness = {"dimension": 2, "values": {"M": [["0", "2"], ["1", "0"]]}}
        assert refutes(formula.to_json(), witness) is not truth


TRUE = {
    "a product of definite matrices": implies(nonsingular(A), posdef(-H), less(eigmax(H * A * A.T), 0)),
    "signs of a product of which one is definite": implies(nonsingular(C), iff(posdef(H), greater(eigmin(C * H), 0))),
    "real eigenvalues are values of the form": implies(posdef(-H), less(eigmax(M.T * inv(M.T) * A), 0)),
    "a matrix and its transpose": implies(posdef(P), posdef(-(M.T * P + P * M)), hurwitz(M.T)),
}
FALSE = {
    "a product of which none is definite": iff(posdef(H), greater(eigmin(M * M.T * H), 0)),
    "eigenvalues say nothing of the form": implies(less(eigmax(A), 0), posdef(-H)),
    "a bound by eigenvalues that are not those of the form": implies(
        nonsingular(A), nonsingular(C), greater(eta, -eigmin(inv(C) * A)), posdef(eta * C + H)
    ),
    "Lyapunov with P of any sign": implies(posdef(-(M.T * P + P * M)), hurwitz(M)),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_of_extreme_eigenvalues_is_proven(name):
    assert judge(TRUE[name]).status is Status.HOLDS


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_of_extreme_eigenvalues_is_refuted_and_confirmed(name):
    judgement = judge(FALSE[name])
    assert judgement.status is Status.FAILS
    assert refutes(expanded(FALSE[name]).to_json(), judgement.witness)


def test_a_formula_with_an_inverse_that_its_hypotheses_rule_out_says_nothing():
    judgement = judge(implies(equal(det(M), 0), equal(inv(M) * w, b)))
    assert (judgement.status, judgement.rule) == (Status.UNDECIDED, SAYS_NOTHING)


def test_an_inverse_of_a_sum_with_its_own_transpose_does_not_make_rules_that_never_end():
    assert judge(equal(inv(A + A.T) * A, expr(1) * symbols("I")[0] - inv(A + A.T) * A.T)).status is Status.HOLDS
    assert judge(equal(inv(A + A.T) * A, inv(A + A.T) * A.T)).status is Status.FAILS
