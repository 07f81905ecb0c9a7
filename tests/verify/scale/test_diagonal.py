"""Bounds of the abscissa from eigenvectors, held up to exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory.exact import Matrix
from verify.exact.definiteness import inertia
from verify.exact.roots import largest_real_part
from verify.scale import diagonal, verified
from verify.scale.ball import Ball
from verify.scale.diagonal import two_sides
from verify.scale.verified import Candidates, prove_stability


def exact_matrix(array):
    return Matrix([[Fraction(float(v)) for v in row] for row in array])


def m_matrix(rng, n, gamma=0.9):
    """Return A = D (I - gamma Pi) of a tabular chain in which not every state is entered."""
    steps = np.zeros((n, n))
    for s in range(n):
        steps[s, rng.choice(max(1, n - 1), size=min(2, n - 1) or 1, replace=False)] += 1
    return (np.eye(n) - gamma * steps / steps.sum(axis=1, keepdims=True)) / n


def tdrc(A, beta):
    n = len(A)
    C = np.eye(n) / n
    return np.block([[-C - beta * np.eye(n), -A], [A.T - C, -A]])


def assert_encloses(result, G):
    exact = largest_real_part(exact_matrix(G).charpoly())
    assert result.lower < float(exact.upper())
    assert float(exact.lower()) < result.upper


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_the_abscissa_of_a_tabular_chain_is_enclosed_narrowly_for_td_and_for_tdrc(n):
    rng = np.random.default_rng(n)
    A = m_matrix(rng, n)
    for G in (-A, tdrc(A, 1000 / n)):
        result, _ = two_sides(Ball.exact(G))
        assert_encloses(result, G)
        assert result.upper < 0
        assert result.upper - result.lower < abs(result.upper) / 10


def test_a_large_tabular_chain_needs_no_schur_decomposition(monkeypatch):
    monkeypatch.setattr(verified, "_REFINED", 0)
    monkeypatch.delattr(Candidates, "__init__")
    G = tdrc(m_matrix(np.random.default_rng(0), 40), 25.0)
    result = prove_stability(Ball.exact(G))
    assert result.hurwitz is True
    assert result.abscissa.lower < np.linalg.eigvals(G).real.max() < result.abscissa.upper


def test_what_is_proven_of_any_matrix_holds_for_every_one_of_its_ball():
    rng = np.random.default_rng(1)
    proven = 0
    for _ in range(150):
        n = int(rng.integers(1, 6))
        mid = rng.integers(-3, 4, (n, n)) / 4 - float(rng.integers(-1, 4)) * np.eye(n)
        rad = np.full((n, n), float(rng.choice([0, 1e-6, 1e-3])))
        result = two_sides(Ball(mid, rad))
        if result is not None:
            proven += 1
            for _ in range(2):
                assert_encloses(result[0], mid + rad * rng.choice([-1, 1], (n, n)))
    assert proven > 20


def test_whatever_eigenvectors_are_proposed_nothing_false_is_proven(monkeypatch):
    rng = np.random.default_rng(2)
    proven = 0

    def proposal(G):
        n = len(G)
        return float(rng.choice([-2, -0.5, 0.5, 2])), 10.0 ** rng.integers(-2, 3, n), rng.standard_normal(n)

    monkeypatch.setattr(diagonal, "_eigenvectors", proposal)
    for _ in range(300):
        n = int(rng.integers(1, 4))
        G = rng.integers(-3, 4, (n, n)) / 2
        result = two_sides(Ball.exact(G))
        if result is not None:
            proven += 1
            assert_encloses(result[0], G)
    assert proven


@pytest.mark.parametrize("c", [0.0, 0.5])
def test_the_error_of_the_dissipation_bounds_its_distance_from_the_exact_one(c):
    rng = np.random.default_rng(3)
    for size in (0.0, 1e-18, 1e-3):
        n = 5
        mid, rad = rng.standard_normal((n, n)) - 9 * np.eye(n), size * rng.random((n, n))
        p, y = rng.random(n) + 1, rng.standard_normal(n) / 4
        Q, error = diagonal._Proposal(p, y, c).dissipation(Ball(mid, rad))
        exact_y = exact_matrix(y[:, None])
        P = exact_matrix(np.diag(p)) - exact_y @ exact_y.T * Fraction(c)
        for sign in (-1, 1):
            half = P @ (exact_matrix(mid) + exact_matrix(rad) * sign)
            exact = -(half + half.T)
            # T is diagonal, of powers of 2: it is read off the diagonal.
            t = np.exp2(np.round(np.log2(np.diag(Q) / np.diag(exact.to_float())) / 2))
            T = exact_matrix(np.diag(t))
            off = T @ exact @ T - exact_matrix(Q)
            for side in (-1, 1):
                assert inertia(Matrix.identity(n) * Fraction(error) + off * side).negative == 0
        assert error < 1e-13 + 100 * size
