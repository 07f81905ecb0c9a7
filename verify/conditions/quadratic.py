"""C1, C2 and C3 over all complex z: the conditions under which the paper's quadratic has stable roots.

Where one fails, floats suggest a complex vector at which it does, and exact evaluation judges that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tdrc_theory.exact import Matrix, Number, sign
from tdrc_theory.exact.number import number_text, short_number
from verify.check import Check, Proof, Status
from verify.conditions.setting import Forms, Setting
from verify.exact.definiteness import form_value, inertia, is_positive_definite, nonpositive_vector, rounded
from verify.exact.quadratic_family import QuadraticFamily, stable_cover

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class ComplexVector:
    """An exact complex vector z = u + i v, in coordinates of the forms' basis."""

    u: Matrix
    v: Matrix

    def form(self, matrix: Matrix) -> Number:
        """Return z* M z for a symmetric M."""
        return form_value(matrix, self.u) + form_value(matrix, self.v)

    def conditions(self, forms: Forms) -> dict[str, Number]:
        """Return the left sides of C1, C2 and C3 at z, for z of length 1."""
        e = self.form(forms.E)
        m, n, low = (self.form(F) / e for F in (forms.M, forms.N, forms.L))
        kappa = (self.u.T @ forms.S @ self.v)[0, 0] * 2 / e
        return {
            "C1": m,
            "C2": m * m + kappa * kappa + 4 * forms.eta * n,
            "C3": m * m * n + forms.beta * kappa * kappa * low,
        }

    def to_json(self, forms: Forms) -> dict[str, Any]:
        """Return z in the problem's coordinates."""
        return {"real": (forms.V @ self.u).column_texts(), "imaginary": (forms.V @ self.v).column_texts()}


def minimised(forms: Forms, name: str) -> Iterator[ComplexVector]:
    """Yield roundings of float vectors that minimise a condition's left side; exact evaluation judges them."""
    k = forms.M.shape[0]
    real_suffices = name == "C3" and (not forms.beta or forms.S.is_zero())
    if real_suffices or not forms.within_floats:
        return
    import numpy as np
    from scipy.optimize import minimize

    objective = _objective(forms, name)
    rng = np.random.default_rng(0)
    starts = [rng.standard_normal(2 * k) for _ in range(4)]
    starts += [np.concatenate([v, w]) for v, w in _extremes(forms)]
    for start in starts:
        minimum = minimize(objective, start, jac=True, method="BFGS", options={"maxiter": 200})
        if minimum.fun < 1e-12:
            for vector in rounded(minimum.x):
                rows = vector.rows
                z = ComplexVector(Matrix(rows[:k]), Matrix(rows[k:]))
                if sign(z.conditions(forms)[name]) <= 0:
                    yield z
                    return


def _objective(forms: Forms, name: str) -> Callable[[np.ndarray], tuple[float, np.ndarray]]:
    """Return the left side of C2 or C3 at z = u + iv of any length, made homogeneous, and its gradient, in floats."""
    import numpy as np

    eta, beta = float(forms.eta), float(forms.beta)
    E, M, N, L = (np.kron(np.eye(2), F.to_float()) for F in (forms.E, forms.M, forms.N, forms.L))
    K = np.kron(np.array([[0, 1], [-1, 0]]), forms.S.to_float())

    def at(y: np.ndarray) -> tuple[float, np.ndarray]:
        e = float(y @ E @ y)

        def form(F: np.ndarray) -> tuple[float, np.ndarray]:
            value = float(y @ F @ y) / e
            return value, 2 * (F @ y - value * (E @ y)) / e

        (m, dm), (n, dn), (kappa, dkappa) = form(M), form(N), form(K)
        if name == "C2":
            return m * m + kappa * kappa + 4 * eta * n, 2 * m * dm + 2 * kappa * dkappa + 4 * eta * dn
        low, dlow = form(L)
        slope = 2 * m * n * dm + m * m * dn + beta * (2 * kappa * low * dkappa + kappa * kappa * dlow)
        return m * m * n + beta * kappa * kappa * low, slope

    return at


