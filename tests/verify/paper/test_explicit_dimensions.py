"""What is proven for every dimension, expanded in dimensions 1, 2 and 3 by sympy's commutative polynomials."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from claim_facts import true_formula

from tdrc_theory.formula.vocabulary import COLUMN, SCALAR, TALL, entry, expanded
from tdrc_theory.papers import find_paper
from tdrc_theory.papers.claim import Kind

SUPPORTED = {"=", "add", "mul", "power", "T", "det", "block", "row", "symbol", "number", "norm2", "inv"}


def is_equation_of_matrices(formula):
    names = formula.names()
    sampled = names & {"x", "x'", "z", "i", "rho", "delta"} or any(name.startswith("step_") for name in names)
    return {node.op for _, node in formula.walk()} <= SUPPORTED and not sampled


EQUATIONS = [claim.id for claim in find_paper().of_kind(Kind.FORMULA) if is_equation_of_matrices(true_formula(claim))]
POLYNOMIAL = [name for name in EQUATIONS if not true_formula(find_paper().claim(name)).has("inv")]


def value(node, d):
    """Return the value as a matrix; scalars are 1 x 1."""
    op, args = node.op, node.args
    if op == "number":
        number = Fraction(node.name)
        return sympy.Matrix([[sympy.Rational(number.numerator, number.denominator)]])
    if op == "symbol":
        return named(node.name, d)
    if op == "block":
        return sympy.Matrix(sympy.BlockMatrix([[value(cell, d) for cell in row.args] for row in args]))
    parts = [value(part, d) for part in args]
    if op == "add":
        return sum(parts[1:], parts[0])
    if op == "mul":
        product = parts[0]
        for part in parts[1:]:
            product = times(product, part)
        return product
    if op == "power":
        return sympy.Matrix([[parts[0][0, 0] ** parts[1][0, 0]]])
    (matrix,) = parts
    return {
        "T": lambda: matrix.T,
        "det": lambda: det(matrix),
        "inv": lambda: inverse(matrix),
        "norm2": lambda: matrix.T * matrix,
    }[op]()


def times(left, right):
    if left.shape[1] == right.shape[0]:
        return left * right
    return left[0, 0] * right if left.shape == (1, 1) else left * right[0, 0]


def det(matrix):
    return sympy.Matrix([[matrix.det(method="berkowitz")]])


def inverse(matrix):
    return matrix.adjugate() / matrix.det(method="berkowitz")


def named(name, d):
    symbol = entry(name)
    if name == "d":
        return sympy.Matrix([[d]])
    if name in ("I", "I_2d"):
        return sympy.eye(d if name == "I" else 2 * d)
    if name == "0":
        return sympy.zeros(d, 1)
    if symbol.shape == SCALAR:
        return sympy.Matrix([[sympy.Symbol(name)]])
    rows = 2 * d if symbol.shape == TALL else d
    columns = 1 if symbol.shape in (COLUMN, TALL) else d
    if symbol.domain == "covariance":
        return sympy.Matrix(rows, columns, lambda i, j: sympy.Symbol(f"{name}_{min(i, j)}{max(i, j)}"))
    return sympy.Matrix(rows, columns, lambda i, j: sympy.Symbol(f"{name}_{i}{j}"))


@pytest.mark.parametrize("name", EQUATIONS)
def test_an_equation_of_the_registry_holds_in_dimension_one(name):
    assert_equal(name, 1)


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", POLYNOMIAL)
def test_an_equation_of_the_registry_holds_entry_by_entry_in_dimension_two(name):
    assert_equal(name, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EQUATIONS if name not in POLYNOMIAL])
def test_an_equation_with_an_inverse_holds_entry_by_entry_in_dimension_two(name):
    assert_equal(name, 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", POLYNOMIAL)
def test_an_equation_of_the_registry_holds_entry_by_entry_in_dimension_three(name):
    assert_equal(name, 3)


def test_the_determinants_are_among_them():
    assert {"determinant.of-G", "determinant.characteristic", "tdc++.determinant"} <= set(POLYNOMIAL)
    assert len(EQUATIONS) >= 12


def assert_equal(name, d):
    left, right = (value(side, d) for side in expanded(true_formula(find_paper().claim(name))).args)
    assert left.shape == right.shape
    gap = (left - right).applyfunc(lambda entry: sympy.expand(sympy.numer(sympy.together(entry))))
    assert gap.is_zero_matrix
