"""False formulas whose counterexamples are rare, and true ones at which a careless evaluation slips."""

import pytest
from mutation.score import formulas

from tdrc_theory.algebra import Free, Rules
from tdrc_theory.formula.expression import (
    DIM,
    E,
    Expr,
    I,
    det,
    eigmax,
    equal,
    grad,
    greater,
    implies,
    inv,
    less,
    nonsingular,
    number,
    symbol,
    symbols,
    unequal,
)
from tdrc_theory.formula.vocabulary import expanded
from tdrc_theory.papers import PAPERS, find_paper
from verify.check import Status
from verify.paper.judge import judge
from verify.prove.equations import prove_equations, prove_identity
from verify.prove.knowledge import Knowledge, definite_consequences, pencil_of
from verify.prove.meaning import Meaning, OutsideTheAlgebra
from verify.refute.counterexample import counterexample

A, C, H, b, w, h, z = symbols("A C H b w h z")
beta, gamma, i, rho, x, xn = symbols("beta gamma i rho x x'")
ZERO, NOTHING = symbol("0"), number(0) * I

FALSE = {
    "the transpose of a complex kernel vector is no conjugate": implies(equal(C * z, ZERO), equal(z.T * z, z.star * z)),
    "gamma may be 0": implies(equal(gamma * h, ZERO), equal(h, ZERO)),
    "gamma may be 0 between matrices": implies(equal(gamma * A, NOTHING), equal(A * w, ZERO)),
    "gamma may be 0 in elimination": implies(equal(gamma * h, ZERO), equal(h, w), equal(w, ZERO)),
    "A = C says nothing about next features where gamma is 0": implies(
        equal(E(rho * x * (x - gamma * xn).T), E(x * x.T)), equal(E(rho * x * xn.T), NOTHING)
    ),
}


@pytest.mark.parametrize("formula", FALSE.values(), ids=FALSE)
def test_a_false_formula_with_rare_counterexamples_is_refuted(formula: Expr) -> None:
    assert judge(formula).status is Status.FAILS


@pytest.mark.parametrize("formula", FALSE.values(), ids=FALSE)
def test_no_argument_proves_it_either(formula: Expr) -> None:
    assert prove_identity(formula) is None
    assert prove_equations(formula) is None


def test_a_gradient_of_high_degree_is_not_refuted_by_differences() -> None:
    assert judge(equal(grad((w.T * w) ** 2), 4 * (w.T * w) * w)).status is Status.HOLDS
    assert judge(equal(grad((b.T * w) ** 3), 3 * (b.T * w) ** 2 * b)).status is Status.HOLDS


def test_a_hypothesis_of_symmetry_does_not_rewrite_for_ever() -> None:
    assert judge(implies(equal(A, A.T), equal(A * A.T, A * A))).status is Status.HOLDS
    rules = Rules()
    rules.add(("A",), Free.letter("A^T"))
    assert Free.letter("A").reduced(rules) == Free.letter("A^T")


def test_a_power_that_is_1_in_one_dimension_needs_no_nonzero_base() -> None:
    # d = 3, beta = 0, A = I: beta^(d - 3) = 1.
    formula = implies(unequal(det(A) * beta ** (DIM - 3), 0), unequal(det(beta * A), 0))
    assert judge(formula).status is not Status.HOLDS


def test_the_negative_of_a_square_is_not_taken_for_a_square() -> None:
    # A = H = 1, beta = 0 meets the relation, and H is positive there.
    relation = less(beta, -eigmax(-inv(H) * A * A.T))
    assert definite_consequences(pencil_of(relation), Knowledge((nonsingular(A),))) == []
    assert definite_consequences(pencil_of(less(beta, -eigmax(inv(H) * A * A.T))), Knowledge((nonsingular(A),)))


def test_the_transpose_of_a_complex_matrix_is_not_its_conjugate_transpose() -> None:
    with pytest.raises(OutsideTheAlgebra):
        Meaning().blocks((i * A).T)
    assert prove_identity(equal((i * A).star, -i * A.T)) is not None


def test_z_that_is_only_transposed_may_be_conjugated() -> None:
    kernel, conclusion = equal(E(x * x.T) * z, ZERO), equal(z.T * E(rho * x * (x - gamma * xn).T), ZERO.T)
    assert judge(implies(kernel, conclusion)).status is Status.HOLDS


@pytest.mark.thorough
def test_an_expectation_without_a_name_ends_no_argument_in_an_error() -> None:
    length = E(x.T * x)
    assert judge(implies(greater(length, 0), nonsingular(C), greater(beta, -length))).status is not Status.FAILS


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
def test_among_many_instances_there_is_none_at_which_a_formula_that_was_proven_is_false(paper: str) -> None:
    proven = [formula for _, formula in formulas(find_paper(paper)) if judge(formula).status is Status.HOLDS]
    assert proven
    assert not [formula for formula in proven if counterexample(expanded(formula), 300)]
