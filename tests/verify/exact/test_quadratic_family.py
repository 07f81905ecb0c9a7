from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tdrc_theory.exact import Matrix, sqrt
from verify.exact.definiteness import is_positive_definite
from verify.exact.quadratic_family import QuadraticFamily, stable_cover

small = st.integers(-2, 2)


@st.composite
def families(draw):
    """Return families with E and M positive definite; N often is, and c and S are of any size."""
    n = draw(st.integers(1, 3))

    def square():
        return Matrix([[draw(small) for _ in range(n)] for _ in range(n)])

    def definite():
        root = square()
        return root.T @ root + Matrix.identity(n) * Fraction(draw(st.integers(1, 4)), 2)

    skew = square()
    scale = Fraction(draw(st.integers(0, 8)), 2)
    N = definite() if draw(st.booleans()) else definite() - Matrix.identity(n) * draw(st.integers(0, 4))
    return QuadraticFamily(definite(), definite(), N, (skew - skew.T) * scale, Fraction(draw(st.integers(0, 6)), 3))


def samples(n, count=400):
    rng = np.random.default_rng(7)
    z = rng.standard_normal((count, n)) + 1j * rng.standard_normal((count, n)) * rng.choice([0, 0.3, 1], (count, 1))
    return z / np.linalg.norm(z, axis=1, keepdims=True)


def values(family, z):
    """Return e, m, n, kappa of every sampled z."""

    def of(F):
        return np.einsum("ij,jk,ik->i", z.conj(), F, z).real

    E, M, N, S = (F.to_float() for F in (family.E, family.M, family.N, family.S))
    return of(E), of(M), of(N), of(-1j * S)


def roots(family, z):
    """Return both roots of s^2 e + s (m + i kappa) + (n + i c kappa), by the quadratic formula."""
    e, m, n, kappa = values(family, z)
    p, q = (m + 1j * kappa) / e, (n + 1j * float(family.c) * kappa) / e
    root = np.sqrt(p * p - 4 * q + 0j)
    return np.stack([(-p + root) / 2, (-p - root) / 2])


def inside(piece, last):
    """Return frequencies of a piece, its ends among them; a last piece is followed for three powers of ten."""
    if piece.high is None:
        return np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 20)]) * max(1.0, float(last)) + float(piece.low)
    return np.linspace(float(piece.low), float(piece.high), 7)


@given(families())
def test_every_piece_proves_what_it_says(family):
    cover = stable_cover(family)
    assume(cover is not None)
    z = samples(family.M.shape[0])
    e, m, n, kappa = values(family, z)
    for piece in cover:
        for omega in inside(piece, cover[-1].low):
            real, imaginary = n - omega * kappa - omega**2 * e, omega * m + float(family.c) * kappa
            assert (float(piece.p) * real + float(piece.q) * imaginary > 0).all()
    assert (roots(family, z).real < 0).all()


@given(families())
def test_pieces_cover_every_frequency_without_gaps(family):
    cover = stable_cover(family)
    assume(cover is not None)
    assert cover[0].low == 0
    assert cover[-1].high is None
    for piece, following in pairwise(cover):
        assert piece.low < piece.high == following.low


@given(families())
def test_there_is_no_cover_where_a_vector_violates_stability(family):
    worst = roots(family, samples(family.M.shape[0])).real.max()
    assert (stable_cover(family) is None) or worst < 0


def test_a_vector_with_an_unstable_root_leaves_no_cover():
    # At z = (1, i): e = 2, m = 2, n = 2, kappa = 2t and tau = 2ct, so that C3 is 1 + c t^2 (1 - c) > 0.
    E = Matrix.identity(2)
    for c, t, stable in ((3, Fraction(2, 5), True), (3, Fraction(1, 2), False), (Fraction(1, 2), 50, True)):
        family = QuadraticFamily(E, E, E, Matrix([[0, t], [-t, 0]]), Fraction(c))
        assert (roots(family, np.array([[1, 1j], [1, -1j]])).real < 0).all() == stable
        assert (stable_cover(family) is not None) == stable


def test_a_root_exactly_on_the_axis_leaves_no_cover():
    # c = 2 and t^2 = 1/2 make C3 zero at z = (1, i), which only exact arithmetic can tell from positive.
    E, t = Matrix.identity(2), sqrt(Fraction(1, 2))
    assert stable_cover(QuadraticFamily(E, E, E, Matrix([[0, t], [-t, 0]]), Fraction(2))) is None
    t = t - Fraction(1, 20)
    assert stable_cover(QuadraticFamily(E, E, E, Matrix([[0, t], [-t, 0]]), Fraction(2))) is not None


@pytest.mark.parametrize("n", [Fraction(-1), Fraction(0), Fraction(-1, 10**30)])
def test_a_constant_term_that_is_not_positive_leaves_no_cover(n):
    # s^2 + s - 1 has no root on the imaginary axis at all, and one in the right half-plane.
    one, none = Matrix([[1]]), Matrix([[0]])
    assert stable_cover(QuadraticFamily(one, one, one * n, none, Fraction(0))) is None
    assert stable_cover(QuadraticFamily(one, one, one, none, Fraction(0))) is not None


def test_a_damping_that_is_not_positive_leaves_no_cover():
    one, none = Matrix([[1]]), Matrix([[0]])
    for m in (Fraction(0), Fraction(-1)):
        assert not is_positive_definite(one * m)
        assert stable_cover(QuadraticFamily(one, one * m, one, none, Fraction(1))) is None


@pytest.mark.parametrize("size", [Fraction(10**150), Fraction(10**400), Fraction(1, 10**400)])
def test_sizes_beyond_the_floats_are_covered_rightly_or_not_at_all(size):
    E, turn = Matrix.identity(2), Matrix([[0, 1], [-1, 0]])
    for family in (
        QuadraticFamily(E, E * size, E, turn, Fraction(1)),
        QuadraticFamily(E, E, E * size, turn, Fraction(1)),
        QuadraticFamily(E, E, E, turn * size, Fraction(1)),
        QuadraticFamily(E, E, E, turn, size),
    ):
        m, n, t, c = family.M[0, 0], family.N[0, 0], family.S[0, 1], family.c
        stable = m * m * n + c * t * t * (m - c) > 0
        assert stable_cover(family) is None or stable


def test_a_piece_is_written_with_exact_numbers_as_text():
    one = Matrix([[1]])
    cover = stable_cover(QuadraticFamily(one, one, one, Matrix([[0]]), Fraction(0)))
    assert cover is not None
    written = [piece.to_json() for piece in cover]
    assert written[-1] == {"low": str(cover[-1].low), "high": None, "p": "0", "q": "1"}
    assert all(Fraction(each["low"]) == piece.low for each, piece in zip(written, cover, strict=True))
