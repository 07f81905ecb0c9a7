"""The hypotheses of Theorem 3.1 one by one, as printed and as they should be, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tdrc_theory.exact import Matrix, sign
from tdrc_theory.exact.number import number_text, short_number
from verify.check import Check, Status
from verify.conditions.bounds import Bound
from verify.conditions.setting import Setting
from verify.exact.definiteness import inertia, nonpositive_vector
from verify.outcome import Outcome, Verdict

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
