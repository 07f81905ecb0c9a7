"""Why A is definite on-policy: a lemma that the judge of formulas proves, and the steps of the argument."""

from __future__ import annotations

from fractions import Fraction

from tdrc_theory.formula.expression import equal, symbols

_a, _b, _gamma = symbols("lambda_r lambda_c gamma")
_half = Fraction(1, 2)
_squares = _a * _a + _b * _b
SUM_OF_SQUARES = equal(
    _squares * _half - _gamma * _a * _b,
    (1 - _gamma) * _half * _squares + _gamma * _half * (_a - _b) * (_a - _b),
)
"""(a^2 + b^2)/2 - gamma a b = (1 - gamma)(a^2 + b^2)/2 + gamma (a - b)^2/2, for any a and b."""

DEFINITE_ON_POLICY = (
    ("with v(s) = z^T x(s), on-policy", "z^T A z = E[v(s)^2 - gamma v(s) v(s')], and z^T C z = E[v(s)^2]"),
    ("d is stationary, and v is 0 where an episode ends", "E[v(s')^2] <= E[v(s)^2]"),
    ("the lemma at gamma = 1, a = v(s), b = v(s')", "E[v(s) v(s')] <= E[v(s)^2 + v(s')^2]/2 <= z^T C z"),
    ("so", "z^T A z >= (1 - gamma) z^T C z"),
)
