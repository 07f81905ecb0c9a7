"""Every counterexample in matrices belongs to a real Markov chain."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tdrc_theory.exact import Matrix
from tdrc_theory.problem.key_matrices import key_matrices
from verify.refute.realised import problem_of, realised


def texts(matrix):
    return [[str(v) for v in row] for row in matrix.rows]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [1, 2, 3])
def test_any_matrix_and_any_covariance_matrix_are_those_of_a_chain(k, seed):
    rng = random.Random(seed)
    root = Matrix([[Fraction(rng.randint(-4, 4), 3) for _ in range(k)] for _ in range(k)]) + Matrix.identity(k) * 5
    A = Matrix([[rng.randint(-9, 9) for _ in range(k)] for _ in range(k)])
    b = Matrix.column([rng.randint(-9, 9) for _ in range(k)])
    C = root @ root.T
    problem = problem_of(realised({"A": texts(A), "C": texts(C), "b": texts(b)}))
    result = key_matrices(problem)
    assert (result.A, result.b, result.C) == (A, b, C)
    assert sum(problem.d) == 1
    assert all(weight >= 0 for weight in problem.d)


def test_a_singular_C_allows_only_what_vanishes_with_it():
    C = [["1", "1"], ["1", "1"]]
    assert realised({"A": [["1", "2"], ["1", "2"]], "C": C}) is not None
    assert realised({"A": [["1", "0"], ["0", "1"]], "C": C}) is None
    assert realised({"A": [["0"]], "C": [["0"]]}) is None
    assert realised({"eta": [["1"]]}) is None
