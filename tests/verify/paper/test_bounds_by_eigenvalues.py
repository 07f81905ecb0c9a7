"""Theorem 3.1 (ii) at and near its bounds: what is proven there, what is refuted, and by which instances."""

from __future__ import annotations

import flint
import numpy as np
import pytest

from tdrc_theory.formula.expression import (
    at_least,
    at_most,
    eigmax,
    eigmin,
    equal,
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
from tdrc_theory.papers import find_paper
from verify.check import Status
from verify.paper.judge import judge
from verify.refute.evaluate import Instance, holds_at
from verify.refute.witness_check import refutes

A, C, H, A_beta, G = symbols("A C H A_beta G_tdrc")
beta, eta, b, h, w, zero = symbols("beta eta b h w 0")
ETA = greater(eta, -eigmin(inv(C) * H))
BETA = at_most(beta * eigmax(-inv(A * A.T) * H), 1)
REGULAR = (nonsingular(A_beta), nonsingular(C))


def case_ii(matrix):
    """Return case (ii) with another matrix for H^-1 A A^T."""
    return implies(*REGULAR, less(beta, -eigmax(matrix)), ETA, hurwitz(G))


FALSE = {
    "A for H": case_ii(inv(A) * A * A.T),
    "C for A": case_ii(inv(H) * C * A.T),
    "C for A, transposed": case_ii(inv(H) * A * C.T),
    "A for H in the corrected bound": implies(
        nonsingular(A), nonsingular(C), less(beta * eigmax(-inv(A * A.T) * A), 1), ETA, hurwitz(G)
    ),
}
INSTANCES = {
    "A for H": ([["-17/10", "0"], ["3/5", "-17/10"]], [["33", "-16"], ["-16", "21"]], "33/20", "29/200"),
    "C for A": ([["-6", "2"], ["6", "-3"]], [["30", "4"], ["4", "5"]], "1", "2"),
    "C for A, transposed": ([["-6", "2"], ["6", "-3"]], [["30", "4"], ["4", "5"]], "1", "2"),
    "A for H in the corrected bound": (
        [["-3/2", "-7/4"], ["-11/4", "-9/4"]],
        [["15/2", "35/4"], ["35/4", "843/4"]],
        "4",
        "1/2",
    ),
}


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", FALSE)
def test_products_that_are_not_symmetric_are_refuted_near_their_bounds(name):
    judgement = judge(FALSE[name])
    assert judgement.status is Status.FAILS
    values = judgement.witness["values"]
    A_, C_ = (np.array([[float(flint.fmpq(*map(int, v.split("/")))) for v in row] for row in values[n]]) for n in "AC")
    beta_, eta_ = (float(flint.fmpq(*map(int, values[n][0][0].split("/")))) for n in ("beta", "eta"))
    full = np.block([[-eta_ * (C_ + beta_ * np.eye(2)), -eta_ * A_], [A_.T - C_, -A_]])
    assert np.linalg.eigvals(full).real.max() > 0


@pytest.mark.parametrize("name", FALSE)
def test_irrational_eigenvalues_at_an_instance_are_decided_by_both_evaluators(name):
    rows = dict(zip(("A", "C", "beta", "eta"), INSTANCES[name], strict=True))
    values = {n: v if isinstance(v, list) else [[v]] for n, v in rows.items()}
    exact = {
        n: tuple(tuple(flint.fmpq(*map(int, v.split("/"))) for v in row) for row in table)
        for n, table in values.items()
    }
    formula = expanded(FALSE[name])
    assert not holds_at(formula, Instance(2, exact))
    assert refutes(formula.to_json(), {"dimension": 2, "values": values})


TRUE = {
    "beta at the corrected bound": implies(nonsingular(A), *REGULAR, BETA, ETA, hurwitz(G)),
    "beta at the printed bound": implies(*REGULAR, at_most(beta, -eigmax(inv(H) * A * A.T)), ETA, hurwitz(G)),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", TRUE)
def test_beta_may_be_at_its_bound_where_A_beta_is_nonsingular(name):
    judgement = judge(TRUE[name])
    assert judgement.status is Status.HOLDS
    assert any("so 0 is no eigenvalue" in step.reason for step in judgement.steps)


def test_beta_may_not_be_at_its_bound_where_A_beta_is_singular():
    assert judge(implies(nonsingular(A), nonsingular(C), BETA, ETA, hurwitz(G))).status is Status.FAILS


def test_with_both_at_their_bounds_nothing_is_proven_and_a_root_may_be_imaginary():
    both = implies(nonsingular(A), *REGULAR, BETA, at_least(eta, -eigmin(inv(C) * H)), hurwitz(G))
    assert judge(both).status is not Status.HOLDS
    # A = -I + k J, C = I: beta = (1 + k^2) and eta = 1 are the bounds, at every z, and lambda_c is k or -k.
    k = 2
    A_ = np.array([[-1.0, k], [-k, -1.0]])
    full = np.block([[-(1 + (1 + k**2)) * np.eye(2), -A_], [A_.T - np.eye(2), -A_]])
    assert np.abs(np.linalg.eigvals(full).real).min() < 1e-9


@pytest.mark.thorough
def test_M_v_is_0_where_its_square_is():
    solvable = equal(A * h, b)
    for K in (symbols("I")[0], inv(C)):
        assert judge(
            implies(nonsingular(C), solvable, iff(equal(A.T * K * (b - A * w), zero), equal(A * w, b)))
        ).status is (Status.HOLDS)
    wrong = implies(solvable, iff(equal(A * (b - A * w), zero), equal(A * w, b)))
    assert judge(wrong).status is Status.FAILS
    not_solvable = implies(nonsingular(C), iff(equal(A.T * inv(C) * (b - A * w), zero), equal(A * w, b)))
    assert judge(not_solvable).status is Status.FAILS


def test_a_negative_largest_eigenvalue_makes_every_factor_nonsingular():
    assert judge(implies(less(beta, -eigmax(inv(H) * A * A)), nonsingular(A))).status is Status.HOLDS
    assert judge(implies(less(-beta, -eigmax(A.T * A)), nonsingular(A))).status is Status.FAILS


def test_witnesses_of_what_does_not_converge_are_not_those_of_what_converges_to_a_set():
    eta_zero = judge(find_paper().claim("theorem-3.1.case-i").printed).witness["values"]
    assert eta_zero["eta_0"] == [["0"]]
    assert eta_zero["A"] != eta_zero["C"]
    drifting = judge(find_paper().claim("tdc++.convergence").printed).witness["values"]
    assert any(v != ["0"] for v in drifting["b"])
    singular = judge(find_paper().claim("singular-C.convergence").printed).witness
    assert refutes(expanded(posdef(-A)).to_json(), singular)
    a = singular["values"]["A"]
    assert any(float(flint.fmpq(*map(int, a[i][i].split("/")))) < 0 for i in range(2)), "A is not semidefinite"
