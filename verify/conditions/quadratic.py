"""C1, C2 and C3 over all complex z: the conditions under which the paper's quadratic has stable roots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tdrc_theory.exact import Matrix, Number, sign
from tdrc_theory.exact.convert import number_text
from verify.check import Check, Proof, Status
from verify.conditions.setting import Forms, Setting
from verify.exact.definiteness import form_value, inertia, is_positive_definite, nonpositive_vector, rounded
from verify.exact.sweep import Family, Piece, stable_cover

if TYPE_CHECKING:
    import numpy as np

LARGEST_SWEPT = 24
"""Number of features up to which the search over complex z is tried where the short proofs do not apply."""

NAMES = ("C1", "C2", "C3")
_NOT_FOUND = "neither a proof nor a z at which it fails was found"


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


@dataclass(frozen=True)
class Answer:
    """Whether a condition holds for every z, why, and a z at which it does not."""

    holds: bool | None
    reason: str
    z: ComplexVector | None = None
    cover: list[Piece] | None = None

    @property
    def proof(self) -> Proof:
        """Return the kind of evidence: what was only searched for, in floats, is not proven absent."""
        return Proof.FLOAT if self.holds is None else Proof.EXACT


class Quadratic:
    """Decides C1, C2 and C3 for every z in the span of the forms' basis, by exact arithmetic."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms

    @cached_property
    def answers(self) -> dict[str, Answer]:
        """The three answers by name; what fails does so at an exact z."""
        if self._both_positive:
            reason = "beta lambda_r + b_a > 0 and eta b_c + lambda_r > 0 for every z"
            return {name: Answer(True, reason) for name in NAMES}
        first = self._first()
        second = self._second()
        third = self._third(first)
        if second.holds is None and first.holds and third.holds:
            second = Answer(True, "it follows from C1 and C3")
        return dict(zip(NAMES, (first, second, third), strict=True))

    @cached_property
    def _N(self) -> Any:  # noqa: N802
        return inertia(self.forms.N)

    @cached_property
    def _both_positive(self) -> bool:
        n = self.forms.N.shape[0]
        return self._N.positive == n and is_positive_definite(self.forms.L)

    def _first(self) -> Answer:
        z = nonpositive_vector(self.forms.M)
        if z is None:
            return Answer(True, "eta beta I + eta C + H is positive definite")
        return self._failure("C1", iter(_real(z))) or Answer(None, "no exact z was found")

    def _second(self) -> Answer:
        """C2 holds if a tangent of m^2 does: 2 a M + 4 eta N - a^2 E is positive definite for some a."""
        f = self.forms
        if not self._N.negative and is_positive_definite(f.M):
            return Answer(True, "beta lambda_r + b_a >= 0 for every z, and C1 holds")
        slope = self._tangent()
        if slope is not None:
            return Answer(True, f"2a M + 4 eta N - a^2 I is positive definite at a = {slope}")
        return self._failure("C2", self._candidates("C2")) or Answer(None, _NOT_FOUND)

    def _tangent(self) -> Fraction | None:
        import numpy as np

        f = self.forms
        M, N, E = (F.to_float() for F in (f.M, f.N * (4 * f.eta), f.E))
        scales = np.linspace(0, 2 * max(1e-12, float(np.linalg.eigvalsh(M)[-1])), 129)[1:]
        stack = 2 * scales[:, None, None] * M + N - (scales**2)[:, None, None] * E
        best = float(scales[int(np.linalg.eigvalsh(stack)[:, 0].argmax())])
        for a in (Fraction(best).limit_denominator(n) for n in (1, 10, 1000, 10**6)):
            if a and is_positive_definite(f.M * (2 * a) + f.N * (4 * f.eta) - f.E * (a * a)):
                return a
        return None

    def _third(self, first: Answer) -> Answer:
        """C3 fails at a z, or, given C1, holds together with it for every z."""
        failure = self._failure("C3", self._candidates("C3"))
        if failure is not None:
            return failure
        f = self.forms
        if not first.holds:
            return Answer(None, "C1 fails, and no z was found at which C3 does")
        if f.M.shape[0] > LARGEST_SWEPT:
            return Answer(None, f"not searched beyond {LARGEST_SWEPT} dimensions")
        cover = stable_cover(Family(f.E, f.M, f.N * f.eta, f.S, f.eta * f.beta))
        if cover is None:
            return Answer(None, _NOT_FOUND)
        return Answer(
            True, f"0 is outside the numerical range on the imaginary axis ({len(cover)} pieces)", cover=cover
        )

    def _failure(self, name: str, candidates: Iterator[ComplexVector]) -> Answer | None:
        """Return the answer for the first candidate at which a condition fails, strictly where one does."""
        touching = None
        for z in candidates:
            value = z.conditions(self.forms)[name]
            if sign(value) < 0:
                return Answer(False, _value_reason(name, z, self.forms), z)
            if value == 0 and touching is None:
                touching = Answer(False, _value_reason(name, z, self.forms), z)
        return touching

    def _candidates(self, name: str) -> Iterator[ComplexVector]:
        """Yield exact vectors at which C2 or C3 may fail, the cheapest first."""
        yield from _real(nonpositive_vector(self.forms.N))
        yield from _real(nonpositive_vector(self.forms.M))
        yield from self._minimised(name)

    def _minimised(self, name: str) -> Iterator[ComplexVector]:
        """Yield roundings of float vectors that minimise a condition's left side; exact evaluation judges them."""
        f, k = self.forms, self.forms.M.shape[0]
        if k > LARGEST_SWEPT or (name == "C3" and (not f.beta or f.S.is_zero())):
            return
        import numpy as np
        from scipy.optimize import minimize

        objective = _Objective(f, name)
        rng = np.random.default_rng(0)
        starts = [rng.standard_normal(2 * k) for _ in range(4)]
        starts += [np.concatenate([v, w]) for v, w in _extremes(f)]
        for start in starts:
            found = minimize(objective, start, jac=True, method="BFGS", options={"maxiter": 200})
            if found.fun < 1e-12:
                for vector in rounded(found.x):
                    rows = vector.rows
                    z = ComplexVector(Matrix(rows[:k]), Matrix(rows[k:]))
                    if sign(z.conditions(f)[name]) <= 0:
                        yield z
                        return


