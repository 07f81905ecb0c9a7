"""Theorem 3.1, as printed and as it should be: its bounds on beta and eta, its hypotheses, and what follows from them.

Of the bounds there is besides what a singular C leaves of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint

from tdrc_theory.cli.finite import finite
from tdrc_theory.exact import Matrix, Polynomial, sign
from tdrc_theory.exact.number import from_fmpq, number_text, precision, short_number, to_arb
from verify.check import Check, Outcome, Status, Verdict
from verify.conditions.quadratic import LARGEST_SWEPT, Quadratic
from verify.conditions.setting import Forms, Setting
from verify.exact.definiteness import Inertia, inertia, nonpositive_vector
from verify.exact.roots import BITS, Enclosure, pencil_polynomial, sorted_real_roots


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """A bound on a parameter: its value, an enclosure, and what it is exactly.

    Attributes:
        value: the nearest float, or one inside the enclosure; None where there is no bound, or one that bounds nothing.
        enclosure: an interval that certainly contains what the formula gives.
        exact: that number, or the polynomial that it is a root of; None where it is only enclosed.
        reason: why there is none, or what to know about it.
        domain: the vectors on which it was taken.
        every_value: True where there is no bound because every value of the parameter meets it.
        no_value: True where the formula gives a number that no value of the parameter meets.
    """

    value: float | None = None
    enclosure: Enclosure | None = None
    exact: str | None = None
    reason: str = ""
    domain: str = ""
    every_value: bool = False
    no_value: bool = False

    @property
    def number(self) -> float | None:
        """Return what the formula gives as a float, also where that bounds nothing; None where no float tells it."""
        middle = self.enclosure.middle if self.no_value and self.enclosure else self.value
        return None if middle is None else finite(middle)

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object."""
        ends = self.enclosure.to_json() if self.enclosure else {"lower": None, "upper": None}
        fields: dict[str, Any] = {"value": self.value, **ends, "exact": self.exact}
        if self.reason:
            fields["reason"] = self.reason
        if self.domain:
            fields["domain"] = self.domain
        return fields


BOUNDS = ("beta_printed", "beta_corrected", "eta", "eta_singular_C")
NOT_OF_THE_THEOREM = Bound(reason="Theorem 3.1 speaks of TDRC and TDC only")
VACUOUS = "vacuous: negative"
_SOLVED = 24
"""Size up to which a bound is given as a root of its polynomial; beyond, it is enclosed."""


def all_bounds(setting: Setting) -> Mapping[str, Bound]:
    """Return the bounds of Theorem 3.1 for a setting whose update is TDRC's; on range(C) where C is singular.

    There both corrected bounds together give C1 and C3 on range(C), hence convergence to the set of TD fixed points
    (`singular_C_convergence` in `tdrc_theory/proofs`), not to one point.
    """
    forms = setting.on_range
    if not forms.V.shape[1]:
        return dict.fromkeys(BOUNDS, Bound(reason="none: C = 0, so nothing is learned"))
    domain = "range(C)" if setting.C_singular else "all vectors"
    printed, corrected = _beta(forms, domain)
    return {
        "beta_printed": printed,
        "beta_corrected": corrected,
        "eta": _eta(forms, domain),
        "eta_singular_C": eta_bound_without_C(setting),
    }


def _beta(forms: Forms, domain: str) -> tuple[Bound, Bound]:
    """Return -lambda_max(H^-1 AA^T) (eq. 22), and the smallest positive root t of det(AA^T + t H).

    Both are roots of that polynomial, all of them real: the printed formula takes the least, the right one the least
    positive one.
    """
    signs = forms.H_inertia
    if inertia(forms.AAT).zero:
        nowhere = "none: A^T z = 0 for some z, so beta z*Hz + z*AA^Tz is 0 there at every beta"
        return Bound(domain=domain, reason=nowhere), Bound(domain=domain, reason=nowhere)
    pencil = _Pencil(forms.AAT, forms.H, domain, definite=0)
    right = Bound(domain=domain, reason="none needed: H has no negative direction", every_value=True)
    if signs.negative:
        right = pencil.root(
            lambda roots: next(root for root in roots if root > 0),
            lambda t: t > 0 and pencil.inertia(t).positive < forms.H.shape[0],
        )
    if signs.zero:
        return Bound(domain=domain, reason="undefined: H is singular"), right
    if not signs.positive:
        return right, right
    # Below the least root, A A^T + t H has as many negative eigenvalues as -H.
    printed = pencil.root(lambda roots: roots[0], lambda t: pencil.inertia(t).negative < signs.positive)
    number = f" ({printed.value:.8g})" if printed.value else ""
    reason = f"{VACUOUS}{number}, so no beta meets it"
    return replace(printed, value=None, reason=reason, no_value=True), right


