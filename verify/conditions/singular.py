"""The bound on eta for a singular C (eq. 24): what it cannot give as printed, and what remains of it on range(C)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tdrc_theory.exact import Matrix
from verify.conditions.bound import Bound
from verify.conditions.quadratic import LARGEST_SWEPT, Quadratic
from verify.conditions.setting import Forms, Setting
from verify.exact.definiteness import inertia
from verify.exact.enclosure import Enclosure

_DOUBLINGS = 40
_HALVINGS = 14

_AS_PRINTED = (
    "as printed it cannot make G Hurwitz: C z = 0 makes z^T A = 0, so det G = 0 whatever eta is; "
    "what remains true is decided on range(C)"
)


def eta_bound_without_C(setting: Setting) -> Bound:
    """Return the least eta with which C1 and C3 hold on range(C) after b_c = 0 is put there.

    b_c >= 0 only helps (claim `singular-C.worst-case`), so on range(C) the bound stays sufficient, for convergence to
    the set of TD fixed points. Its lower end fails at an exact z, its upper end is proven for every z.
    """
    if not setting.C_singular:
        return Bound(reason="not needed: C is nonsingular")
    forms = setting.on_range
    if not forms.beta:
        return Bound(reason="undefined: it divides by beta = 0")
    if not inertia(forms.H).negative:
        return Bound(reason=f"{_AS_PRINTED}, where no z has lambda_r < 0, so there is nothing to bound")
    if forms.N_inertia.positive < forms.N.shape[0]:
        return Bound(reason=f"{_AS_PRINTED}, where beta is not below its bound")
    ends = _bracket(forms) if forms.H.shape[0] <= LARGEST_SWEPT else None
    if ends is None:
        return Bound(reason=f"{_AS_PRINTED}, where it was not found")
    low, high = float(ends[0]), float(ends[1])
    return Bound(
        value=(low + high) / 2,
        enclosure=Enclosure(low, high),
        reason="with b_c = 0 on range(C): below the lower end C1 or C3 fails at an exact z, above the upper both hold, "
        "which gives convergence to the set of TD fixed points (singular_C_convergence)",
        domain="range(C)",
    )


def _bracket(forms: Forms) -> tuple[Fraction, Fraction] | None:
    low, high = Fraction(0), Fraction(1)
    for _ in range(_DOUBLINGS):
        answer = _holds(forms, high)
        if answer:
            break
        low, high = (high if answer is False else low), 2 * high
    else:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        answer = _holds(forms, middle)
        if answer is None:
            break
        low, high = (low, middle) if answer else (middle, high)
    return low, high


def _holds(forms: Forms, eta: Fraction) -> bool | None:
    quadratic = Quadratic(replace(forms, C=Matrix.zeros(*forms.C.shape), eta=eta))
    return quadratic.third.holds if quadratic.first.holds else quadratic.first.holds
