"""The bounds on beta and eta of Theorem 3.1: as printed, and as they should be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import flint

from tdrc_theory.exact import Polynomial
from tdrc_theory.exact.convert import from_fmpq, number_text, to_arb
from verify.conditions.bound import Bound
from verify.conditions.setting import Forms, Setting
from verify.conditions.singular import eta_bound_without_C
from verify.exact.definiteness import inertia
from verify.exact.enclosure import Enclosure, precision, sorted_real_roots

_FACTORED = 24


def all_bounds(setting: Setting) -> Mapping[str, Bound]:
    """Return the bounds of Theorem 3.1 for a setting whose update is TDRC's; on range(C) where C is singular."""
    forms = setting.on_range
    domain = "range(C)" if setting.C_singular else "all vectors"
    return {
        "beta_printed": _beta(forms, domain, printed=True),
        "beta_corrected": _beta(forms, domain, printed=False),
        "eta": _eta(forms, domain),
        "eta_singular_C": eta_bound_without_C(setting),
    }


def _beta(forms: Forms, domain: str, printed: bool) -> Bound:
    """Return -lambda_max(H^-1 AA^T) (eq. 22), or the smallest positive root t of det(AA^T + t H).

    Both are inverses 1/nu of eigenvalues nu of -(AA^T)^-1 H, all of them real: the printed formula takes the least
    of the inverses, the right one the least positive one.
    """
    count = inertia(forms.H)
    if inertia(forms.AAT).zero:
        return Bound(
            domain=domain,
            reason="none: A^T z = 0 for some z, so beta z*Hz + z*AA^Tz is 0 there at every beta",
        )
    if printed and count.zero:
        return Bound(domain=domain, reason="undefined: H is singular")
    if not printed and not count.negative:
        return Bound(domain=domain, reason="none needed: H has no negative direction")
    solved = forms.AAT.solve(-forms.H)
    assert solved is not None
    polynomial = solved.charpoly()
    _, nonzero = polynomial.split_zero()
    inverse_roots = nonzero.reversed()
    balls = sorted_real_roots(inverse_roots)
    if printed:
        bound = _root(inverse_roots, balls[0], domain)
        if count.positive:
            return replace(bound, reason="vacuous: negative, so no beta meets it")
        return bound
    return _root(inverse_roots, next(ball for ball in balls if ball > 0), domain)


def _eta(forms: Forms, domain: str) -> Bound:
    """Return max(0, -lambda_min(C^-1 H)) (eq. 23)."""
    if not inertia(forms.H).negative:
        zero = Polynomial([0, 1])
        return Bound(
            value=0.0,
            enclosure=Enclosure(0.0, 0.0),
            exact="0",
            reason="H has no negative direction",
            domain=domain,
            ball=flint.arb(0),
            polynomial=zero,
        )
    solved = forms.C.solve(-forms.H)
    assert solved is not None
    polynomial = solved.charpoly()
    return _root(polynomial, sorted_real_roots(polynomial)[-1], domain)


def _root(polynomial: Polynomial, ball: flint.arb, domain: str) -> Bound:
    factor = _factor_with(polynomial, ball)
    exact = f"root of {factor.text('t')}"
    if factor.degree == 1:
        constant, slope = factor.coefficients
        root = -constant / slope
        exact, ball = number_text(root), _ball(root)
    return Bound(
        value=float(ball.mid()),
        enclosure=Enclosure.of_ball(ball),
        exact=exact,
        domain=domain,
        ball=ball,
        polynomial=factor,
    )


def _ball(number: Any) -> flint.arb:
    with precision(96):
        return to_arb(number)


def _factor_with(polynomial: Polynomial, ball: flint.arb) -> Polynomial:
    """Return the irreducible factor that has the root, where factoring is cheap, else the square-free part."""
    simple = polynomial.square_free()
    rational = simple.rational
    if rational is None or simple.degree > _FACTORED:
        return simple
    with precision(96):
        for factor, _ in rational.numer().factor()[1]:
            candidate = Polynomial([from_fmpq(flint.fmpq(c)) for c in factor.coeffs()])
            found: Any = factor.complex_roots()
            if any(root.real.overlaps(ball) and root.imag == 0 for root, _ in found):
                return candidate
    return simple
