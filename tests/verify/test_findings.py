"""What is known to be true of the paper's problems, from the product's own derivation."""

from __future__ import annotations

import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import scipy.linalg

from tdrc_theory import ExpectationTable, Matrix, Problem, expected_update, find_algorithm, find_problem
from tdrc_theory.problem.key_matrices import key_matrices
from verify import Proof, Status, check_conditions
from verify.check import Outcome


def outcome(problem, algorithm="tdrc", **parameters):
    verdict = check_conditions(problem, algorithm, **parameters).verdict
    assert verdict.proof is Proof.EXACT
    return verdict.status


CONVERGENT, TO_A_SET, NOT = Outcome.CONVERGENT, Outcome.CONVERGENT_TO_A_SET, Outcome.NOT_CONVERGENT


def G_of(problem, beta, eta, algorithm="tdrc"):
    return expected_update(
        ExpectationTable(find_problem(problem)), find_algorithm(algorithm), {"beta": beta, "eta": eta}
    )


@pytest.mark.quick(6)
@pytest.mark.parametrize("name", ["baird", "boyan", "random-walk-inverted", "two-state"])
@pytest.mark.parametrize("algorithm", ["tdrc", "tdc", "htd", "tdc++", "gtd2"])
def test_the_enclosed_abscissa_is_the_one_of_eigenvalues_at_fifty_digits(name, algorithm):
    report = check_conditions(name, algorithm, beta="2/3", eta="5/4")
    table = ExpectationTable(report.problem)
    G = expected_update(table, report.algorithm, report.parameters).G
    with mpmath.workdps(50):
        rows = [[mpmath.mpf(v.numerator) / v.denominator for v in row] for row in G.rows]
        eigenvalues = mpmath.eig(mpmath.matrix(rows), left=False, right=False)
        # A cluster of zeros is found to within a root of the precision only.
        largest = max(mpmath.re(value) for value in eigenvalues if abs(value) > 1e-15)
        enclosure = report.verdict.spectral_abscissa
        assert enclosure.lower <= largest <= enclosure.upper
        assert enclosure.upper - enclosure.lower < 1e-15


@pytest.mark.parametrize("name", ["two-state", "baird", "boyan", "random-walk-inverted"])
def test_determinants_of_G_are_what_the_corrected_identities_say(name):
    A, _, C = key_matrices(find_problem(name))
    k = A.shape[0]
    identity = Matrix.identity(k)
    for beta, eta, lam in ((Fraction(1), Fraction(2), Fraction(-3, 7)), (Fraction(2, 5), Fraction(1, 3), Fraction(4))):
        G = G_of(name, beta, eta).G
        s = eta * beta + lam
        right = (C * eta + identity * s) * lam + A @ (A.T * eta + identity * s)
        assert (G - Matrix.identity(2 * k) * lam).det() == right.det()
        assert G.det() == eta**k * (A.T + identity * beta).det() * A.det()


def test_two_state_matrices_are_known():
    A, _, C = key_matrices(find_problem("two-state"))
    assert (A[0, 0], C[0, 0]) == (Fraction(-47, 100), Fraction(5, 2))


def test_on_two_states_tdc_converges_at_the_defaults_and_tdrc_does_not():
    assert outcome("two-state") is NOT
    assert outcome("two-state", "tdc") is CONVERGENT
    assert outcome("two-state", "tdc++") is CONVERGENT


def test_two_state_tdc_needs_eta_above_its_bound():
    assert outcome("two-state", "tdc", eta="47/250") is NOT
    assert outcome("two-state", "tdc", eta="0.18800001") is CONVERGENT


@pytest.mark.parametrize("beta", ["1/10", "2/5", "0.46"])
def test_two_state_tdrc_needs_eta_above_the_exact_limit(beta):
    limit = Fraction(47, 100) / (Fraction(5, 2) + Fraction(beta))
    assert outcome("two-state", beta=beta, eta=limit) is NOT
    assert outcome("two-state", beta=beta, eta=limit + Fraction(1, 10**9)) is CONVERGENT


@pytest.mark.parametrize("eta", ["1/5", "1", "100"])
def test_two_state_has_spurious_fixed_points_at_the_end_of_its_interval(eta):
    report = check_conditions("two-state", beta="47/100", eta=eta)
    assert report.verdict.status is NOT
    assert report.verdict.reason == "spurious fixed points along w = (1)"
    assert report["fixed-points.equal"].status is Status.FAILS
    assert report["theorem-fixed-points.hypotheses"].status is Status.FAILS
    assert (report.verdict.spectral_abscissa.lower, report.verdict.spectral_abscissa.upper) == (0, 0)


@pytest.mark.parametrize("eta", ["1/100", "1", "1000"])
def test_two_state_diverges_above_its_interval_at_every_eta(eta):
    report = check_conditions("two-state", beta=1, eta=eta)
    assert report.verdict.status is NOT
    assert report["necessary.determinant"].status is Status.FAILS
    if eta == "1":
        assert report.verdict.spectral_abscissa.middle == pytest.approx(0.0801, abs=5e-5)


@pytest.mark.parametrize("beta", ["0", "47/100", "1", "50"])
def test_two_state_tdcpp_converges_at_every_beta(beta):
    assert outcome("two-state", "tdc++", beta=beta) is CONVERGENT


