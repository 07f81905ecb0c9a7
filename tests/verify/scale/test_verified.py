"""Proofs in doubles, held up to exact arithmetic: never a wrong answer, whatever is proposed."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg

from tdrc_theory.errors import BadNumber
from tdrc_theory.exact import Matrix
from verify.exact.definiteness import inertia
from verify.exact.roots import is_hurwitz, largest_real_part
from verify.scale import verified
from verify.scale.ball import Ball, least_eigenvalue_bound
from verify.scale.verified import Candidates, prove_stability, two_sides


def exact_matrix(array):
    return Matrix([[Fraction(float(v)) for v in row] for row in array])


def random_matrix(rng, n, distance):
    """Return an exact matrix of thirds whose float abscissa was moved to about `distance`."""
    entries = [[Fraction(int(v), 3) for v in row] for row in rng.integers(-9, 10, (n, n))]
    abscissa = float(np.linalg.eigvals(Matrix(entries).to_float()).real.max())
    return Matrix(entries) - Matrix.identity(n) * (Fraction(abscissa) - Fraction(distance))


@pytest.mark.quick(8)
@pytest.mark.parametrize("distance", ["1", "-1", "1/1000", "-1/1000", "1/1000000000", "-1/1000000000"])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 13, 21, 34, 60])
def test_a_proof_agrees_with_exact_arithmetic(n, distance):
    rng = np.random.default_rng(n)
    decided = 0
    for _ in range(2 if n > 30 else 8):
        G = random_matrix(rng, n, distance)
        result = prove_stability(Ball.of(G))
        if result.hurwitz is not None:
            decided += 1
            assert result.hurwitz is is_hurwitz(G.charpoly())
    assert decided or abs(Fraction(distance)) < Fraction(1, 100)


@pytest.mark.parametrize("distance", ["2", "-2", "1/100", "-1/100", "0"])
@pytest.mark.parametrize("n", [2, 4, 9, 16])
def test_the_largest_real_part_lies_in_its_enclosure(n, distance):
    rng = np.random.default_rng(n)
    for _ in range(6):
        G = random_matrix(rng, n, distance)
        exact, result = largest_real_part(G.charpoly()), prove_stability(Ball.of(G)).abscissa
        assert result.lower <= float(exact.upper())
        assert float(exact.lower()) <= result.upper


@pytest.mark.parametrize("distance", ["2", "-2", "1/100", "-1/100"])
@pytest.mark.parametrize("n", [2, 9, 30])
def test_the_enclosure_of_a_matrix_too_large_to_be_refined_narrowly_is_no_wider_than_it_is_far_from_0(
    n, distance, monkeypatch
):
    monkeypatch.setattr(verified, "_REFINED", 0)
    rng = np.random.default_rng(n)
    for _ in range(4):
        G = random_matrix(rng, n, distance)
        exact, result = largest_real_part(G.charpoly()), prove_stability(Ball.of(G)).abscissa
        assert result.lower <= float(exact.upper())
        assert float(exact.lower()) <= result.upper
        assert result.upper - result.lower < min(abs(result.lower), abs(result.upper))


@pytest.mark.parametrize("n", [2, 5, 20])
def test_a_zero_eigenvalue_is_never_taken_for_a_decided_one(n):
    rng = np.random.default_rng(n)
    for _ in range(10):
        stable = rng.integers(-5, 6, (n, n)) - 40 * np.eye(n)
        G = np.zeros((n + 1, n + 1))
        G[:n, :n] = stable
        T = np.eye(n + 1) + np.triu(rng.integers(-2, 3, (n + 1, n + 1)), 1)
        inverse = np.rint(np.linalg.inv(T))
        assert (T @ inverse == np.eye(n + 1)).all()
        assert prove_stability(Ball.exact(T @ G @ inverse)).hurwitz is None


@pytest.mark.parametrize(
    "G",
    [
        [[0, 1], [0, 0]],
        [[0, 0], [0, 0]],
        [[0, 1], [-1, 0]],
        [[-1, 5, 0], [0, 0, 1], [0, 0, 0]],
        [[0, 1, 1, 0], [-1, 0, 0, 1], [0, 0, 0, 1], [0, 0, -1, 0]],
    ],
    ids=["defective", "zero", "rotation", "defective beside stable", "defective rotation"],
)
def test_matrices_on_the_border_stay_undecided(G):
    result = prove_stability(Ball.exact(np.array(G, dtype=float)))
    assert result.hurwitz is None
    assert "too close to 0" in result.reason
    assert result.abscissa.lower <= 0 <= result.abscissa.upper


@pytest.mark.parametrize("abscissa", [1e-13, -1e-13, 1e-10, -1e-10])
@pytest.mark.parametrize("coupling", [0.0, 1.0, 1e3])
def test_an_abscissa_of_a_ten_trillionth_is_not_taken_for_the_other_sign(abscissa, coupling):
    result = prove_stability(Ball.exact(np.array([[abscissa, coupling, 1], [0, -1, coupling], [0, 0, -2]])))
    assert result.hurwitz in (None, abscissa < 0)
    assert result.abscissa.lower <= abscissa <= result.abscissa.upper


def test_a_saddle_whose_eigenvalues_come_in_opposite_pairs_is_decided():
    # G^T P + P G = -I has no solution there; a shift has.
    assert prove_stability(Ball.exact(np.array([[1.0, 2], [0, -1]]))).hurwitz is False


@pytest.mark.parametrize("scale", [1e150, 1e-150, 1e300, 1e-300])
@pytest.mark.parametrize("sign", [1, -1])
def test_large_and_small_numbers_neither_overflow_nor_decide_wrongly(scale, sign):
    G = scale * np.array([[-1.0, 3], [0, -sign * 0.5]])
    result = prove_stability(Ball.exact(G))
    assert result.hurwitz is (sign == 1)
    assert result.abscissa.lower <= np.diag(G).max() <= result.abscissa.upper


def test_rows_and_columns_of_very_different_sizes_are_balanced():
    D = np.diag(2.0 ** np.array([0, 200, -200, 90]))
    G = np.array([[-3.0, 1, 0, 1], [1, -4, 1, 0], [0, 1, -5, 1], [1, 0, 1, -3]])
    assert prove_stability(Ball.exact(np.linalg.inv(D) @ G @ D)).hurwitz is True


def test_numbers_too_far_apart_for_doubles_are_not_decided_wrongly():
    G = np.array([[-1e-320, 1e300], [0.0, -1e300]])
    assert prove_stability(Ball.exact(G)).hurwitz in (None, True)
    G[0, 0] = 1e-320
    assert prove_stability(Ball.exact(G)).hurwitz in (None, False)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_finite_number_is_rejected(value):
    with pytest.raises(BadNumber, match="not finite"):
        Ball.exact(np.array([[value]]))
    with pytest.raises(BadNumber, match="not finite"):
        Ball(np.array([[1.0]]), np.array([[abs(value)]]))


def test_a_ball_of_stable_and_unstable_matrices_is_undecided():
    for middle in (-1.0, -1e-3, 0.0, 1e-3, 1.0):
        for rad in (2e-3, 2.0):
            result = prove_stability(Ball(np.array([[middle, 0], [0, -9]]), np.full((2, 2), rad)))
            assert result.hurwitz is (None if rad > abs(middle) else middle < 0)


def test_a_ball_that_is_wide_on_its_diagonal_only_is_undecided():
    assert prove_stability(Ball(np.array([[-1.0]]), np.array([[2.0]]))).hurwitz is None
    assert prove_stability(Ball(np.diag([-1.0, -5]), np.diag([2.0, 0]))).hurwitz is None


def test_a_proof_holds_for_the_corners_of_the_ball():
    rng = np.random.default_rng(3)
    for _ in range(30):
        n = int(rng.integers(2, 7))
        mid, rad = rng.integers(-8, 9, (n, n)) / 4 - 2 * np.eye(n), rng.integers(0, 3, (n, n)) / 16
        result = prove_stability(Ball(mid, rad))
        for _ in range(5):
            corner = exact_matrix(mid + rad * rng.choice([-1, 1], (n, n)))
            assert result.hurwitz in (None, is_hurwitz(corner.charpoly()))


@pytest.mark.parametrize("size", [1.0, 1e-9, 1e9, 1e200])
def test_whatever_is_proposed_nothing_false_is_proven(size, monkeypatch):
    rng = np.random.default_rng(1)

    def proposal(self, sigma):
        P = size * rng.standard_normal(self.T.shape)
        kind = rng.integers(4)
        P = (P + P.T, P @ P.T, -(P @ P.T), np.zeros_like(P))[kind] if size < 1e100 else P + P.T
        return (P + P.T) / 2

    monkeypatch.setattr(Candidates, "solution", proposal)
    for _ in range(150):
        n = int(rng.integers(1, 4))
        G = rng.integers(-9, 10, (n, n)).astype(float)
        assert prove_stability(Ball.exact(G)).hurwitz in (None, is_hurwitz(exact_matrix(G).charpoly()))


def near_singular(rng, n):
    B = rng.integers(-4, 5, (n, max(1, n - 1))).astype(float)
    return B @ B.T + float(rng.choice([0, 1e-14, 1e-10, 1e-3, 1, -1e-14, -1e-10, -1e-3])) * np.eye(n)


def test_a_bound_on_the_least_eigenvalue_is_below_it():
    rng = np.random.default_rng(2)
    result = 0
    for _ in range(200):
        n = int(rng.integers(1, 12))
        Q = near_singular(rng, n)
        for shift in (0.0, 1e-12, 1e-3, 0.75, -1e-12, -1.0):
            bound = least_eigenvalue_bound(Q, shift)
            if bound is not None:
                result += 1
                assert inertia(exact_matrix(Q) - Matrix.identity(n) * Fraction(bound)).negative == 0
    assert result > 200


def test_a_matrix_that_is_indefinite_by_one_rounding_gets_no_bound_of_zero():
    rng = np.random.default_rng(8)
    indefinite = 0
    for a, b in rng.random((400, 2)):
        Q = np.array([[a, b], [b, b * b / a]])
        bound = least_eigenvalue_bound(Q, 0.0)
        if bound is not None:
            least = exact_matrix(Q) - Matrix.identity(2) * Fraction(bound)
            assert inertia(least).negative == 0
            indefinite += inertia(exact_matrix(Q)).negative
    assert indefinite > 20


def test_a_false_factor_of_the_certificate_itself_is_found_out(monkeypatch):
    true = scipy.linalg.cholesky

    def hopeful(Q, **options):
        try:
            return true(Q, **options)
        except np.linalg.LinAlgError:
            return np.eye(len(Q))

    monkeypatch.setattr(scipy.linalg, "cholesky", hopeful)
    for G in ([[1.0]], [[1.0, 2], [0, -3]], [[-1.0, 3], [3, -1]]):
        assert prove_stability(Ball.exact(np.array(G))).hurwitz is False


@pytest.mark.parametrize("damage", [1e-14, 1e-8, 1e-2, 10.0])
def test_a_wrong_cholesky_factor_proves_nothing_false(damage, monkeypatch):
    rng = np.random.default_rng(4)
    true = scipy.linalg.cholesky

    def wrong(Q, **options):
        R = true(Q + 2 * abs(damage) * np.eye(len(Q)), **options)
        return R + damage * rng.standard_normal(R.shape)

    monkeypatch.setattr(scipy.linalg, "cholesky", wrong)
    for _ in range(50):
        n = int(rng.integers(1, 8))
        Q = near_singular(rng, n)
        bound = least_eigenvalue_bound(Q, 0.0)
        if bound is not None:
            assert inertia(exact_matrix(Q) - Matrix.identity(n) * Fraction(bound)).negative == 0


def test_the_margin_of_a_certificate_is_below_every_exact_one():
    rng = np.random.default_rng(5)
    result = 0
    for _ in range(60):
        n = int(rng.integers(1, 8))
        mid = rng.standard_normal((n, n)) - 2 * np.eye(n)
        rad = 1e-3 * rng.random((n, n))
        P = Candidates(mid).solution(0.0)
        margin = verified._margin(*verified._dissipation(Ball(mid, rad), P))
        if margin is not None:
            result += 1
            corner, exact_P = exact_matrix(mid) + exact_matrix(rad), exact_matrix(P)
            Q = -(corner.T @ exact_P + exact_P @ corner)
            assert inertia(Q - Matrix.identity(n) * Fraction(margin)).negative == 0
    assert result > 20


def test_the_margin_allows_for_the_rounding_of_its_product(monkeypatch):
    rng = np.random.default_rng(9)
    result = 0
    for _ in range(60):
        G = random_matrix(rng, 4, "-1/1000000000").to_float()
        P = Candidates(G).solution(0.0)
        M = P @ G
        # As tight as floats see it, so that only the error of the product is between the two.
        monkeypatch.setattr(verified, "_SHIFT", np.linalg.eigvalsh(-(M + M.T))[0] - 1e-12)
        margin = verified._margin(*verified._dissipation(Ball.exact(G), P))
        if margin is not None:
            result += 1
            half = exact_matrix(G).T @ exact_matrix(P)
            assert inertia(-(half + half.T) - Matrix.identity(4) * Fraction(margin)).negative == 0
    assert result > 20


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

    monkeypatch.setattr(verified, "_eigenvectors", proposal)
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
        Q, error = verified._Proposal(p, y, c).dissipation(Ball(mid, rad))
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
