from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tdrc_theory.exact import Matrix, Surd, sqrt

rationals = st.fractions(min_value=-3, max_value=3, max_denominator=3)
surds = st.builds(lambda a, b, n: a + b * sqrt(n), st.integers(-2, 2), st.integers(-1, 1), st.sampled_from([2, 3]))
entries = st.sampled_from([rationals, surds])


@st.composite
def tables(draw, rows=None, columns=None):
    n = draw(st.integers(1, 3)) if rows is None else rows
    m = draw(st.integers(1, 3)) if columns is None else columns
    entry = draw(entries)
    return [[draw(entry) for _ in range(m)] for _ in range(n)]


def as_sympy(value):
    terms = value.terms if isinstance(value, Surd) else {1: Fraction(value)}
    return sum((sympy.Rational(c.numerator, c.denominator) * sympy.sqrt(n) for n, c in terms.items()), sympy.Integer(0))


def sympy_matrix(matrix):
    n, m = matrix.shape
    return sympy.Matrix(n, m, [as_sympy(v) for row in matrix.rows for v in row])


def same(matrix, expected):
    return matrix.shape == expected.shape and all(
        sympy.radsimp(sympy.expand(as_sympy(matrix[i, j]) - expected[i, j])) == 0
        for i in range(matrix.shape[0])
        for j in range(matrix.shape[1])
    )


def sympy_rref(matrix):
    return sympy_matrix(matrix).rref(simplify=sympy.radsimp, iszerofunc=lambda v: sympy.expand(sympy.radsimp(v)) == 0)


@st.composite
def pairs(draw, like=None):
    """Two matrices that can be multiplied, or with `like` added; sometimes one rational and one not."""
    n, m, k = (draw(st.integers(1, 3)) for _ in range(3))
    shape = (n, m) if like else (m, k)
    return Matrix(draw(tables(n, m))), Matrix(draw(tables(*shape)))


@given(pairs())
def test_products_agree_with_sympy(pair):
    a, b = pair
    assert same(a @ b, sympy_matrix(a) * sympy_matrix(b))


@given(pairs(like=True), surds)
def test_entrywise_operations_agree_with_sympy(pair, factor):
    a, b = pair
    p, q = sympy_matrix(a), sympy_matrix(b)
    assert same(a + b, p + q)
    assert same(a - b, p - q)
    assert same(-a, -p)
    assert same(a.hadamard(b), sympy.HadamardProduct(p, q).doit())
    assert same(a * factor, p * as_sympy(factor))
    assert same(Fraction(2, 3) * a, p * sympy.Rational(2, 3))
    assert same(a.T, p.T)


@given(st.data())
def test_determinant_and_characteristic_polynomial_agree_with_sympy(data):
    n = data.draw(st.integers(1, 3))
    matrix = Matrix(data.draw(tables(n, n)))
    t = sympy.Symbol("t")
    expected = (t * sympy.eye(n) - sympy_matrix(matrix)).det(method="berkowitz")
    result = sum(as_sympy(c) * t**i for i, c in enumerate(matrix.charpoly().coefficients))
    assert sympy.expand(result - expected) == 0
    assert sympy.expand(as_sympy(matrix.det()) - sympy_matrix(matrix).det(method="berkowitz")) == 0


@st.composite
def deficient(draw):
    """A matrix whose rank is often less than full: a product through a narrow middle."""
    n, m = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    middle = draw(st.integers(1, 2))
    return Matrix(draw(tables(n, middle))) @ Matrix(draw(tables(middle, m)))


@settings(max_examples=25)
@given(deficient())
def test_the_echelon_form_and_the_rank_are_sympys(matrix):
    expected, pivots = sympy_rref(matrix)
    reduced, result = matrix.rref()
    assert result == pivots
    assert same(reduced, expected)
    assert matrix.rank() == len(pivots)
    assert matrix.column_basis() == matrix.select(range(matrix.shape[0]), pivots)


@given(deficient())
def test_the_null_space_is_killed_and_has_the_dimension_that_the_rank_leaves(matrix):
    kernel = matrix.null_space()
    dimension = matrix.shape[1] - matrix.rank()
    assert kernel.shape == (matrix.shape[1], dimension)
    if dimension:
        assert (matrix @ kernel).is_zero()
        assert kernel.rank() == dimension


@given(deficient(), st.data())
def test_a_solution_solves_and_none_is_given_only_where_there_is_none(matrix, data):
    right = Matrix(data.draw(tables(matrix.shape[0], 2)))
    solution = matrix.solve(right)
    if solution is None:
        assert Matrix.block([[matrix, right]]).rank() > matrix.rank()
    else:
        assert matrix @ solution == right
    inside = matrix @ Matrix(data.draw(tables(matrix.shape[1], 1)))
    result = matrix.solve(inside)
    assert result is not None
    assert matrix @ result == inside