def _extremes(forms: Forms) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return starts that turn in the plane where lambda_c is largest, and where eta b_c + lambda_r is least."""
    import numpy as np

    _, complex_vectors = np.linalg.eigh(1j * forms.S.to_float())
    _, real_vectors = np.linalg.eigh(forms.L.to_float())
    top, low = complex_vectors[:, -1], real_vectors[:, 0]
    return [(top.real, top.imag), (low, top.imag), (low + top.real, top.imag)]


def real_vector(u: Matrix | None) -> Iterator[ComplexVector]:
    """Yield a real vector as a complex one, if there is one."""
    if u is not None:
        yield ComplexVector(u, Matrix.zeros(u.shape[0], 1))


LARGEST_SWEPT = 24
"""Number of features up to which the search over complex z is tried where the short proofs do not apply."""

NAMES = ("C1", "C2", "C3")
SINGULAR_C = "the theorem for singular C, tdrc_theory/proofs/singular_C_convergence.v"
_TO_A_SET = (
    "every eigenvalue of G other than 0 has negative real part, 0 is semisimple, and where the weights rest w is a TD "
    "fixed point, also where next features leave range(C) (singular_C_convergence)"
)
_NOT_FOUND = "neither a proof nor a z at which it fails was found"


@dataclass(frozen=True)
class ConditionVerdict:
    """Whether a condition holds for every z, why, and the evidence: a z at which it fails, or the pieces of a proof."""

    holds: bool | None
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


class Quadratic:
    """Decides C1, C2 and C3 for every z in the span of the forms' basis, by exact arithmetic."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms

    @property
    def decisions(self) -> dict[str, ConditionVerdict]:
        """The three decisions by name; what fails does so at an exact z."""
        return dict(zip(NAMES, (self.first, self.second, self.third), strict=True))

    @cached_property
    def _simple(self) -> ConditionVerdict | None:
        """All three hold where the paper's own two inequalities do."""
        if self.forms.N_inertia.positive == self.forms.N.shape[0] and self.forms.L_positive:
            return ConditionVerdict(True, "beta lambda_r + b_a > 0 and eta b_c + lambda_r > 0 for every z")
        return None

    @cached_property
    def first(self) -> ConditionVerdict:
        """Whether C1 holds for every z."""
        if self._simple is not None:
            return self._simple
        z = nonpositive_vector(self.forms.M)
        if z is None:
            return ConditionVerdict(True, "eta beta I + eta C + H is positive definite")
        return self._failure("C1", real_vector(z)) or ConditionVerdict(None, "no exact z was found")

    @cached_property
    def second(self) -> ConditionVerdict:
        """Whether C2 holds for every z: a tangent of m^2 may prove it, 2 a M + 4 eta N - a^2 E positive definite."""
        f = self.forms
        if self._simple is not None:
            return self._simple
        if not f.N_inertia.negative and self.first.holds:
            return ConditionVerdict(True, "beta lambda_r + b_a >= 0 for every z, and C1 holds")
        tangents = self._tangents()
        for slope, form in tangents:
            if is_positive_definite(form):
                combined = "2a (eta beta I + eta C + H) + 4 eta (beta H + A A^T) - a^2 I"
                return ConditionVerdict(True, f"{combined} is positive definite at a = {slope}")
        searched = minimised(f, "C2") if f.M.shape[0] <= LARGEST_SWEPT else iter(())
        return self._failure("C2", searched) or ConditionVerdict(None, _NOT_FOUND)

    def _tangents(self) -> list[tuple[Fraction, Matrix]]:
        """Return the forms 2 a M + 4 eta N - a^2 E near the a at which floats see the largest least eigenvalue."""
        import numpy as np

        f = self.forms
        if not f.within_floats:
            return []
        M, N, E = (F.to_float() for F in (f.M, f.N * (4 * f.eta), f.E))
        scales = np.linspace(0, 2 * max(1e-12, float(np.linalg.eigvalsh(M)[-1])), 129)[1:]
        stack = 2 * scales[:, None, None] * M + N - (scales**2)[:, None, None] * E
        best = float(scales[int(np.linalg.eigvalsh(stack)[:, 0].argmax())])
        slopes = {a for a in (Fraction(best).limit_denominator(n) for n in (1, 10, 1000, 10**6)) if a}
        return [
            (a, f.M * (2 * a) + f.N * (4 * f.eta) - f.E * (a * a))
            for a in sorted(slopes, key=lambda slope: slope.denominator)
        ]

    @cached_property
    def third(self) -> ConditionVerdict:
        """Whether C3 holds for every z: it fails at one, or, given C1, both are proven together."""
        if self._simple is not None:
            return self._simple
        f = self.forms
        failure = self._failure("C3", (z for form in (f.N, f.M) for z in real_vector(nonpositive_vector(form))))
        if failure is not None:
            return failure
        real = not f.beta or f.S.is_zero()
        if real and f.N_inertia.positive == f.N.shape[0] and f.M.shape[0] in inertia(f.M):
            return ConditionVerdict(True, "beta lambda_c^2 is 0 for every z, and m^2 n > 0")
        if f.M.shape[0] > LARGEST_SWEPT:
            return ConditionVerdict(None, f"not searched beyond {LARGEST_SWEPT} dimensions")
        if self.first.holds:
            # Cheaper than a search for a z, and most often there is none.
            cover = stable_cover(QuadraticFamily(f.E, f.M, f.N * f.eta, f.S, f.eta * f.beta))
            if cover is not None:
                reason = f"0 is outside the numerical range on the imaginary axis ({len(cover)} pieces)"
                return ConditionVerdict(True, reason, {"cover": [piece.to_json() for piece in cover]})
        failure = self._failure("C3", minimised(f, "C3"))
        return failure or self._sign_change() or ConditionVerdict(None, _NOT_FOUND)

    def _sign_change(self) -> ConditionVerdict | None:
        """C3 fails where m is 0, since it is -eta beta^2 lambda_c^2 there: somewhere between m <= 0 and m > 0."""
        ends = [nonpositive_vector(self.forms.M), nonpositive_vector(-self.forms.M)]
        vectors = [z for end in ends for z in real_vector(end)]
        if len(vectors) < 2 or sign(vectors[1].form(self.forms.M)) <= 0:
            return None
        reason = "between two exact z the left side of C1 changes sign, and where that is 0, C3 is at most 0"
        return ConditionVerdict(False, reason, {"between": [z.to_json(self.forms) for z in vectors]})

    def _failure(self, name: str, candidates: Iterator[ComplexVector]) -> ConditionVerdict | None:
        """Return the decision for the first candidate at which a condition fails, strictly where one does."""
        touching = None
        for z in candidates:
            value = z.conditions(self.forms)[name]
            if sign(value) < 0 or (value == 0 and touching is None):
                kind = "real" if z.v.is_zero() else "complex"
                reason = f"its left side is {short_number(value)} at an exact {kind} z"
                decision = ConditionVerdict(False, reason, {"z": z.to_json(self.forms), "value": number_text(value)})
                if value != 0:
                    return decision
                touching = decision
        return touching