class _Objective:
    """The left side of C2 or C3 at z = u + iv of any length, made homogeneous, and its gradient, in floats."""

    def __init__(self, forms: Forms, name: str) -> None:
        import numpy as np

        def doubled(matrix: Matrix) -> np.ndarray:
            return np.kron(np.eye(2), matrix.to_float())

        self.name, self.eta, self.beta = name, float(forms.eta), float(forms.beta)
        self.E, self.M, self.N, self.L = (doubled(F) for F in (forms.E, forms.M, forms.N, forms.L))
        self.K = np.kron(np.array([[0, 1], [-1, 0]]), forms.S.to_float())

    def __call__(self, y: np.ndarray) -> tuple[float, np.ndarray]:
        e = float(y @ self.E @ y)

        def form(F: np.ndarray) -> tuple[float, np.ndarray]:
            value = float(y @ F @ y) / e
            return value, 2 * (F @ y - value * (self.E @ y)) / e

        (m, dm), (n, dn), (kappa, dkappa) = form(self.M), form(self.N), form(self.K)
        if self.name == "C2":
            value = m * m + kappa * kappa + 4 * self.eta * n
            return value, 2 * m * dm + 2 * kappa * dkappa + 4 * self.eta * dn
        low, dlow = form(self.L)
        value = m * m * n + self.beta * kappa * kappa * low
        slope = 2 * m * n * dm + m * m * dn + self.beta * (2 * kappa * low * dkappa + kappa * kappa * dlow)
        return value, slope


def _extremes(forms: Forms) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return starts that turn in the plane where lambda_c is largest, and where eta b_c + lambda_r is least."""
    import numpy as np

    _, complex_vectors = np.linalg.eigh(1j * forms.S.to_float())
    _, real_vectors = np.linalg.eigh(forms.L.to_float())
    top, low = complex_vectors[:, -1], real_vectors[:, 0]
    return [(top.real, top.imag), (low, top.imag), (low + top.real, top.imag)]


def _real(u: Matrix | None) -> Iterator[ComplexVector]:
    if u is not None:
        yield ComplexVector(u, Matrix.zeros(u.shape[0], 1))


def _value_reason(name: str, z: ComplexVector, forms: Forms) -> str:
    value = z.conditions(forms)[name]
    kind = "real" if z.v.is_zero() else "complex"
    return f"its left side is {_short_number(value)} at an exact {kind} z"


def _short_number(value: Number) -> str:
    text = number_text(value)
    return text if len(text) <= 12 else f"{float(value):.6g}"


def quadratic_checks(setting: Setting) -> list[Check]:
    """Judge C1, C2, C3 for every complex z, what follows, and the same on range(C) where C is singular."""
    quadratic = Quadratic(setting.everywhere)
    answers = quadratic.answers
    checks = []
    for name, answer in answers.items():
        evidence: dict[str, Any] = {}
        if answer.z is not None:
            values = answer.z.conditions(setting.everywhere)
            evidence = {"z": answer.z.to_json(setting.everywhere), "value": number_text(values[name])}
        if answer.cover is not None:
            evidence["cover"] = [piece.to_json() for piece in answer.cover]
        checks.append(
            Check(
                claim=f"condition.{name}",
                source=f"{name}, for every complex z",
                status=Status.of(answer.holds),
                proof=answer.proof,
                reason=answer.reason,
                evidence=evidence,
            )
        )
    checks.append(_implication(answers, "conditions.imply-convergence", "for every z"))
    if setting.C_singular:
        on_range = Quadratic(setting.on_range).answers
        check = _implication(on_range, "conditions-on-range-of-C.imply-convergence", "for every z in range(C)")
        checks.append(check)
    return checks


def _implication(answers: dict[str, Answer], claim: str, where: str) -> Check:
    """C1 and C3 together make both roots of the quadratic stable at every z, hence every nonzero eigenvalue of G."""
    needed = {name: answers[name] for name in ("C1", "C3")}
    met = all(answer.holds for answer in needed.values())
    if met:
        reason = f"C1 and C3 hold {where}, so every nonzero eigenvalue of G has negative real part"
    else:
        lacking = ", ".join(
            f"{n} {'fails' if a.holds is False else 'is undecided'}" for n, a in needed.items() if not a.holds
        )
        reason = f"{lacking} for some z: the conditions are sufficient, so nothing follows"
    evidence = {}
    for name, answer in needed.items():
        if answer.cover is not None:
            evidence[name] = [piece.to_json() for piece in answer.cover]
    return Check(
        claim=claim,
        source="C1, C3 and eq. 14; C2 follows from them",
        status=Status.HOLDS if met else Status.UNDECIDED,
        proof=Proof.EXACT,
        reason=reason,
        evidence=evidence,
    )
