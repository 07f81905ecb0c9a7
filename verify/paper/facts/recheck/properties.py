"""Properties of a problem given as plain data: of its policies, values, features and TD errors; and hypotheses on it.

The hypotheses are those of Theorem 3.1 and the conditions of its proof, by their definitions, for any A and C.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from verify.paper.facts.recheck import algebra, updates
from verify.paper.facts.recheck.algebra import Square
from verify.paper.facts.recheck.updates import Data, Run


def on_policy(data: Data) -> bool:
    """Return whether both policies are the same."""
    behaviour, target = ([[Fraction(v) for v in row] for row in data[name]] for name in ("behaviour", "target"))
    return behaviour == target


def values(data: Data) -> Square | None:
    """Return the values of the target policy, as a column, where v = r + P Gamma v has a solution."""
    return algebra.solution(updates.bellman(data), [[v] for v in updates.rewards(data)])


def values_exist(data: Data) -> bool | None:
    """Return whether expected discounted sums of rewards exist, which solve v = r + gamma P v; None where unknown.

    They do with gamma < 1, and where every episode ends: I - gamma P is nonsingular there, and nowhere else.
    """
    if values(data) is None:
        return False
    return True if algebra.rank(updates.bellman(data)) == len(data["features"]) else None


def representable(data: Data) -> bool:
    """Return whether the values of the target policy are X w for some w; both are unknowns of one linear system."""
    v = values(data)
    return v is not None and algebra.solution(updates.features(data), v) is not None


def few_features(data: Data) -> bool:
    """Return whether there are fewer features than states with a transition."""
    return len(data["features"][0]) < len({s for s, *_ in data["transitions"]})


def in_range(data: Data) -> bool:
    """Return whether b - A w is in range(C) for every w: at 0, and what each unit vector adds."""
    A, b, C = updates.matrices(data)
    return algebra.rank([[*c, *a, v] for c, a, v in zip(C, A, b, strict=True)]) == algebra.rank(C)


def errors_vanish(data: Data) -> bool:
    """Return whether some w makes every TD error that behaviour can meet 0."""
    gamma = updates.discount(data)
    rows = [[*(p - gamma * q for p, q in zip(t.x, t.y, strict=True)), t.reward] for t in updates.transitions(data)]
    return algebra.rank(rows) == algebra.rank([row[:-1] for row in rows])


def second_reward(data: Data, policy: str) -> Fraction:
    """Return E[R_t+2] from the first state under a policy; under behaviour, each weighted by the first rho."""
    total, known = Fraction(0), updates.steps(data)
    for one in known:
        for two in known:
            if one.s == 0 and one.t == two.s:  # rho times the probability of the first is the target policy's
                total += one.p * one.rho * two.p * (two.rho if policy == "target" else 1) * two.reward
    return total


PLAIN = {
    "on-policy": on_policy,
    "values": values_exist,
    "errors-vanish": errors_vanish,
    "few-features": few_features,
    "mspbe": in_range,
    "representable": representable,
}
"""The properties by the names that statements have for them."""


def meets(data: Data, check: str, run: Run) -> bool | None:
    """Return whether a run meets a hypothesis, or a condition at every complex z; None where that is not known.

    `HYPOTHESES` of the statements has the names. The theorem speaks of TDRC alone, and of TDC, which has beta = 0.
    """
    learner, beta, eta = run
    if learner not in ("tdrc", "tdc"):
        return None
    A, _, C = updates.matrices(data)
    return _CHECKS[check](A, C, Fraction(0) if learner == "tdc" else beta, eta)


def _printed(A: Square, C: Square, beta: Fraction, eta: Fraction) -> bool:
    """beta < -lambda_max(H^-1 A A^T) and eta > -lambda_min(C^-1 H), where both inverses exist.

    The eigenvalues of both products are real, A A^T and C being semidefinite: the largest of one is below -beta where
    all of it plus beta are negative.
    """
    H, n = algebra.symmetric(A), len(A)
    left, right = algebra.solution(H, algebra.product(A, algebra.transposed(A))), algebra.solution(C, H)
    if algebra.rank(H) < n or algebra.rank(C) < n or left is None or right is None:
        return False
    below = algebra.hurwitz(algebra.characteristic(algebra.combined((1, left), (beta, algebra.identity(n)))))
    return below and algebra.hurwitz(algebra.characteristic(algebra.combined((-1, right), (-eta, algebra.identity(n)))))


def _corrected(A: Square, C: Square, beta: Fraction, eta: Fraction) -> bool:
    """beta < 1 / lambda_max(-(A A^T)^-1 H), where that is positive, and eta > max(0, -lambda_min(C^-1 H)).

    Between 0 and beta the least eigenvalue of A A^T + t H is a concave function of t: it is positive where both ends
    are.
    """
    square, H = algebra.product(A, algebra.transposed(A)), algebra.symmetric(A)
    below = algebra.definite(square) and algebra.definite(algebra.combined((1, square), (beta, H)))
    return below and eta > 0 and algebra.rank(C) == len(C) and algebra.definite(algebra.combined((eta, C), (1, H)))


def _first(A: Square, C: Square, beta: Fraction, eta: Fraction) -> bool:
    """Omega = eta beta + eta b_c + lambda_r > 0."""
    return algebra.definite(algebra.combined((eta * beta, algebra.identity(len(A))), (eta, C), (1, A)))


def _third(A: Square, C: Square, beta: Fraction, eta: Fraction) -> bool | None:
    """Omega^2 (beta lambda_r + b_a) + beta lambda_c^2 (eta b_c + lambda_r) > 0.

    At real z lambda_c is 0, so that beta lambda_r + b_a is to be positive at every real z, and then is at every z.
    Where Omega is positive and eta b_c + lambda_r nowhere negative, nothing else is needed; elsewhere it is not known.
    """
    if not algebra.definite(algebra.combined((beta, A), (1, algebra.product(A, algebra.transposed(A))))):
        return False
    enough = _first(A, C, beta, eta) and algebra.semidefinite(algebra.combined((eta, C), (1, A)))
    return True if enough else None


_CHECKS: dict[str, Callable[..., bool | None]] = {
    "theorem-3.1.case-i": lambda A, *_: algebra.definite(A),
    "theorem-3.1.case-ii.printed": _printed,
    "theorem-3.1.case-ii": _corrected,
    "condition.C1": _first,
    "condition.C3": _third,
}
