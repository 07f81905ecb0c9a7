"""What is known of Baird's counterexample from elsewhere comes out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import find_problem
from tdrc_theory.problem.key_matrices import key_matrices
from verify import Proof, Status, check_conditions
from verify.check import Outcome
from verify.region.region import region


def outcome(problem, algorithm="tdrc", **parameters):
    verdict = check_conditions(problem, algorithm, **parameters).verdict
    assert verdict.proof is Proof.EXACT
    return verdict.status


CONVERGENT, TO_A_SET, NOT = Outcome.CONVERGENT, Outcome.CONVERGENT_TO_A_SET, Outcome.NOT_CONVERGENT


@pytest.fixture(scope="module")
def baird():
    return check_conditions("baird")


def test_baird_with_the_default_settings_converges_to_a_set(baird):
    assert baird.verdict.status is TO_A_SET
    assert baird.verdict.proof is Proof.EXACT
    assert dict(baird.ranks) == {"A": 7, "C": 7, "G": 15}


def test_baird_bounds_on_the_range_of_C(baird):
    bounds = baird.bounds
    assert bounds["beta_printed"].exact == "-4/7"
    assert bounds["beta_printed"].value is None, "no beta meets it"
    assert bounds["beta_corrected"].value == pytest.approx(0.00519913, abs=5e-9)
    assert bounds["eta"].value == pytest.approx(0.8046, abs=5e-5)
    assert bounds["eta_singular_C"].value is None
    assert "cannot make G Hurwitz" in bounds["eta_singular_C"].reason


def test_baird_meets_neither_case_of_the_theorem_and_is_stable_all_the_same(baird):
    status = {check.claim: check.status for check in baird.checks}
    for claim in ("C-nonsingular", "A-nonsingular", "case-i", "case-ii", "case-ii.printed", "note"):
        assert status[f"theorem-3.1.{claim}"] is Status.FAILS, claim
    assert status["theorem-3.1.implies-convergence"] is Status.UNDECIDED
    assert status["theorem-3.1.printed.implies-convergence"] is Status.UNDECIDED
    assert [status[f"condition.{name}"] for name in ("C1", "C2", "C3")] == [Status.HOLDS, Status.HOLDS, Status.FAILS]


def test_the_vector_at_which_C3_fails_on_baird_really_fails_it(baird):
    evidence = baird["condition.C3"].evidence
    z = np.array([complex(Fraction(u), Fraction(v)) for u, v in zip(*evidence["z"].values(), strict=True)])
    A, _, C = (matrix.to_float() for matrix in baird.key)
    length = (z.conj() @ z).real
    lam = (z.conj() @ A @ z) / length
    b_c, b_a = ((z.conj() @ F @ z).real / length for F in (C, A @ A.T))
    value = (1 + b_c + lam.real) ** 2 * (lam.real + b_a) + lam.imag**2 * (b_c + lam.real)
    assert value < -1e-3
    assert value == pytest.approx(float(Fraction(evidence["value"])))


@pytest.mark.parametrize(
    ("beta", "expected"),
    [
        ("0", TO_A_SET),
        ("0.0221781", TO_A_SET),
        ("0.0221782", NOT),
        ("1/10", NOT),
        ("1/5", NOT),
        ("0.23925046", NOT),
        ("0.23925047", TO_A_SET),
        ("4/5", TO_A_SET),
        ("14.5215", TO_A_SET),
        ("14.5216", NOT),
    ],
)
def test_baird_converges_on_two_intervals_of_beta_at_eta_one(beta, expected):
    assert outcome("baird", beta=beta) is expected


@pytest.mark.parametrize("eta", ["1/1000", "1/4", "1", "16", "5000"])
def test_baird_between_the_inner_ends_is_unstable_at_every_eta(eta):
    report = check_conditions("baird", beta="1/10", eta=eta)
    assert report.verdict.status is NOT
    assert report["necessary.determinant"].status is Status.FAILS


@pytest.mark.parametrize(("beta", "rate"), [("1", -8.50352e-4), ("1/10", 3.7e-5), ("1/5", 1.9e-5)])
def test_rates_on_baird_are_those_known_from_elsewhere(beta, rate):
    enclosure = check_conditions("baird", beta=beta).verdict.spectral_abscissa
    assert enclosure.middle == pytest.approx(rate, rel=0.02 if abs(rate) < 1e-4 else 1e-6)


def test_the_inner_ends_are_negatives_of_eigenvalues_of_A():
    charpoly = key_matrices(find_problem("baird")).A.charpoly()
    roots = np.roots([float(c) for c in reversed(charpoly.coefficients)])
    ends = np.roots([4900, -1281, 26])
    assert all(np.abs(roots + end).min() < 1e-12 for end in ends)


def test_baird_at_beta_zero_converges_to_a_plane():
    report = check_conditions("baird", "tdc")
    assert report.verdict.status is TO_A_SET
    assert report.ranks["G"] == 14


@pytest.mark.parametrize(("eta", "expected"), [(1, NOT), (4, NOT), (16, TO_A_SET), (64, TO_A_SET)])
def test_htd_on_baird_needs_a_large_eta(eta, expected):
    assert outcome("baird", "htd", eta=eta) is expected


def test_a_singular_C_makes_A_singular(baird):
    A, _, C = baird.key
    kernel = C.null_space()
    assert kernel.shape == (8, 1)
    assert (kernel.T @ A).is_zero()
    assert A.rank() == 7


def test_td_lambda_is_stable_on_baird_above_61_66_exactly():
    (interval,) = region("baird", "td-lambda", over="lam").intervals
    assert (interval.lower.rational, interval.lower_closed) == (Fraction(61, 66), False)
    assert (interval.upper.rational, interval.upper_closed) == (1, True)


def test_a_target_network_is_stable_on_baird_below_an_eta_at_which_eigenvalues_are_imaginary(baird):
    (interval,) = region("baird", "td-target", over="eta").intervals
    assert (interval.lower.rational, interval.lower_closed, interval.upper_closed) == (0, False, False)
    assert interval.upper.value == pytest.approx(2.0198, abs=5e-5)
    assert [outcome("baird", "td-target", eta=eta) for eta in ("2.0198", "2.0199")] == [TO_A_SET, NOT]
    A, _, C = (matrix.to_float() for matrix in baird.key)
    eta, one = interval.upper.value, np.eye(8)
    result = np.linalg.eigvals(np.block([[-eta * one, eta * one], [C - A, -C]]))
    fast = result[abs(result) > 1e-8]
    assert len(fast) == 15
    assert max(fast.real) == pytest.approx(0, abs=1e-9)
    assert min(abs(fast[abs(fast.real) < 1e-9].imag)) > 0.01
