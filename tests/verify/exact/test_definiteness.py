from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdrc_theory.exact import Matrix, sign, sqrt
from verify.exact.definiteness import (
    Inertia,
    form_value,
    inertia,
    is_positive_definite,
    nonpositive_vector,
    rounded,
)

TINY = Fraction(1, 10**40)
pivots = st.sampled_from(
    [Fraction(0), Fraction(1), Fraction(-1), Fraction(7, 3), Fraction(-5, 2), TINY, -TINY, sqrt(2), 1 - sqrt(2)]
)
shears = st.fractions(min_value=-3, max_value=3, max_denominator=3)


@st.composite
def congruent(draw):
    """Return P^T D P with det P = 1, which has the inertia of D by Sylvester's law, and D's diagonal."""
    n = draw(st.integers(1, 4))
    diagonal = draw(st.lists(pivots, min_size=n, max_size=n))
    P = Matrix.identity(n)
    for upper in (True, False):
        table = [
            [Fraction(1) if i == j else draw(shears) if (i < j) == upper else Fraction(0) for j in range(n)]
            for i in range(n)
        ]
        P = P @ Matrix(table)
    assert P.det() == 1
    return P.T @ Matrix.diagonal(diagonal) @ P, diagonal


@given(congruent())
def test_congruence_keeps_the_inertia(constructed):
    matrix, diagonal = constructed
    signs = [sign(v) for v in diagonal]
    assert inertia(matrix) == Inertia(signs.count(1), signs.count(0), signs.count(-1))
    assert is_positive_definite(matrix) == all(s > 0 for s in signs)


@given(congruent())
def test_a_vector_shows_that_a_form_is_not_positive_exactly_where_it_is_not(constructed):
    matrix, diagonal = constructed
    z = nonpositive_vector(matrix)
    least = min(sign(v) for v in diagonal)
    if least > 0:
        assert z is None
    else:
        assert z is not None
        assert z.shape == (matrix.shape[0], 1)
        assert not z.is_zero()
        # written out, so that nothing of the function under test judges it
        entries = [row[0] for row in z.rows]
        value = sum((a * matrix[i, j] * b for i, a in enumerate(entries) for j, b in enumerate(entries)), Fraction(0))
        assert sign(value) == least
        assert form_value(matrix, z) == value


@pytest.mark.parametrize(
    "matrix",
    [
        Matrix([[1, Fraction(1, 3)], [Fraction(1, 3), Fraction(1, 9) - TINY]]),
        Matrix([[1, 0, 0], [0, 0, TINY], [0, TINY, 5]]),
        Matrix([[1, 1, 0], [1, 1, TINY], [0, TINY, 1]]),
        Matrix([[0, TINY], [TINY, 0]]),
        Matrix([[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1 + TINY, Fraction(1, 3)], [0, 0, Fraction(1, 3), 0]]),
        Matrix([[2, sqrt(2)], [sqrt(2), 1 - TINY]]),
        Matrix([[10**400, 1], [1, -(10**400)]]),
    ],
)  # fmt: skip
def test_a_negative_direction_is_found_where_floats_see_none(matrix):
    z = nonpositive_vector(matrix)
    assert z is not None
    assert sign(form_value(matrix, z)) < 0


def test_a_semidefinite_form_gives_a_vector_of_its_kernel():
    matrix = Matrix([[1, Fraction(1, 3)], [Fraction(1, 3), Fraction(1, 9)]])
    z = nonpositive_vector(matrix)
    assert z is not None
    assert not z.is_zero()
    assert (matrix @ z).is_zero()


def test_roundings_come_closer_and_are_never_zero():
    import numpy as np

    vector = np.array([0.2, -0.6180339887498949, 1e-5])
    results = [z.rows for z in rounded(vector)]
    errors = [
        max(abs(float(row[0]) - v / 0.6180339887498949) for row, v in zip(rows, vector, strict=True))
        for rows in results
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1e-11
    assert all(any(row[0] for row in rows) for rows in results)
