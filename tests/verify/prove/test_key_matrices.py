"""Formulas about matrices of states: what is proven for every number of states, what is refuted, and their mutants."""

from __future__ import annotations

import pytest
from mutation.formulas import mutants

from tdrc_theory.formula.expression import (
    I,
    absolute,
    before,
    both,
    definite_where,
    det,
    diag,
    diagonal,
    diagonalizable,
    earlier,
    equal,
    greater,
    hurwitz,
    iff,
    implies,
    inv,
    less,
    nonnegative,
    nonsingular,
    number,
    ones,
    posdef,
    positive,
    semidefinite,
    symbols,
)
from tdrc_theory.formula.formula_reader import formula
from tdrc_theory.formula.vocabulary import expanded
from verify.check import Status
from verify.paper.judge import PROVERS, SAYS_NOTHING, judge
from verify.refute.counterexample import counterexample

P, Gamma, Lambda, i, m, f, P_lambda, K = symbols("P_pi Gamma Lambda interests m f P_lambda K")
d_pi, d_b, D_pi, D_b, f_0, gamma, S, A = symbols("d_pi d_b D_pi D_b f_0 gamma P A")
X, A_m, b_m, r, theta, b_s, pi_s, y = symbols("X A_m b_m r_pi theta b_s pi_s y")
rho_t, gamma_t, lambda_t, i_t, M_t, F_t = symbols("rho_t gamma_t lambda_t interest_t M_t F_t")
ENDS, INDEPENDENT, DISCOUNTED = nonsingular(I - P * Gamma), nonsingular(X.T * X), less(gamma, 1)
ON_POLICY, OFF_POLICY = D_pi * (I - gamma * P), D_b * (I - gamma * P)
PAST = earlier(rho_t * M_t, gamma_t * lambda_t * rho_t)
EMPHASIS = equal(M_t, i_t + gamma_t * (1 - lambda_t) * PAST)
RATIO = inv(diag(b_s)) * pi_s
ABOVE = positive(diagonal(S))