def _eta(forms: Forms, domain: str) -> Bound:
    """Return max(0, -lambda_min(C^-1 H)) (eq. 23): the largest root t of det(H + t C), where that is positive."""
    if forms.H_inertia.negative:
        pencil = _Pencil(forms.H, forms.C, domain, definite=1)
        return pencil.root(lambda roots: roots[-1], lambda t: pencil.inertia(t).positive == forms.H.shape[0])
    zero = Enclosure(0.0, 0.0)
    return Bound(value=0.0, enclosure=zero, exact="0", reason="H has no negative direction", domain=domain)


class _Pencil:
    """The real roots t of det(P + t Q), P and Q symmetric; `definite` says which of them is positive definite."""

    def __init__(self, P: Matrix, Q: Matrix, domain: str, definite: int) -> None:
        self.P, self.Q, self.domain, self.definite = P, Q, domain, definite

    def inertia(self, t: Fraction) -> Inertia:
        return inertia(self.P + self.Q * t)

    def root(self, choose: Callable[[list[Any]], Any], beyond: Callable[[Fraction], bool]) -> Bound:
        """Return the root that `choose` picks from all, ascending, as a bound.

        `choose` may raise StopIteration or IndexError where floats miss it. `beyond` tells by exact inertia whether a
        number is at or above it, and not above a further one.
        """
        if self.P.shape[0] <= _SOLVED:
            polynomial = pencil_polynomial(self.P, self.Q)
            return _root(polynomial, choose(sorted_real_roots(polynomial)), self.domain)
        try:
            enclosure = _bracket(choose(self._float_roots()), beyond)
        except (StopIteration, IndexError):
            enclosure = None
        if enclosure is None:
            return Bound(domain=self.domain, reason="not found: floating point gives no candidate that can be proven")
        return Bound(value=enclosure.middle, enclosure=enclosure, domain=self.domain)

    def _float_roots(self) -> list[float]:
        """Return the roots as floats see them; none where they cannot."""
        import numpy as np

        P, Q = self.P.to_float(), self.Q.to_float()
        if not (np.isfinite(P).all() and np.isfinite(Q).all()):
            return []
        try:
            if self.definite:
                return sorted(float(-value) for value in np.linalg.eigvals(np.linalg.solve(Q, P)).real)
            values = np.linalg.eigvals(np.linalg.solve(P, -Q)).real
        except np.linalg.LinAlgError:
            return []
        return sorted(float(1 / value) for value in values if value)


def _bracket(candidate: float, beyond: Callable[[Fraction], bool]) -> Enclosure | None:
    """Return the narrowest interval around a float candidate whose ends exact arithmetic puts on both sides."""
    for width in (1e-13, 1e-10, 1e-7, 1e-4):
        low, high = sorted((candidate * (1 - width), candidate * (1 + width)))
        if not beyond(Fraction(low)) and beyond(Fraction(high)):
            return Enclosure(low, high)
    return None


def _root(polynomial: Polynomial, ball: flint.arb, domain: str) -> Bound:
    factor = _factor_with(polynomial, ball)
    exact = f"root of {factor.text('t')}"
    if factor.degree == 1:
        constant, slope = factor.coefficients
        exact = number_text(-constant / slope)
        with precision(BITS):
            ball = to_arb(-constant / slope)
    enclosure = Enclosure.of_ball(ball)
    value = float(ball.mid())
    if not math.isfinite(value):
        reason = "a number past the largest double; see exact"
        return Bound(enclosure=enclosure, exact=exact, domain=domain, reason=reason)
    return Bound(value=value, enclosure=enclosure, exact=exact, domain=domain)


def _factor_with(polynomial: Polynomial, ball: flint.arb) -> Polynomial:
    """Return the irreducible factor that has the root, or the square-free part where there are square roots in it."""
    simple = polynomial.square_free()
    rational = simple.rational
    if rational is None:
        return simple
    with precision(BITS):
        for factor, _ in rational.numer().factor()[1]:
            result: Any = factor.complex_roots()
            if any(root.real.overlaps(ball) and root.imag == 0 for root, _ in result):
                return Polynomial([from_fmpq(flint.fmpq(c)) for c in factor.coeffs()])
    raise AssertionError("the root belongs to a factor")