@given(st.data())
def test_blocks_are_put_together_and_taken_apart_again(data):
    n, m, k, j = (data.draw(st.integers(1, 2)) for _ in range(4))
    parts = [[Matrix(data.draw(tables(r, c))) for c in (k, j)] for r in (n, m)]
    whole = Matrix.block(parts)
    assert same(whole, sympy.Matrix(sympy.BlockMatrix([[sympy_matrix(p) for p in band] for band in parts])))
    assert whole.select(range(n, n + m), range(k)) == parts[1][0]
    assert whole.select([0], [k]) == Matrix([[parts[0][1][0, 0]]])


def test_rows_and_columns_are_selected_in_the_order_given():
    assert Matrix([[1, 2], [3, 4]]).select([1, 0, 1], [1]) == Matrix([[4], [2], [4]])


def test_an_irrational_entry_that_cancels_leaves_a_rational_matrix():
    a = Matrix([[sqrt(2), 0], [0, sqrt(2)]])
    assert a.rational is None
    assert (a @ a).rational is not None
    assert a @ a == Matrix.diagonal([2, 2])
    assert hash(a @ a) == hash(Matrix.diagonal([2, 2]))
    assert (a - a).is_zero()
    assert not a.is_zero()


@pytest.mark.parametrize("matrix", [Matrix([[1, 2]]), Matrix([[sqrt(2), 2]])])
def test_a_matrix_does_not_change(matrix):
    before = matrix.rows
    with pytest.raises(AttributeError, match="a Matrix does not change"):
        matrix.shape = (2, 1)
    with pytest.raises(TypeError):
        matrix[0, 0] = 5
    with pytest.raises(TypeError):
        matrix.rows[0][0] = Fraction(5)
    total = matrix
    total += matrix
    total -= matrix + matrix
    assert matrix.rows == before
    assert total.is_zero()


@pytest.mark.parametrize("rows", [[[1, 2], [3, 4, 5], [6]], [[1, sqrt(2)], [3]], [[], [1]]])
def test_rows_of_different_lengths_are_refused(rows):
    with pytest.raises(ValueError, match="a matrix needs rows of one length"):
        Matrix(rows)


@pytest.mark.parametrize("rows", [[[0.5]], [[0.5, sqrt(2)]], [[1, None]], [[None, sqrt(2)]]])
def test_entries_are_exact_numbers_only(rows):
    with pytest.raises(TypeError):
        Matrix(rows)


OPERATIONS = {
    "sum": lambda square, _: square + square.select([0], [0, 1]),
    "difference": lambda square, row: square - row,
    "entrywise product": lambda square, row: square.hadamard(row),
    "product": lambda _, row: row @ row,
    "solution": lambda square, _: square.solve(Matrix([[1]])),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
@pytest.mark.parametrize("corner", [Fraction(1), sqrt(2)])
def test_shapes_that_do_not_fit_are_refused(operation, corner):
    with pytest.raises(ValueError, match=r"shape|argument|length"):
        operation(Matrix([[corner, 2], [3, 4]]), Matrix([[corner, 2]]))


@given(tables())
def test_the_float_view_is_rounded_and_read_only(table):
    array = Matrix(table).to_float()
    assert array.dtype == np.float64
    assert array.tolist() == [[float(v) for v in row] for row in table]
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 1.0


@pytest.mark.parametrize("unit", [Fraction(1), sqrt(2)])
def test_entries_beyond_the_floats_become_infinite(unit):
    assert Matrix([[unit * 10**400, -unit * 10**400, unit / 10**400]]).to_float().tolist() == [[np.inf, -np.inf, 0.0]]


def test_matrices_without_rows_or_columns_keep_their_shape():
    assert Matrix.zeros(2, 0).T.shape == (0, 2)
    assert Matrix.zeros(2, 0).to_float().shape == (2, 0)
    assert Matrix.identity(2).null_space().shape == (2, 0)
    assert Matrix([[1, 1], [1, 1]]) @ Matrix.zeros(2, 0) == Matrix.zeros(2, 0)
    assert Matrix.zeros(0, 0).det() == 1


@given(tables(rows=2, columns=2))
def test_a_singular_matrix_is_one_whose_determinant_is_zero(table):
    matrix = Matrix(table)
    assume(not matrix.is_zero())
    assert (matrix.det() == 0) == (matrix.rank() < 2)


def test_texts_are_written_as_problem_files_write_numbers():
    assert Matrix([[Fraction(1, 2), 3]]).texts() == [["1/2", "3"]]
    assert Matrix([[Fraction(1, 2), 1 + sqrt(2)]]).texts() == [["1/2", "1 + sqrt(2)"]]
    assert Matrix.column([1, sqrt(3)]).column_texts() == ["1", "sqrt(3)"]
