"""Whether an algorithm has the fixed points of TD, and what the paper's theorem says of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tdrc_theory.exact import Matrix
from verify.check import Check, Proof, Status
from verify.conditions.setting import Setting
from verify.fixed_points import FixedPoints, vector_text


def fixed_point_checks(setting: Setting) -> list[Check]:
    """Judge whether TD and the algorithm have the same fixed points, and what the paper's theorem says of it."""
    found = setting.fixed_points
    named = {"td": found.td_w, "algorithm": found.w, "spurious_direction": found.spurious}
    evidence: dict[str, Any] = {name: z.column_texts() for name, z in named.items() if z is not None}
    check = Check(
        claim="fixed-points.equal",
        source="Theorem on fixed points",
        status=Status.of(found.equal),
        proof=Proof.EXACT,
        reason=_reason(found),
        evidence=evidence,
    )
    return [_theorem(setting), check] if setting.is_tdrc else [check]


def _theorem(setting: Setting) -> Check:
    """The theorem's hypotheses: C_beta invertible, and -beta no eigenvalue of A."""
    beta = setting.beta or Fraction(0)
    identity = Matrix.identity(setting.problem.k)
    C_rank = (setting.key.C + identity * beta).rank()
    A_rank = (setting.key.A + identity * beta).rank()
    lacking = [name for name, rank in (("C + beta I", C_rank), ("A + beta I", A_rank)) if rank < setting.problem.k]
    return Check(
        claim="theorem-fixed-points.hypotheses",
        source="Theorem on fixed points",
        status=Status.of(not lacking),
        proof=Proof.EXACT,
        reason=f"{' and '.join(lacking)} singular" if lacking else "C + beta I and A + beta I are nonsingular",
    )


def _reason(found: FixedPoints) -> str:
    if found.equal:
        if found.w is None:
            return "neither has a fixed point"
        return "both are the same set" if found.directions else "both are the same point"
    if found.w is None:
        return "only TD has a fixed point"
    if found.spurious is not None:
        return f"spurious fixed points along w = {vector_text(found.spurious)}"
    if found.offset is None:
        return "only the algorithm has a fixed point"
    if not found.solve_td:
        return f"the algorithm rests elsewhere: w - w_TD = {vector_text(found.offset)}"
    return "TD rests at points at which the algorithm does not"
