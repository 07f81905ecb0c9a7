"""The judge on formulas next to true ones: what each kind of argument must prove, and what it must not."""

from __future__ import annotations

import pytest
from claim_facts import true_formula
from mutation.formulas import mutants

from tdrc_theory.formula.expression import (
    E,
    I,
    block,
    both,
    det,
    eigmax,
    eigmin,
    equal,
    greater,
    hurwitz,
    iff,
    implies,
    inv,
    less,
    negation,
    nonsingular,
    posdef,
    symbols,
)
from tdrc_theory.formula.vocabulary import expanded
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Kind
from verify.check import Status
from verify.paper.judge import judge
from verify.refute.counterexample import counterexample

A, C, H, A_beta, C_beta, P, M = symbols("A C H A_beta C_beta P M")
beta, eta, b_c, b_a, l_r, l_c = symbols("beta eta b_c b_a lambda_r lambda_c")
b, w, h, z, x, x_next, rho, gamma, zero = symbols("b w h z x x' rho gamma 0")
G, G_tdc, G_pp, G_gtd2 = symbols("G_tdrc G_tdc G_tdc++ G_gtd2")
ETA = greater(eta, -eigmin(inv(C) * H))
Omega = eta * beta + eta * b_c + l_r

TRUE = {
    "a product in another order": equal(beta * A * eta, eta * beta * A),
    "transposed product": equal((A * C).T, C * A.T),
    "inverse of a product": equal(inv(A * C) * A * C, I),
    "determinant of a product": equal(det(A * A.T), det(A) * det(A)),
    "block triangular": equal(det(block([[A, 0 * I], [C, M]])), det(A) * det(M)),
    "GTD2 is stable": implies(nonsingular(A), hurwitz(G_gtd2)),
    "TDC under its bound": implies(nonsingular(A), nonsingular(C), ETA, hurwitz(G_tdc)),
    "definite pencil": implies(nonsingular(C), iff(posdef(H + eta * C), ETA)),
    "C3 alone gives C2": implies(
        greater(Omega**2 * (beta * l_r + b_a) + beta * l_c**2 * (eta * b_c + l_r), 0),
        greater(Omega**2 + l_c**2 + 4 * eta * (beta * l_r + b_a), 0),
    ),
    "the first product of roots": implies(greater(b_a, 0), greater(b_a * b_a, 0)),
    "kernel of C": implies(equal(E(x * x.T) * z, zero), equal(z.T * E(rho * x * (x + x_next).T), zero.T)),
    "elimination": implies(nonsingular(A), equal(A * w, zero), equal(w, zero)),
    "Lyapunov": implies(posdef(P), posdef(-(M.T * P + P * M)), hurwitz(M)),
    "a vacuous implication": implies(less(eta, 0), equal(A, C)),
}
FALSE = {
    "matrices do not commute": equal(A * C, C * A),
    "inverse of a product, wrong order": equal(inv(A) * inv(C) * A * C, I),
    "determinant of a sum": equal(det(A + C), det(A) + det(C)),
    "blocks on the other diagonal": equal(det(block([[C, A], [M, 0 * I]])), det(A) * det(M)),
    "TDRC under TDC's bound": implies(nonsingular(A), nonsingular(C), ETA, hurwitz(G)),
    "TDC without a bound": implies(nonsingular(A), nonsingular(C), hurwitz(G_tdc)),
    "pencil without a definite matrix": implies(
        nonsingular(A), negation(posdef(A)), iff(posdef(A * A.T + beta * H), less(beta, -eigmax(inv(H) * A * A.T)))
    ),
    "C1 alone gives C3": implies(
        greater(Omega, 0), greater(Omega**2 * (beta * l_r + b_a) + beta * l_c**2 * (eta * b_c + l_r), 0)
    ),
    "the other side of the kernel": implies(equal(E(x * x.T) * z, zero), equal(E(rho * x * x_next.T) * z, zero)),
    "elimination without the inverse": implies(equal(A * w, zero), equal(w, zero)),
    "definite is not what Hurwitz is": iff(hurwitz(-M), posdef(M)),
    "a true half": both(equal(A, A), equal(A, C)),
}

CLAIMS = find_paper().of_kind(Kind.FORMULA)


@pytest.mark.parametrize("name", TRUE)
def test_it_proves_what_is_true(name):
    judgement = judge(TRUE[name])
    assert judgement.status is Status.HOLDS, name
    assert judgement.witness is None


@pytest.mark.parametrize("name", FALSE)
def test_it_refutes_what_is_false(name):
    judgement = judge(FALSE[name])
    assert judgement.status is Status.FAILS, name
    assert judgement.witness is not None


@pytest.mark.thorough
def test_no_counterexample_to_a_proven_formula_is_among_hundreds_of_instances():
    for claim in CLAIMS:
        assert counterexample(expanded(true_formula(claim)), 15) is None, claim.id


@pytest.mark.thorough
def test_nothing_that_is_proven_of_a_mutant_has_a_counterexample():
    proven = 0
    for claim in CLAIMS[::6]:
        for mutant in list(mutants(true_formula(claim)))[::9]:
            if judge(mutant.formula).status is Status.HOLDS:
                proven += 1
                assert counterexample(expanded(mutant.formula), 60) is None, str(mutant)
    assert proven >= 2