TRUE = {
    "row sums on-policy": implies(DISCOUNTED, positive(ON_POLICY * ones)),
    "column sums on-policy": equal(ON_POLICY.T * ones, (1 - gamma) * d_pi),
    "definite on-policy": implies(DISCOUNTED, posdef(ON_POLICY)),
    "definite where column sums allow it": implies(DISCOUNTED, nonnegative(OFF_POLICY.T * ones), posdef(OFF_POLICY)),
    "I - gamma P is nonsingular": implies(DISCOUNTED, nonsingular(I - gamma * P)),
    "column sums of emphatic TD(0)": equal(ones.T * diag(f_0) * (I - gamma * P), d_b.T),
    "emphatic TD(0) is definite": implies(DISCOUNTED, posdef(diag(f_0) * (I - gamma * P))),
    "24": equal(I - P_lambda, inv(I - P * Gamma * Lambda) * (I - P * Gamma)),
    "25": implies(ENDS, equal(f, i + Gamma * P.T * f)),
    "26": implies(ENDS, equal(m, inv(I - P_lambda.T) * i)),
    "26, the line before": implies(ENDS, equal(m, (I - Lambda * Gamma * P.T) * inv(I - Gamma * P.T) * i)),
    "P_lambda is substochastic": implies(
        ENDS, both(nonnegative(P_lambda), nonnegative(ones - P_lambda * ones), nonsingular(I - P_lambda))
    ),
    "row sums": implies(ENDS, nonnegative(K * ones)),
    "column sums": implies(ENDS, equal(K.T * ones, i)),
    "diagonal": implies(ENDS, nonnegative(diagonal(K))),
    "its inverse exists": implies(ENDS, nonsingular(I - P * Gamma * Lambda)),
    "theorem 1": implies(ENDS, positive(i), posdef(K)),
    "theorem 1, A": implies(ENDS, positive(i), INDEPENDENT, posdef(A_m)),
    "theorem 1, stable": implies(ENDS, positive(i), INDEPENDENT, hurwitz(-A_m)),
    "positive emphasis": implies(ENDS, positive(m), posdef(K)),
    "the transpose": implies(ENDS, positive(i), posdef(K.T)),
    "a positive determinant": implies(greater(det(I - P * Gamma), 0), positive(i), INDEPENDENT, posdef(A_m)),
    "semidefinite with zero interests": implies(ENDS, semidefinite(K)),
    "definite where the emphasis is positive": implies(ENDS, definite_where(K, m)),
    "the projected Bellman error is 0": implies(
        equal(A_m * theta, b_m), equal(X * inv(X.T * diag(m) * X) * (b_m - A_m * theta), 0 * ones)
    ),
    "values are the fixed point": implies(
        ENDS, equal(inv(I - P * Gamma * Lambda) * r + P_lambda * inv(I - P * Gamma) * r, inv(I - P * Gamma) * r)
    ),
    "congruence": implies(posdef(A), INDEPENDENT, posdef(X.T * A * X)),
    "strict dominance": implies(ABOVE, positive(2 * diagonal(S) - absolute(S) * ones), posdef(S)),
    "importance sampling": equal(b_s.T * diag(RATIO) * y, pi_s.T * y),
    "19": implies(EMPHASIS, equal(M_t, lambda_t * i_t + (1 - lambda_t) * F_t)),
    "20": implies(EMPHASIS, equal(F_t, before(rho_t) * gamma_t * before(F_t) + i_t)),
    "symmetric part": iff(posdef(A), posdef(A + A.T)),
    "definite with a plus": implies(DISCOUNTED, posdef(D_pi * (I + gamma * P))),
    "nonsingular with a plus": implies(ENDS, nonsingular(I + P * Gamma * Lambda)),
    "P_lambda with a plus": implies(ENDS, nonsingular(I + P_lambda)),
    "determinants of M-matrices": implies(ENDS, greater(det(I - P_lambda), 0)),
    "a product turned round": implies(nonsingular(I - P.T * Gamma), nonsingular(I - Lambda * P * Gamma)),
    "a matrix that is inverted": equal(f, i + Gamma * P.T * f),
    "a definite matrix has det above 0": implies(posdef(A), greater(det(A), 0)),
    "a negative definite one has det other than 0": implies(posdef(-A), nonsingular(A)),
    "dominance makes the diagonal positive": implies(positive(2 * diagonal(S) - absolute(S) * ones), posdef(S)),
    "congruence by the transpose": implies(posdef(A.T), INDEPENDENT, posdef(X.T * A * X)),
    "shares of a substochastic matrix": implies(ENDS, nonsingular(I - P_lambda * Gamma * Lambda)),
    "by the last time but one": implies(
        equal(M_t, i_t + gamma_t * (1 - lambda_t) * earlier(rho_t * F_t, gamma_t * lambda_t * rho_t)),
        *(equal(rho_t, 1), equal(gamma_t, 1), equal(lambda_t, 0), equal(i_t, 1)),
        equal(M_t, before(M_t) + 1),
    ),
}
VACUOUS = {
    "discount above 1": implies(greater(gamma, 1), posdef(ON_POLICY)),
    "negative interests": implies(ENDS, positive(-i), posdef(-K)),
    "column sums below 0": implies(DISCOUNTED, nonnegative(-(OFF_POLICY.T * ones)), posdef(-OFF_POLICY)),
    "ones that are 0": implies(equal(ones, 0 * ones), equal(m, 2 * ones)),
    "a diagonal above 0, and below": implies(ABOVE, positive(-2 * diagonal(S) - absolute(S) * ones), posdef(S)),
    "a sequence of two values": implies(equal(lambda_t, 1), equal(lambda_t, 0), equal(M_t, before(M_t) + 1)),
}
WITHOUT_MEANING = {
    "no end": implies(equal(det(I - P * Gamma), 0), semidefinite(K)),
    "no end, turned round": implies(equal(det(I - P.T * Gamma), 0), equal(ones.T * K, i.T)),
    "I less a stochastic matrix": implies(ENDS, equal(m, inv(I - P.T) * i)),
}
FALSE = {
    "definite at gamma = 1": posdef(ON_POLICY),
    "definite off-policy": implies(DISCOUNTED, posdef(OFF_POLICY)),
    "row sums alone": implies(DISCOUNTED, nonnegative(OFF_POLICY * ones), posdef(OFF_POLICY)),
    "column sums are the next weights": implies(ENDS, equal(K * ones, i)),
    "row sums positive": implies(ENDS, positive(i), positive(K * ones)),
    "definite with zero interests": implies(ENDS, posdef(K)),
    "emphasis everywhere": implies(ENDS, positive(m)),
    "dependent features": implies(ENDS, positive(i), posdef(A_m)),
    "contraction in the maximum norm": implies(ENDS, positive(ones - P_lambda * ones)),
    "eigenvectors": implies(posdef(A), diagonalizable(A)),
    "dominance without sizes": implies(ABOVE, positive(2 * diagonal(S) - S * ones), posdef(S)),
    "behaviour's weights stay": equal(P.T * d_b, d_b),
    "two more each time": implies(equal(M_t, 1 + earlier(M_t, number(0))), equal(M_t, before(M_t) + 2)),
    "right at first only": implies(
        equal(M_t, i_t + earlier(M_t, number(0))), equal(rho_t, 1), equal(i_t * (M_t - before(M_t)), rho_t)
    ),
    "the current ratio": implies(EMPHASIS, equal(F_t, rho_t * gamma_t * before(F_t) + i_t)),
    "TD(0) with other weights": implies(DISCOUNTED, INDEPENDENT, hurwitz(-(X.T * OFF_POLICY * X))),
    "bootstrapped on-policy": implies(DISCOUNTED, posdef(D_pi * (I - gamma * P_lambda))),
    "nonsingular at gamma = 1, where f_0 is not": both(equal(f_0, d_b + gamma * P.T * f_0), nonsingular(I - gamma * P)),
    "one of two, where the other has no value": both(nonsingular(I - P), equal(inv(I - P) * (I - P), I)),
    "a follow-on of 1 makes the emphasis grow": implies(
        EMPHASIS, equal(rho_t, 1), equal(gamma_t, 1), equal(lambda_t, 0), equal(F_t, 1), equal(M_t, before(M_t) + 1)
    ),
    "any sequence": equal(F_t, before(rho_t) * gamma_t * before(F_t) + i_t),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_for_every_number_of_states_is_proven(name):
    judgement = judge(TRUE[name])

    assert judgement.status is Status.HOLDS
    assert judgement.steps


@pytest.mark.parametrize("name", VACUOUS)
def test_hypotheses_that_nothing_meets_are_seen_to_claim_nothing(name):
    judgement = judge(VACUOUS[name])

    assert judgement.status is Status.HOLDS
    assert "contradict" in judgement.rule or any("cannot hold" in step.reason for step in judgement.steps)


@pytest.mark.parametrize("name", WITHOUT_MEANING)
def test_an_inverse_that_does_not_exist_where_the_hypotheses_hold_leaves_nothing_said(name):
    judgement = judge(WITHOUT_MEANING[name])

    assert (judgement.status, judgement.rule) == (Status.UNDECIDED, SAYS_NOTHING)


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_refuted_by_a_witness(name):
    judgement = judge(FALSE[name])

    assert judgement.status is Status.FAILS
    assert judgement.witness


@pytest.mark.parametrize("weights", ["", "*diag(f)"])
def test_a_product_of_matrices_that_are_not_square_is_not_inverted_by_its_factors(weights):
    statement = formula(f"X*inv(X.T{weights}*X)*X.T{weights} == I")  # true where X is square and has an inverse
    assert [prover(statement) for prover in PROVERS if prover(statement) is not None] == []
    assert judge(formula(f"X*inv(X.T{weights}*X)*X.T{weights}*X == X")).status is Status.HOLDS


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUE)
def test_no_mutant_that_has_a_counterexample_is_proven(name):
    for mutant in mutants(TRUE[name]):
        if judge(mutant.formula).status is Status.HOLDS:
            assert counterexample(expanded(mutant.formula), 2000) is None, str(mutant)
