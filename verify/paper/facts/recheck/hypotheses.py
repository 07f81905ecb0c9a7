"""The hypotheses of Theorem 3.1 and the conditions of its proof, by their definitions, for A and C of any problem."""

from __future__ import annotations

from fractions import Fraction

from verify.paper.facts.recheck.algebra import (
    Square,
    characteristic,
    combined,
    definite,
    hurwitz,
    identity,
    product,
    rank,
    semidefinite,
    solution,
    symmetric,
    transposed,
)
from verify.paper.facts.recheck.updates import Data, Run, matrices


def meets(data: Data, check: str, run: Run) -> bool | None:
    """Return whether a run meets a hypothesis, or a condition at every complex z; None where that is not known.

    Args:
        data: the problem.
        check: its name; `HYPOTHESES` of the statements has the names.
        run: TDRC, or TDC, which is TDRC at beta = 0; the theorem speaks of no other.
    """
    learner, beta, eta = run
    if learner not in ("tdrc", "tdc"):
        return None
    A, _, C = matrices(data)
    return _CHECKS[check](A, C, Fraction(0) if learner == "tdc" else beta, eta)


def _case_one(A: Square, _C: Square, _beta: Fraction, _eta: Fraction) -> bool:
    return definite(A)


def _printed(A: Square, C: Square, beta: Fraction, eta: Fraction) -> bool:
    """beta < -lambda_max(H^-1 A A^T) and eta > -lambda_min(C^-1 H), where both inverses exist.

    The eigenvalues of both products are real, A A^T and C being semidefinite: the largest of one is below -beta where
    all of it plus beta are negative.
    """
    H, n = symmetric(A), len(A)
    left, right = solution(H, product(A, transposed(A))), solution(C, H)
    if rank(H) < n or rank(C) < n or left is None or right is None:
        return False
    below = hurwitz(characteristic(combined((1, left), (beta, identity(n)))))
    return below and hurwitz(characteristic(combined((-1, right), (-eta, identity(n)))))


def _corrected(A: Square, C: Square, beta: Fraction, eta: Fraction) -> bool:
    """beta < 1 / lambda_max(-(A A^T)^-1 H), where that is positive, and eta > max(0, -lambda_min(C^-1 H)).

    Between 0 and beta the least eigenvalue of A A^T + t H is a concave function of t: it is positive where both ends
    are.
    """
    square, H = product(A, transposed(A)), symmetric(A)
    below = definite(square) and definite(combined((1, square), (beta, H)))
    return below and eta > 0 and rank(C) == len(C) and definite(combined((eta, C), (1, H)))


def _first(A: Square, C: Square, beta: Fraction, eta: Fraction) -> bool:
    """Omega = eta beta + eta b_c + lambda_r > 0."""
    return definite(combined((eta * beta, identity(len(A))), (eta, C), (1, A)))


def _third(A: Square, C: Square, beta: Fraction, eta: Fraction) -> bool | None:
    """Omega^2 (beta lambda_r + b_a) + beta lambda_c^2 (eta b_c + lambda_r) > 0.

    At real z lambda_c is 0, so that beta lambda_r + b_a is to be positive at every real z, and then is at every z.
    Where Omega is positive and eta b_c + lambda_r nowhere negative, nothing else is needed; elsewhere it is not known.
    """
    if not definite(combined((beta, A), (1, product(A, transposed(A))))):
        return False
    enough = _first(A, C, beta, eta) and semidefinite(combined((eta, C), (1, A)))
    return True if enough else None


_CHECKS = {
    "theorem-3.1.case-i": _case_one,
    "theorem-3.1.case-ii.printed": _printed,
    "theorem-3.1.case-ii": _corrected,
    "condition.C1": _first,
    "condition.C3": _third,
}