def quadratic_checks(setting: Setting) -> list[Check]:
    """Judge C1, C2, C3 for every complex z, what follows, and the same on range(C) where C is singular."""
    everywhere = Quadratic(setting.everywhere)
    checks = [
        Check(
            claim=f"condition.{name}",
            source=f"{name}, for every complex z",
            status=Status.of(decision.holds),
            # What was only searched for, in floats, is not proven absent.
            proof=Proof.FLOAT if decision.holds is None else Proof.EXACT,
            reason=decision.reason,
            evidence=decision.evidence,
        )
        for name, decision in everywhere.decisions.items()
    ]
    source = "C1, C3 and eq. 14; C2 follows from them"
    follows = "every eigenvalue of G has negative real part"
    checks.append(_implication(everywhere, "conditions.imply-convergence", source, "for every z", follows))
    if setting.C_singular:
        claim, where = "conditions-on-range-of-C.imply-convergence", "for every z in range(C)"
        checks.append(_implication(Quadratic(setting.on_range), claim, SINGULAR_C, where, _TO_A_SET))
    return checks


def _implication(quadratic: Quadratic, claim: str, source: str, where: str, follows: str) -> Check:
    """Judge C1 and C3, which together make both roots of the quadratic stable at every z, and say what follows."""
    needed = {"C1": quadratic.first, "C3": quadratic.third}
    unmet = [f"{n} {'fails' if a.holds is False else 'is undecided'}" for n, a in needed.items() if not a.holds]
    searched = any(a.holds is None for a in needed.values()) and all(a.holds is not False for a in needed.values())
    reason = f"C1 and C3 hold {where}, so {follows}"
    if unmet:
        reason = f"{', '.join(unmet)} {where.replace('every', 'some')}: only sufficient, so nothing follows"
    return Check(
        claim=claim,
        source=source,
        status=Status.UNDECIDED if unmet else Status.HOLDS,
        proof=Proof.FLOAT if searched else Proof.EXACT,
        reason=reason,
        evidence={name: dict(decision.evidence) for name, decision in needed.items() if decision.evidence},
    )
