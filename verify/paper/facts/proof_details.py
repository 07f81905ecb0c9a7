"""Small steps of the convergence proof that say a little more than they need."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from tdrc_theory.claims import Role
from tdrc_theory.formula.expression import equal, symbols
from verify.paper.facts.fact import Fact, proven, refuted
from verify.paper.judgement import Judgement


def _positive() -> Judgement:
    # d = 1, A = C = 1: b_c = b_a = lambda_r = 1 and lambda_c = 0
    beta, eta, b_c, b_a, lambda_r, lambda_c = map(Fraction, (0, 1, 1, 1, 1, 0))
    omega = eta * beta + eta * b_c + lambda_r
    xi = lambda_c**2 + 4 * eta * (beta * lambda_r + b_a)
    x, y = omega**2 - xi, 2 * omega * lambda_c - 4 * eta * beta * lambda_c
    square = x**2 + y**2
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    upsilon = root + x
    steps = [
        ("d = 1, A = C = 1, beta = 0, eta = 1", f"Omega = {omega}, Xi = {xi}, lambda_c = {lambda_c}"),
        ("Upsilon = sqrt(x^2 + y^2) + x", f"{upsilon}"),
    ]
    witness = {"A": "1", "C": "1", "beta": "0", "eta": str(eta)}
    return refuted(root**2 == square and upsilon == 0, "a 1 x 1 example", steps, witness)


def _nonnegative() -> Judgement:
    x, y = symbols("lambda_r lambda_c")
    lemma = equal((x**2 + y**2) - x**2, y**2)
    steps = [
        ("so sqrt(x^2 + y^2) >= |x|", "Upsilon >= 0"),
        ("Omega > sqrt(Upsilon / 2) >= 0", "C1 follows all the same"),
        ("Re(2 lambda) = -Omega - sqrt(Upsilon / 2) <= -Omega", "case 2 is done all the same"),
    ]
    return proven("a square", [lemma], steps)


FACTS = (
    Fact(
        id="proof.upsilon",
        title="the right side of the inequality for Omega is positive",
        source="Appendix, cases 1 and 2",
        role=Role.REMARK,
        printed="Upsilon > 0",
        examine=_positive,
        corrected="Upsilon >= 0, which is enough",
        confirm=_nonnegative,
        erratum="R18",
        remark="nothing depends on it",
    ),
)
