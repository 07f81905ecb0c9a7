"""Balls hold what they stand for, and candidates solve their equation."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Matrix, sqrt
from verify.scale.ball import Ball
from verify.scale.verified import Candidates

U = Fraction(1, 2**53)


def test_an_exact_matrix_lies_in_its_ball():
    rng = np.random.default_rng(6)
    rows = [[Fraction(int(p), int(q)) for p, q in rng.integers(1, 10**9, (5, 2))] for _ in range(5)]
    rows[0][:3] = [Fraction(0), Fraction(1, 10**400), Fraction(1, 2)]
    with_roots = [[sqrt(2) * v if i % 2 else sqrt(3) - sqrt(2) * v for i, v in enumerate(row)] for row in rows]
    for entries in (rows, with_roots):
        ball = Ball.of(Matrix(entries))
        for i, j in np.ndindex(5, 5):
            off, rad = entries[i][j] - Fraction(ball.mid[i, j]), Fraction(ball.rad[i, j])
            assert -rad <= off <= rad
    # A number that rounds to 0 is not 0.
    assert Ball.of(Matrix(rows)).is_zero.sum() == 1


def test_what_is_past_the_largest_double_has_no_ball():
    with pytest.raises(BadNumber, match="past the largest double"):
        Ball.of(Matrix([[10**400]]))


def test_sums_and_multiples_of_balls_hold_those_of_their_members():
    rng = np.random.default_rng(7)
    for _ in range(100):
        size = 10.0 ** rng.integers(-300, 100)
        a, b = (Ball(size * rng.standard_normal((2, 3)), 1e-9 * size * rng.random((2, 3))) for _ in range(2))
        factor = Fraction(int(rng.integers(-99, 100)), int(rng.integers(1, 100)))
        total, product = a + b, a.times(factor)
        for i, j in np.ndindex(2, 3):
            corner = [Fraction(ball.mid[i, j]) + Fraction(ball.rad[i, j]) for ball in (a, b)]
            assert abs(sum(corner) - Fraction(total.mid[i, j])) <= Fraction(total.rad[i, j])
            assert abs(corner[0] * factor - Fraction(product.mid[i, j])) <= Fraction(product.rad[i, j])


def test_an_exact_zero_stays_one():
    zero = Ball.exact(np.zeros((2, 2)))
    assert (zero + zero.times(Fraction(1, 3))).is_zero.all()


def test_factors_that_would_overflow_are_rejected():
    with pytest.raises(BadNumber, match="1e150"):
        Ball.exact(np.ones((1, 1))).times(Fraction(10) ** 200)


@pytest.mark.parametrize("n", [65, 130, 257])
def test_a_candidate_solves_its_equation_across_blocks(n):
    rng = np.random.default_rng(n)
    G = rng.standard_normal((n, n)) - 2 * np.sqrt(n) * np.eye(n)
    P = Candidates(G).solution(-1.0)
    shifted = G + np.eye(n)
    assert np.allclose(shifted.T @ P + P @ shifted, -np.eye(n), atol=1e-8)


def test_the_bound_on_rounding_is_no_smaller_than_its_formula():
    from verify.scale.ball import gamma

    for n in (1, 7, 10**3, 10**6, 10**12):
        assert Fraction(gamma(n)) >= n * U / (1 - n * U)
    with pytest.raises(BadNumber, match="too many"):
        gamma(10**16)
