"""The update of one transition, exact: read off the algorithm's function as the expected update is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from tdrc_theory.form import Exponents

from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.exact import Number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem

Vector = tuple[Number, ...]
ZERO, ONE = Fraction(0), Fraction(1)


class SampleUpdate(NamedTuple):
    """(dh, dw) of one transition, eta included, as a sum over `pairs` and a part that is diagonal in h.

    Attributes:
        pairs: (u, v), u (m,) and v (m + 1,): u times v.(varrho, 1); m is 2k, or k where there is no h. There is one
            pair for delta, one for delta_hat, and one for terms that multiply neither.
        diagonal: (k,) pairs (a, b): component i of dh has the term a h_i and that of dw has b h_i.
    """

    pairs: tuple[tuple[Vector, Vector], ...]
    diagonal: tuple[tuple[Number, Number], ...]


class SampleUpdater:
    """Makes the sample updates of one algorithm on one problem."""

    def __init__(self, problem: Problem, algorithm: Algorithm, beta: Fraction | None, eta: Fraction | None) -> None:
        self.problem = problem
        self.algorithm = algorithm
        self.beta = beta or ZERO
        self.eta = ONE if eta is None else eta
        self.has_h = algorithm.has_h

    def __call__(self, s: int, s_next: int, rho: Fraction, reward: Fraction) -> SampleUpdate:
        """Return the update of a transition from s to s_next with this importance ratio and reward.

        Raises:
            NotAffine: it is not affine in (w, h).
            BadAlgorithm: the function is not arithmetic on its arguments, or its use of h was not seen.
        """
        problem, k = self.problem, self.problem.k
        terms = self.algorithm.terms(rho, problem.gamma, self.beta)
        if not self.has_h and (terms.h or any(key[2] or key[4] for key in terms.w)):
            raise BadAlgorithm(f"{self.algorithm.name} uses h here, though not in general; let it always return dh")
        x = problem.features[s]
        x_next = (ZERO,) * k if problem.ends(s_next) else problem.features[s_next]
        none = (ZERO,) * k
        error = tuple(problem.gamma * b - a for a, b in zip(x, x_next, strict=True))
        factors = {  # what a term's direction is multiplied by, as a row that acts on (varrho, 1)
            "delta": (*(none if self.has_h else ()), *error, reward),
            "delta_hat": (*x, *none, ZERO),
            "alone": (*(none if self.has_h else ()), *none, ONE),
        }
        pairs = []
        for kind, row in factors.items():
            parts = [_direction(_of_kind(part, kind), x, x_next) for part in terms]
            u = (*(self.eta * v for v in parts[1]), *parts[0]) if self.has_h else parts[0]
            if any(u) and any(row):
                pairs.append((u, row))
        of_w, of_h = (_direction(_of_kind(part, "h"), x, x_next) for part in terms)
        return SampleUpdate(tuple(pairs), tuple((self.eta * a, b) for a, b in zip(of_h, of_w, strict=True)))


def _of_kind(terms: dict[Exponents, Any], kind: str) -> list[tuple[int, int, Any]]:
    """Return (power of x, power of x', coefficient) of the terms that multiply delta, delta_hat, h, or none of them."""
    wanted = {"h": (1, 0, 0), "delta": (0, 1, 0), "delta_hat": (0, 0, 1), "alone": (0, 0, 0)}[kind]
    return [(a, b, c) for (a, b, *others), c in terms.items() if tuple(others) == wanted]


def _direction(terms: list[tuple[int, int, Any]], x: Vector, x_next: Vector) -> Vector:
    return tuple(sum((c * p**a * q**b for a, b, c in terms), ZERO) for p, q in zip(x, x_next, strict=True))