@pytest.mark.parametrize("name", ["random-walk-tabular", "random-walk-inverted", "random-walk-dependent", "boyan"])
def test_the_positive_definite_problems_are_case_one(name):
    report = check_conditions(name)
    assert report.verdict.status is CONVERGENT
    assert report["theorem-3.1.case-i"].status is Status.HOLDS
    assert report["theorem-3.1.implies-convergence"].status is Status.HOLDS
    assert report["theorem-3.1.printed.implies-convergence"].status is Status.HOLDS
    assert report["conditions.imply-convergence"].status is Status.HOLDS
    assert report.bounds["beta_corrected"].value is None


def test_the_dependent_features_are_exact_in_their_number_field():
    report = check_conditions("random-walk-dependent")
    texts = [value for row in report.to_json()["matrices"]["A"] for value in row]
    assert any("sqrt(" in value for value in texts)
    eigenvalues = np.linalg.eigvals(
        expected_update(ExpectationTable(report.problem), report.algorithm, report.parameters).G.to_float()
    )
    assert report.verdict.spectral_abscissa.middle == pytest.approx(eigenvalues.real.max(), abs=1e-12)


def test_the_printed_lyapunov_function_fails_on_inverted_features():
    G = G_of("random-walk-inverted", Fraction(1), Fraction(1)).G.to_float()
    assert np.linalg.eigvalsh((G + G.T) / 2).max() == pytest.approx(0.00702, abs=5e-6)
    assert outcome("random-walk-inverted") is CONVERGENT


def continuing(reward):
    return Problem(
        name="two states in turn",
        gamma=1,
        features=[[1, 0], [0, 1]],
        transitions=[(0, 0, 1, 1, reward), (1, 0, 0, 1, reward)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
    )


def test_a_continuing_chain_without_discount_has_no_fixed_point_unless_rewards_average_to_zero():
    report = check_conditions(continuing(1))
    assert report.verdict.status is NOT
    assert "no fixed point" in report.verdict.reason
    assert report.verdict.spectral_abscissa.upper == 0
    assert outcome(continuing(0)) is TO_A_SET


def test_the_bounds_are_the_extremes_of_their_quotients_over_random_vectors():
    problem = Problem(
        name="three states",
        gamma=Fraction(19, 20),
        features=[[1, 0], [2, 1], [0, 1]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 2, 1, 1), (2, 0, 1, 1, 0)],
        behaviour=[[1]] * 3,
        target=[[1]] * 3,
        state_weights=[Fraction(8, 10), Fraction(1, 10), Fraction(1, 10)],
    )
    report = check_conditions(problem)
    A, _, C = (matrix.to_float() for matrix in report.key)
    H = (A + A.T) / 2
    assert report["theorem-3.1.case-i"].status is Status.FAILS
    angles = np.linspace(0, np.pi, 400_001)
    z = np.stack([np.cos(angles), np.sin(angles)])
    h, c, a = (np.einsum("in,ij,jn->n", z, F, z) for F in (H, C, A @ A.T))
    assert report.bounds["beta_corrected"].value == pytest.approx((a[h < 0] / -h[h < 0]).min(), rel=1e-6)
    assert report.bounds["eta"].value == pytest.approx((-h / c).max(), rel=1e-6)
    printed = -scipy.linalg.eigvals(np.linalg.solve(H, A @ A.T)).real.max()
    bound = report.bounds["beta_printed"]
    assert (bound.value, bound.number) == (None, pytest.approx(printed, rel=1e-9)), "no beta meets it"
    assert printed < 0


def test_the_singular_bound_on_eta_is_the_supremum_of_the_printed_expression_on_the_range_of_C():
    beta = 0.004
    report = check_conditions("baird", beta="0.004", eta=2)
    A, _, C = (matrix.to_float() for matrix in report.key)
    basis = scipy.linalg.orth(C)
    rng = np.random.default_rng(0)

    def printed(z):
        z = z / np.linalg.norm(z)
        lam, b_a = z.conj() @ A @ z, np.linalg.norm(A.T @ z) ** 2
        if lam.real >= 0:
            return -np.inf
        return (np.sqrt(-beta * lam.imag**2 * lam.real / (beta * lam.real + b_a)) - lam.real) / beta

    best, value = None, -np.inf
    scale = 1.0
    for trial in range(40_000):
        step = rng.standard_normal(7) + 1j * rng.standard_normal(7)
        candidate = step if best is None else best + scale * step / np.linalg.norm(step)
        if (result := printed(basis @ candidate)) > value:
            best, value = candidate / np.linalg.norm(candidate), result
        elif trial % 100 == 0:
            scale = max(scale * 0.93, 1e-5)
    bound = report.bounds["eta_singular_C"]
    assert bound.domain == "range(C)"
    assert value <= bound.enclosure.upper
    assert value == pytest.approx(bound.value, rel=1e-3)


@pytest.mark.parametrize("name", ["baird", "random-walk-dependent"])
def test_a_report_is_frozen_and_survives_pickling(name):
    report = check_conditions(name)
    again = pickle.loads(pickle.dumps(report))
    assert again.to_json() == report.to_json()
    for mapping in (report.bounds, report.ranks, report.checks[0].evidence, report.verdict.evidence):
        with pytest.raises(TypeError, match="does not change"):
            mapping["x"] = 1
