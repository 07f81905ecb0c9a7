"""Identities that several arguments in words rest on; the judge of formulas proves each where it is used."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.claims import find_claim
from tdrc_theory.formula.expression import equal, symbols

_beta, _eta = symbols("beta eta")
_u, _u2, _v, _v2 = symbols("u_1 u_2 v_1 v_2")
_r, _c, _bc, _ba = symbols("lambda_r lambda_c b_c b_a")

CHARACTERISTIC = find_claim("determinant.characteristic").printed
"""Box 1: so an eigenvalue lambda of G has a z with lambda^2 + p lambda + q = 0 (eq. 14)."""

HALF_PLANE = equal(
    (_u + _u2) ** 2 * (_u * _u2 - _v * _v2)
    + (_u + _u2) * (_v + _v2) * (_u * _v2 + _u2 * _v)
    - (_u * _v2 + _u2 * _v) ** 2,
    _u * _u2 * ((_u + _u2) ** 2 + (_v - _v2) ** 2),
)
"""For roots u + iv of lambda^2 + p lambda + q: (Re p)^2 Re q + Re p Im p Im q - (Im q)^2 = u1 u2 (...)."""

_omega = _eta * _beta + _eta * _bc + _r
_n = _beta * _r + _ba
THIRD_CONDITION = equal(
    _omega**2 * _eta * _n + _omega * _c * _eta * _beta * _c - (_eta * _beta * _c) ** 2,
    _eta * (_omega**2 * _n + _beta * _c**2 * (_eta * _bc + _r)),
)
"""At p = Omega + i lambda_c, q = eta (beta lambda_r + b_a) + i eta beta lambda_c that left side is eta times C3."""

ROOTS = (CHARACTERISTIC, HALF_PLANE, THIRD_CONDITION)
"""Together: where C1 and C3 hold for every z, every eigenvalue of G has negative real part."""

_gamma = symbols("gamma")[0]
_half = Fraction(1, 2)
_squares = _r * _r + _c * _c
SUM_OF_SQUARES = equal(
    _squares * _half - _gamma * _r * _c,
    (1 - _gamma) * _half * _squares + _gamma * _half * (_r - _c) * (_r - _c),
)
"""(a^2 + b^2)/2 - gamma a b = (1 - gamma)(a^2 + b^2)/2 + gamma (a - b)^2/2, for any a and b."""
