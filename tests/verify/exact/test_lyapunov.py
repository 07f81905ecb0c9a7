"""Stability by a Lyapunov certificate, against Routh's table."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import ExpectationTable, Matrix, expected_update, find_algorithm
from tdrc_theory.problems.garnet import garnet
from verify.exact.lyapunov import is_stable, nonzero_part
from verify.exact.roots import is_hurwitz


def random_matrix(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    shift = int(rng.integers(0, 12))
    return Matrix((rng.integers(-6, 7, (n, n)) - shift * np.eye(n, dtype=int)).tolist()) * Fraction(1, 3)


def test_an_answer_is_nearly_always_found_and_is_that_of_routh():
    answers = []
    for seed in range(200):
        G = random_matrix(seed)
        answers.append(is_stable(G))
        assert answers[-1] in (None, is_hurwitz(G.charpoly())), seed
    assert answers.count(None) < 20
    assert min(answers.count(True), answers.count(False)) > 30


@pytest.mark.parametrize("tiny", [Fraction(1, 10**n) for n in (3, 8, 16, 30)])
def test_close_to_the_axis_an_answer_is_right_or_missing(tiny):
    turn = Matrix([[0, 1], [-1, 0]])
    for sign, stable in ((-1, True), (1, False)):
        assert is_stable(turn + Matrix.identity(2) * (sign * tiny)) in (None, stable)
    assert is_stable(turn) is None, "on the axis nothing can be certified"


def test_without_its_zeros_a_matrix_keeps_its_other_eigenvalues():
    table = ExpectationTable(garnet(6, 2, 2, 3, 5))
    G = expected_update(table, find_algorithm("tdrc"), {"beta": Fraction(1), "eta": Fraction(1)}).G
    zeros = Matrix.zeros(6, 2)
    wide = Matrix.block([[G, zeros], [zeros.T, Matrix.zeros(2, 2)]])
    turned = Matrix([[int(j == (3 * i + 1) % 8) for j in range(8)] for i in range(8)])
    hidden = turned @ wide @ turned.T
    assert nonzero_part(hidden).charpoly() == G.charpoly()
    assert is_stable(nonzero_part(hidden)) is True
    assert nonzero_part(G) is G
