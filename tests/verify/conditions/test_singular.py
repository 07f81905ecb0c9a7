"""The theorem for singular C, on random problems whose next features stay in range(C), or leave it."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from tdrc_theory import Matrix, averaged_process
from tdrc_theory.algorithms import TDRC
from tdrc_theory.learner.expectation import expected_update
from tdrc_theory.problem.key_matrices import key_matrices
from verify.check import Outcome, Proof, Status
from verify.conditions import check_conditions
from verify.refute.realised import problem_of, realised

PARAMETERS = [Fraction(n, d) for n, d in ((0, 1), (1, 50), (1, 5), (1, 1), (7, 2), (30, 1))]


def singular_problem(rng: random.Random):
    """Return a problem in which the states that are updated span fewer dimensions than there are features."""
    k, updated = rng.choice([(2, 1), (3, 1), (3, 2)])
    states = updated + rng.randint(1, 2)
    features = [[rng.randint(-3, 3) for _ in range(k)] for _ in range(states)]
    rows = [[rng.randint(0, 3) for _ in range(states)] for _ in range(states)]
    rows = [row if any(row) else [1] * states for row in rows]
    shares = [rng.randint(1, 4) for _ in range(updated)] + [0] * (states - updated)
    return averaged_process(
        name="random",
        gamma=rng.choice([Fraction(1, 2), Fraction(9, 10), Fraction(1)]),
        features=features,
        P=[[Fraction(p, sum(row)) for p in row] for row in rows],
        r=[rng.randint(-3, 3) for _ in range(states)],
        d=[Fraction(share, sum(shares)) for share in shares],
    )


def leaves_the_range(problem) -> bool:
    """Return whether A^T maps range(C) out of range(C), which next features outside it cause."""
    A, _, C = key_matrices(problem)
    return Matrix.block([[C, A.T @ C]]).rank() > C.rank()


@pytest.fixture(scope="module")
def promised():
    """Return the random problems on which C1 and C3 hold on range(C), with their parameters and checks."""
    rng, result = random.Random(0), []
    for _ in range(100):
        problem, beta, eta = singular_problem(rng), rng.choice(PARAMETERS), rng.choice(PARAMETERS[1:])
        report = check_conditions(problem, beta=beta, eta=eta)
        check = report["conditions-on-range-of-C.imply-convergence"]
        if check.status is Status.HOLDS:
            result.append((problem, beta, eta, report, check))
    return result


def test_next_features_leave_the_range_of_C_on_many_of_them(promised):
    leaving = sum(leaves_the_range(problem) for problem, *_ in promised)
    assert leaving > 50
    assert len(promised) - leaving > 5


def test_every_nonzero_eigenvalue_is_stable_and_zero_is_semisimple(promised):
    for problem, beta, eta, _, _ in promised:
        G, _ = expected_update(problem, TDRC, {"beta": beta, "eta": eta})
        rank = G.rank()
        assert (G @ G).rank() == rank
        real = np.sort(np.linalg.eigvals(G.to_float()).real)
        assert real[rank - 1] < 1e-9, "as many eigenvalues as the rank are not 0"


def test_the_weights_rest_at_td_fixed_points_and_only_there(promised):
    for problem, beta, eta, _, _ in promised:
        A, b, _ = key_matrices(problem)
        G, g = expected_update(problem, TDRC, {"beta": beta, "eta": eta})
        k = A.shape[0]
        at_rest, still = G.solve(-g), G.null_space()
        assert A @ at_rest.select(range(k, 2 * k), [0]) == b
        assert (A @ still.select(range(k, 2 * k), range(still.shape[1]))).is_zero()


def test_the_check_names_the_theorem_and_the_verdict_is_a_set(promised):
    for *_, report, check in promised:
        assert "singular_C_convergence" in check.reason
        assert check.proof is Proof.EXACT
        assert report.verdict.status is Outcome.CONVERGENT_TO_A_SET


def test_the_printed_bounds_alone_do_not_give_convergence():
    values = {
        "A": [["-2", "0", "0"], ["0", "0", "0"], ["0", "0", "0"]],
        "C": [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "0"]],
        "b": [["0"], ["1"], ["0"]],
    }
    # Where z_1 is not 0, and only there, lambda_r < 0: beta = 1 < -b_a / lambda_r = 2, eta beta = 3 > 2 >= -lambda_r.
    data = realised(values)
    report = check_conditions(problem_of(data), beta=1, eta=3)
    assert report["conditions-on-range-of-C.imply-convergence"].status is Status.UNDECIDED
    assert report.verdict.status is Outcome.NOT_CONVERGENT
    assert "drift" in report.verdict.reason
