"""The free algebra, against matrices of numbers."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tdrc_theory.algebra import Free, Rules, Scalar
from tdrc_theory.exact import Matrix

LETTERS = ("A", "A^T", "C")


def random_sum(rng):
    total = Free()
    for _ in range(4):
        word = Free.scalar(Scalar.number(rng.randint(-3, 3)) * Scalar.of("eta", rng.randint(0, 2)))
        for _ in range(rng.randint(0, 3)):
            word *= Free.letter(rng.choice(LETTERS))
        total += word
    return total


def value(total, point, eta):
    result = Matrix.zeros(2, 2)
    for word, coefficient in total.terms:
        product = Matrix.identity(2) * coefficient.map({"eta": Scalar.number(eta)}.get).constant()
        for letter in word:
            product = product @ point[letter]
        result += product
    return result


@pytest.mark.parametrize("seed", range(5))
def test_sums_products_and_transposes_mean_what_they_mean_for_matrices(seed):
    rng = random.Random(seed)
    A, half = (Matrix([[rng.randint(-4, 4) for _ in range(2)] for _ in range(2)]) for _ in range(2))
    point = {"A": A, "A^T": A.T, "C": half + half.T}
    eta = Fraction(rng.randint(1, 5), 3)
    a, b = random_sum(rng), random_sum(rng)
    assert value(a + b, point, eta) == value(a, point, eta) + value(b, point, eta)
    assert value(a * b, point, eta) == value(a, point, eta) @ value(b, point, eta)
    assert value(a.T, point, eta) == value(a, point, eta).T


def test_an_inverse_is_a_letter_with_two_rules():
    C, K, one = Free.letter("C"), Free.letter("[C]^-1~"), Free.scalar(1)
    rules = Rules()
    rules.add(("C", "[C]^-1~"), one)
    rules.add(("[C]^-1~", "C"), one)
    assert (C * K).reduced(rules) == one
    assert (K * C * K * C).reduced(rules) == one
    assert (K * Free.letter("A") * C).reduced(rules) != Free.letter("A")


def test_closed_pieces_commute():
    h, x, x_next = map(Free.letter, ("h", "x", "x'"))
    assert h.T * x * x_next == x_next * (x.T * h)
    assert x * x_next.T != x_next * x.T


def test_the_form_of_a_complex_vector_is_not_that_of_the_transpose():
    z, A = Free.letter("z"), Free.letter("A")
    assert z.T * A * z != z.T * A.T * z
    assert z.T * A.T * z == (z.T * A * z).T


def test_laurent_polynomials_divide_by_monomials_only():
    eta, beta = Scalar.of("eta"), Scalar.of("beta")
    assert (eta**-2 * eta**3) == eta
    with pytest.raises(ZeroDivisionError):
        (eta + beta).inverse()
