"""C1, C2 and C3 over all complex z: the conditions under which the paper's quadratic has stable roots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tdrc_theory.exact import sign
from tdrc_theory.exact.convert import number_text, short_number
from verify.check import Check, Proof, Status
from verify.conditions.setting import Forms, Setting
from verify.conditions.witness import ComplexVector, definite_candidates, minimised, real_vector
from verify.exact.definiteness import is_positive_definite, nonpositive_vector
from verify.exact.sweep import Family, Piece, stable_cover

LARGEST_SWEPT = 24
"""Number of features up to which the search over complex z is tried where the short proofs do not apply."""

NAMES = ("C1", "C2", "C3")
_NOT_FOUND = "neither a proof nor a z at which it fails was found"


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
        if self.forms.N_inertia.positive == self.forms.N.shape[0] and self.forms.L_positive:
            reason = "beta lambda_r + b_a > 0 and eta b_c + lambda_r > 0 for every z"
            return {name: Answer(True, reason) for name in NAMES}
        first = self._first()
        second = self._second()
        third = self._third(first)
        if second.holds is None and first.holds and third.holds:
            second = Answer(True, "it follows from C1 and C3")
        return dict(zip(NAMES, (first, second, third), strict=True))

    def _first(self) -> Answer:
        z = nonpositive_vector(self.forms.M)
        if z is None:
            return Answer(True, "eta beta I + eta C + H is positive definite")
        return self._failure("C1", real_vector(z)) or Answer(None, "no exact z was found")

    def _second(self) -> Answer:
        """C2 holds if a tangent of m^2 does: 2 a M + 4 eta N - a^2 E is positive definite for some a."""
        f = self.forms
        if not self.forms.N_inertia.negative and is_positive_definite(f.M):
            return Answer(True, "beta lambda_r + b_a >= 0 for every z, and C1 holds")
        slope = self._tangent()
        if slope is not None:
            return Answer(True, f"2a M + 4 eta N - a^2 I is positive definite at a = {slope}")
        failure = self._failure("C2", definite_candidates(f))
        if failure is None and f.M.shape[0] <= LARGEST_SWEPT:
            failure = self._failure("C2", minimised(f, "C2"))
        return failure or Answer(None, _NOT_FOUND)

    def _tangent(self) -> Fraction | None:
        import numpy as np

        f = self.forms
        if not f.within_floats:
            return None
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
        f = self.forms
        failure = self._failure("C3", definite_candidates(f))
        if failure is not None:
            return failure
        if f.M.shape[0] > LARGEST_SWEPT:
            return Answer(None, f"not searched beyond {LARGEST_SWEPT} dimensions")
        # Cheaper than a search for a z, and most often there is none.
        cover = stable_cover(Family(f.E, f.M, f.N * f.eta, f.S, f.eta * f.beta)) if first.holds else None
        if cover is not None:
            reason = f"0 is outside the numerical range on the imaginary axis ({len(cover)} pieces)"
            return Answer(True, reason, cover=cover)
        return self._failure("C3", minimised(f, "C3")) or Answer(None, _NOT_FOUND)

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


def _value_reason(name: str, z: ComplexVector, forms: Forms) -> str:
    value = z.conditions(forms)[name]
    kind = "real" if z.v.is_zero() else "complex"
    return f"its left side is {short_number(value)} at an exact {kind} z"


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
