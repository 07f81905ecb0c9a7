"""C1, C2 and C3 on forms made for the purpose."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from tdrc_theory import Matrix
from verify.check import Proof, Status
from verify.conditions.quadratic import Quadratic, quadratic_checks
from verify.conditions.setting import Forms


def forms(A, C, beta, eta):
    A, C = Matrix(A), Matrix(C)
    return Forms(Matrix.identity(A.shape[0]), C, A, A @ A.T, Fraction(beta), Fraction(eta))


def least(f, trials=20_000):
    """The least left side of C1, C2 and C3 over random complex vectors, in floats."""
    rng = np.random.default_rng(1)
    k = f.A.shape[0]
    return [v.min() for v in left_sides(f, rng.standard_normal((trials, k)) + 1j * rng.standard_normal((trials, k)))]


def left_sides(f, z):
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    A, C = f.A.to_float(), f.C.to_float()
    beta, eta = float(f.beta), float(f.eta)
    lam = np.einsum("ni,ij,nj->n", z.conj(), A, z)
    b_c = np.einsum("ni,ij,nj->n", z.conj(), C, z).real
    b_a = np.linalg.norm(z.conj() @ A, axis=1) ** 2
    omega, n = eta * beta + eta * b_c + lam.real, beta * lam.real + b_a
    return (
        omega,
        omega**2 + lam.imag**2 + 4 * eta * n,
        omega**2 * n + beta * lam.imag**2 * (eta * b_c + lam.real),
    )


IDENTITY = [[1, 0], [0, 1]]


def test_where_C1_changes_sign_C3_fails_even_if_it_only_touches_zero():
    f = forms([[-3, 0], [0, 1]], IDENTITY, "1/10", 1)
    assert least(f)[2] > -1e-9, "no vector makes it negative: A is symmetric"
    answer = Quadratic(f).third
    assert answer.holds is False
    low, high = (
        Matrix([[Fraction(v)] for v in end["real"]]).T @ f.M @ Matrix([[Fraction(v)] for v in end["real"]])
        for end in answer.evidence["between"]
    )
    assert low[0, 0] < 0 < high[0, 0]


@pytest.mark.parametrize(
    ("turn", "eta", "expected"),
    [("1/10", 1, True), ("1/5", 1, False), ("1/5", "3/2", True), ("5", 1, False), ("5", "3/2", True)],
)
def test_between_the_simple_inequalities_and_failure_a_cover_or_a_complex_vector_decides_C3(turn, eta, expected):
    turn, half = Fraction(turn), Fraction(1, 2)
    f = forms([[-half, turn], [-turn, -half]], [[half / 2, 0], [0, half / 2]], "9/20", eta)
    assert f.N_inertia.positive == 2
    assert not f.L_positive, "the simple inequalities decide nothing"
    answer = Quadratic(f).third
    assert Quadratic(f).first.holds
    assert answer.holds is expected
    assert ("cover" in answer.evidence) is expected
    assert bool(least(f)[2] > 0) is expected


def test_what_was_only_searched_for_is_no_exact_evidence(monkeypatch):
    half, turn = Fraction(1, 2), Fraction(1, 10)
    f = forms([[-half, turn], [-turn, -half]], [[half / 2, 0], [0, half / 2]], "9/20", 1)
    setting = SimpleNamespace(everywhere=f, C_singular=False)
    for largest, status, proof in ((24, Status.HOLDS, Proof.EXACT), (1, Status.UNDECIDED, Proof.FLOAT)):
        monkeypatch.setattr("verify.conditions.quadratic.LARGEST_SWEPT", largest)
        *_, implication = quadratic_checks(setting)
        assert (implication.status, implication.proof) == (status, proof)


@pytest.mark.parametrize("seed", range(60))
def test_answers_agree_with_random_vectors(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 5))
    features = rng.integers(-3, 4, (k + 1, k))
    A = (rng.integers(-6, 7, (k, k)) + np.eye(k, dtype=int) * int(rng.integers(0, 4))).tolist()
    C = (features.T @ features).tolist()
    f = forms(A, C, Fraction(int(rng.integers(1, 9)), 4), Fraction(int(rng.integers(1, 9)), 4))
    for place, (answer, value) in enumerate(zip(Quadratic(f).decisions.values(), least(f, 4000), strict=True)):
        if value < -1e-9:
            assert answer.holds is not True
        if "z" in answer.evidence:
            parts = [[float(Fraction(v)) for v in part] for part in answer.evidence["z"].values()]
            z = np.array([parts[0]]) + 1j * np.array([parts[1]])
            assert left_sides(f, z)[place][0] == pytest.approx(float(Fraction(answer.evidence["value"])), abs=1e-9)


def test_every_failure_comes_with_an_exact_value_that_is_not_positive():
    failures = 0
    for seed in range(40):
        rng = np.random.default_rng(1000 + seed)
        A = rng.integers(-5, 4, (3, 3)).tolist()
        f = forms(A, np.eye(3, dtype=int).tolist(), Fraction(1, 2), Fraction(1, 3))
        q = Quadratic(f)
        for answer in (q.first, q.second, q.third):
            if answer.holds is False and "z" in answer.evidence:
                failures += 1
                assert Fraction(answer.evidence["value"]) <= 0
    assert failures > 40


def test_C3_holds_where_C1_fails_everywhere_and_A_is_symmetric():
    q = Quadratic(forms([[-9, 0], [0, -8]], [[1, 0], [0, 1]], "1/10", 1))
    assert [q.first.holds, q.third.holds] == [False, True]