_DOUBLINGS, _HALVINGS = 40, 14
"""Doublings of eta = 1 until C1 and C3 hold, and halvings of the interval that is left: four digits."""

_AS_PRINTED = (
    "as printed it cannot make G Hurwitz: C z = 0 makes z^T A = 0, so det G = 0 whatever eta is; "
    "what remains true is decided on range(C)"
)


def eta_bound_without_C(setting: Setting) -> Bound:
    """Return the least eta with which C1 and C3 hold on range(C) after b_c = 0 is put there (eq. 24).

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
    ends = _eta_bracket(forms) if forms.H.shape[0] <= LARGEST_SWEPT else None
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


def _eta_bracket(forms: Forms) -> tuple[Fraction, Fraction] | None:
    low, high = Fraction(0), Fraction(1)
    for _ in range(_DOUBLINGS):
        answer = _hold(forms, high)
        if answer:
            break
        low, high = (high if answer is False else low), 2 * high
    else:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        answer = _hold(forms, middle)
        if answer is None:
            break
        low, high = (low, middle) if answer else (middle, high)
    return low, high


def _hold(forms: Forms, eta: Fraction) -> bool | None:
    quadratic = Quadratic(replace(forms, C=Matrix.zeros(*forms.C.shape), eta=eta))
    return quadratic.third.holds if quadratic.first.holds else quadratic.first.holds


THEOREM = "Theorem 3.1"


def theorem_checks(setting: Setting, bounds: Mapping[str, Bound], verdict: Verdict) -> list[Check]:
    """Judge the theorem for a setting whose update is TDRC's."""
    k = setting.problem.k
    beta = setting.beta
    domain = " on range(C)" if setting.C_singular else ""
    rank_A, rank_C = setting.key.A.rank(), setting.key.C.rank()
    shifted = (setting.key.A + Matrix.identity(k) * beta).rank()
    definite = _case_one(setting)
    printed, corrected = (_case_two(setting, bounds, name, domain) for name in ("beta_printed", "beta_corrected"))
    coverage = _check("coverage", True, "behaviour takes every action that target takes")
    moments = _check("bounded-moments", True, "finitely many states, actions and rewards")
    regular_beta = _rank_check("A-plus-beta-I-nonsingular", "A + beta I", shifted, k)
    regular_C = _rank_check("C-nonsingular", "C", rank_C, k)
    eta = setting.eta
    eta_positive = _check("eta-positive", eta > 0, f"eta = {short_number(eta)} (needed; as printed, 0 is allowed)")
    regular_A = _rank_check("A-nonsingular", "A", rank_A, k, " (not stated, but either case as printed implies it)")
    stated = [coverage, moments, regular_beta, regular_C]
    return [
        *stated,
        eta_positive,
        regular_A,
        definite,
        printed,
        corrected,
        _note(setting, definite, bounds),
        _promise([*stated], [definite, printed], verdict),
        _implication([*stated, eta_positive, regular_A], [definite, corrected]),
        _determinant(setting),
    ]


def _check(name: str, holds: bool | None, reason: str, source: str = THEOREM, **evidence: object) -> Check:
    return Check.exact(f"theorem-3.1.{name}", source, holds, reason, **evidence)


def _rank_check(name: str, matrix: str, rank: int, k: int, remark: str = "") -> Check:
    return _check(name, rank == k, f"rank {matrix} = {rank} of {k}{remark}", rank=rank)


def _case_one(setting: Setting) -> Check:
    H = setting.key.H
    signs = inertia(H)
    if signs.positive == setting.problem.k:
        return _check("case-i", True, "A is positive definite", f"{THEOREM} (i)")
    z = nonpositive_vector(H)
    evidence = {} if z is None else {"z": z.column_texts()}
    reason = f"A is not positive definite: H has {signs.negative} negative and {signs.zero} zero eigenvalues"
    return _check("case-i", False, reason, f"{THEOREM} (i)", **evidence)


