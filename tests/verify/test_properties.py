"""What must be true of every problem, on random ones."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tdrc_theory import OF_THE_PAPER, Algorithm, ExpectationTable, Problem, averaged_process, expected_update
from tdrc_theory.problems.garnet import garnet
from verify import Proof, Status, check_conditions
from verify.check import Outcome

CONVERGENT, TO_A_SET, NOT = Outcome.CONVERGENT, Outcome.CONVERGENT_TO_A_SET, Outcome.NOT_CONVERGENT
parameters = st.sampled_from([Fraction(n, d) for n, d in ((1, 50), (1, 5), (1, 1), (7, 2), (30, 1))])
small = st.integers(-3, 3)


@st.composite
def averaged_problems(draw) -> Problem:
    """Problems with any weights, far from on-policy, so that every verdict occurs."""
    states, k = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    shares = st.lists(st.integers(0, 4), min_size=states, max_size=states).filter(any)
    rows = [draw(shares) for _ in range(states)]
    weights = draw(shares)
    return averaged_process(
        name="random",
        gamma=draw(st.sampled_from([Fraction(1, 2), Fraction(9, 10), Fraction(1)])),
        features=[[draw(small) for _ in range(k)] for _ in range(states)],
        P=[[Fraction(p, sum(row)) for p in row] for row in rows],
        r=[draw(small) for _ in range(states)],
        d=[Fraction(weight, sum(weights)) for weight in weights],
    )


@st.composite
def sampled_problems(draw) -> Problem:
    return garnet(
        draw(st.integers(2, 5)), draw(st.integers(1, 3)), 2, draw(st.integers(1, 4)), draw(st.integers(0, 10**6))
    )


problems = averaged_problems() | sampled_problems()


def float_spectrum(report) -> np.ndarray:
    table = ExpectationTable(report.problem)
    update = expected_update(table, report.algorithm, report.parameters)
    return np.linalg.eigvals(update.G.to_float())


@given(problems, st.sampled_from(OF_THE_PAPER), parameters, parameters)
def test_verdicts_agree_with_floating_point_beyond_its_error(problem, algorithm, beta, eta):
    report = check_conditions(problem, algorithm, beta=beta, eta=eta)
    real = float_spectrum(report).real
    # An m-fold eigenvalue is off by the m-th root of the rounding error.
    error = 1e-3 * max(1.0, np.abs(real).max())
    if report.verdict.status in (CONVERGENT, TO_A_SET):
        assert real.max() < error
    if real.max() > error:
        assert report.verdict.status is NOT
    if real.max() < -error:
        assert report.verdict.status is CONVERGENT
    enclosure = report.verdict.spectral_abscissa
    if report.verdict.status is CONVERGENT:
        assert enclosure.upper < 0
        assert abs(enclosure.middle - real.max()) < error


@given(problems, parameters, parameters)
def test_sufficient_conditions_never_promise_what_is_not_so(problem, beta, eta):
    report = check_conditions(problem, beta=beta, eta=eta)
    status = {check.claim: check.status for check in report.checks}
    verdict = report.verdict.status
    if status["theorem-3.1.implies-convergence"] is Status.HOLDS:
        assert verdict is CONVERGENT
    assert status["theorem-3.1.printed.implies-convergence"] is not Status.FAILS
    cases = (status["theorem-3.1.case-i"], status["theorem-3.1.case-ii.printed"])
    if status["theorem-3.1.C-nonsingular"] is Status.HOLDS and Status.HOLDS in cases:
        assert status["theorem-3.1.A-nonsingular"] is Status.HOLDS
    if status["conditions.imply-convergence"] is Status.HOLDS:
        assert verdict is CONVERGENT
    on_range = status.get("conditions-on-range-of-C.imply-convergence")
    if on_range is Status.HOLDS:
        assert float_spectrum(report).real.max() < 1e-6
        assert verdict is TO_A_SET
    if status["necessary.determinant"] is Status.FAILS:
        assert verdict is NOT
    if status["theorem-fixed-points.hypotheses"] is Status.HOLDS:
        assert status["fixed-points.equal"] is Status.HOLDS
    c1, c2, c3 = (status[f"condition.{name}"] for name in ("C1", "C2", "C3"))
    if c1 is c3 is Status.HOLDS:
        assert c2 is Status.HOLDS


@given(problems, parameters, parameters, st.sampled_from([Fraction(1, 3), Fraction(2), Fraction(-5)]))
def test_scaling_the_features_scales_beta_by_the_square(problem, beta, eta, scale):
    scaled = Problem(
        **{f: getattr(problem, f) for f in ("name", "gamma", "transitions", "behaviour", "target", "independent_only")},
        features=[[scale * v for v in row] for row in problem.features],
        state_weights=problem.d,
    )
    first = check_conditions(problem, beta=beta, eta=eta)
    second = check_conditions(scaled, beta=beta * scale**2, eta=eta)
    assert first.verdict.status is second.verdict.status
    assert first["theorem-3.1.case-ii"].status is second["theorem-3.1.case-ii"].status


@given(problems, st.sampled_from(OF_THE_PAPER), parameters, st.randoms(use_true_random=False))
def test_the_order_of_features_changes_nothing(problem, algorithm, beta, random):
    order = list(range(problem.k))
    random.shuffle(order)
    shuffled = Problem(
        **{f: getattr(problem, f) for f in ("name", "gamma", "transitions", "behaviour", "target", "independent_only")},
        features=[[row[i] for i in order] for row in problem.features],
        state_weights=problem.d,
    )
    first, second = (check_conditions(p, algorithm, beta=beta).verdict for p in (problem, shuffled))
    assert first.status is second.status
    assert first.spectral_abscissa == second.spectral_abscissa


SIGN_CHANGE = averaged_process(
    name="C3 fails between two vectors", gamma="9/10", features=[[-3, 0], [-3, 3], [-2, 1]],
    P=[[1, 0, 0], [0, 0, 1], ["1/2", "1/2", 0]], r=[0, 0, 0], d=["1/2", 0, "1/2"],
)  # fmt: skip


@example(SIGN_CHANGE, Fraction(1, 50), Fraction(1, 50))
@given(averaged_problems(), parameters, parameters)
def test_conditions_over_complex_vectors_agree_with_random_vectors(problem, beta, eta):
    report = check_conditions(problem, beta=beta, eta=eta)
    A, _, C = (matrix.to_float() for matrix in report.key)
    rng = np.random.default_rng(0)
    z = rng.standard_normal((2000, problem.k)) + 1j * rng.standard_normal((2000, problem.k))
    z /= np.linalg.norm(z, axis=1, keepdims=True)
    lam = np.einsum("ni,ij,nj->n", z.conj(), A, z)
    b_c = np.einsum("ni,ij,nj->n", z.conj(), C, z).real
    b_a = np.einsum("ni,ij,nj->n", z.conj(), A @ A.T, z).real
    beta, eta = float(beta), float(eta)
    omega, n = eta * beta + eta * b_c + lam.real, beta * lam.real + b_a
    least = {
        "C1": omega.min(),
        "C2": (omega**2 + lam.imag**2 + 4 * eta * n).min(),
        "C3": (omega**2 * n + beta * lam.imag**2 * (eta * b_c + lam.real)).min(),
    }
    for name, value in least.items():
        status = report[f"condition.{name}"].status
        if value < -1e-9:
            assert status is not Status.HOLDS, name
        evidence = report[f"condition.{name}"].evidence
        if status is Status.FAILS and "between" in evidence:  # C3 is at most 0 where the left side of C1 is 0
            first, last = (first_condition(report, z) for z in evidence["between"])
            assert name == "C3"
            assert first <= 0 < last
        elif status is Status.FAILS:
            assert Fraction(evidence["value"]) <= 0


def first_condition(report, z):
    """Return the left side of C1, times z^T z, at an exact real z."""
    assert all(Fraction(part) == 0 for part in z["imaginary"])
    (A, _, C), v = report.key, [Fraction(part) for part in z["real"]]
    of_A, of_C = (sum(v[i] * M[i, j] * v[j] for i in range(len(v)) for j in range(len(v))) for M in (A, C))
    return report.parameters["eta"] * (report.parameters["beta"] * sum(part**2 for part in v) + of_C) + of_A


@pytest.mark.parametrize(
    ("push", "expected"), [(0, "on the imaginary axis"), (Fraction(1, 10**60), "with a positive real part, at most ")]
)
def test_an_eigenvalue_beside_the_imaginary_axis_is_not_said_to_be_on_it(push, expected):
    def turning(x, x_next, h, delta, delta_hat, rho, gamma, beta):
        return h - push * delta, delta

    still = averaged_process(name="still", gamma=0, features=[[1]], P=[[1]], r=[0], d=[1])
    result = check_conditions(still, Algorithm("turning", turning)).verdict  # G = (0, -1; 1, push)
    assert (result.status, result.proof) == (NOT, Proof.EXACT)
    assert result.reason.startswith(f"G has an eigenvalue {expected}")
    assert result.spectral_abscissa.lower <= push / 2 <= result.spectral_abscissa.upper