def _case_two(setting: Setting, bounds: Mapping[str, Bound], name: str, domain: str) -> Check:
    """Judge beta below its bound and eta above its own, strictly.

    Exact inertia decides, never the digits of a bound: beta is below the corrected bound exactly when beta H + AA^T is
    positive definite, and eta above its own exactly when eta C + H is. The printed bound is the corrected one where H
    is negative definite, negative where H has a positive direction, and undefined where H is singular.
    """
    forms, beta, eta = setting.on_range, setting.beta, setting.eta
    printed = name == "beta_printed"
    claim = "case-ii.printed" if printed else "case-ii"
    source = f"{THEOREM} (ii), {'as printed' if printed else 'corrected'}"
    upper, lower = bounds[name], bounds["eta"]
    size, signs = forms.H.shape[0], forms.H_inertia
    if not size or inertia(forms.AAT).zero or (printed and signs.zero):
        return _check(claim, False, f"the bound on beta is {upper.reason}", source)
    side_beta = forms.N_inertia.positive == size and not (printed and signs.positive)
    side_eta = forms.L_positive
    shown_beta = f"beta = {short_number(beta)} {'<' if side_beta else 'is not below'} {_shown(upper)}"
    if upper.every_value:
        shown_beta = "no bound on beta"
    shown_eta = f"eta = {short_number(eta)} {'>' if side_eta else 'is not above'} {_shown(lower)}"
    return _check(claim, side_beta and side_eta, f"{shown_beta}, {shown_eta}{domain}", source)


def _shown(bound: Bound) -> str:
    return "its bound" if bound.number is None else f"{bound.number:.6g}"


def _note(setting: Setting, definite: Check, bounds: Mapping[str, Bound]) -> Check:
    """Judge the theorem's note: both printed bounds are positive where A is not positive definite."""
    source = f"{THEOREM}, note"
    if definite.status is Status.HOLDS:
        return _check("note", True, "says nothing here: A is positive definite", source)
    forms = setting.on_range
    signs = forms.H_inertia
    wrong = []
    if signs.positive and not signs.zero and not inertia(forms.AAT).zero:
        value = bounds["beta_printed"].number
        wrong.append("the bound on beta is " + ("negative" if value is None else f"{value:.6g}, not positive"))
    elif signs.positive or signs.zero or inertia(forms.AAT).zero or not forms.H.shape[0]:
        wrong.append(f"the bound on beta is {bounds['beta_printed'].reason}")
    if not signs.negative:
        wrong.append(f"the bound on eta is {_shown(bounds['eta'])}, not positive")
    return _check("note", not wrong, "; ".join(wrong) or "both printed bounds are positive", source)


def _promise(stated: list[Check], cases: list[Check], verdict: Verdict) -> Check:
    """What the printed theorem promises, held against the verdict."""
    name, source = "printed.implies-convergence", f"{THEOREM}, as printed"
    unmet = _unmet(stated, cases)
    if unmet:
        return _check(name, None, f"promises nothing here; unmet: {unmet}", source)
    holds = {Outcome.CONVERGENT: True, Outcome.UNDECIDED: None}.get(verdict.status, False)
    reason = f"promises convergence; the verdict is {verdict.status.value}"
    return replace(_check(name, holds, reason, source), proof=verdict.proof)


def _implication(stated: list[Check], cases: list[Check]) -> Check:
    """The corrected theorem: sufficient, so it never proves divergence."""
    name, source = "implies-convergence", f"{THEOREM}, corrected"
    unmet = _unmet(stated, cases)
    if unmet:
        return _check(name, None, f"only sufficient, so nothing follows; unmet: {unmet}", source)
    met = next(check for check in cases if check.status is Status.HOLDS)
    return _check(name, True, f"its hypotheses are met ({met.claim.removeprefix('theorem-3.1.')})", source)


def _unmet(stated: list[Check], cases: list[Check]) -> str:
    lacking = [check.claim for check in stated if check.status is not Status.HOLDS]
    if not any(check.status is Status.HOLDS for check in cases):
        lacking.append("case (i) or (ii)")
    return ", ".join(name.removeprefix("theorem-3.1.") for name in lacking)


def _determinant(setting: Setting) -> Check:
    """Judge what is necessary at every eta > 0: det(V^T (A A^T + beta A) V) > 0, V a basis of range(C).

    Negative, G has a positive eigenvalue. Zero, it has a zero eigenvalue beyond those that C brings: spurious fixed
    points, or a larger set of TD's own, which the fixed points tell apart.
    """
    forms = setting.on_range
    value = (forms.AAT + forms.A * forms.beta).det()
    size = sign(value)
    where = " on range(C)" if setting.C_singular else ""
    consequence = {1: "", 0: ": the fixed points decide", -1: ": negative, so it converges at no eta"}[size]
    return Check.exact(
        "necessary.determinant",
        "det G and the constant term of its characteristic polynomial",
        {1: True, 0: None, -1: False}[size],
        f"det(A A^T + beta A){where} is {short_number(value)}{consequence}",
        value=number_text(value),
    )
