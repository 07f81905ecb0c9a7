"""Where an algorithm's expected update rests, and whether TD rests there too."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tdrc_theory.exact import Matrix
from tdrc_theory.expectation import ExpectedUpdate
from tdrc_theory.key_matrices import KeyMatrices
from verify.check import Check, Proof, Status

if TYPE_CHECKING:
    from verify.conditions.setting import Setting


@dataclass(frozen=True)
class FixedPoints:
    """The solutions of G varrho + g = 0 beside those of A w = b, exactly.

    Attributes:
        w: the w of one solution of G varrho + g = 0, (k, 1); None where there is none.
        td_w: one solution of A w = b; None where there is none.
        directions: the dimension of the set of solutions of G varrho + g = 0.
        spurious: a direction in w along which the algorithm rests and A w changes, or None.
        solve_td: whether there are solutions, and each satisfies A w = b.
        equal: whether both sets of w are the same.
    """

    w: Matrix | None
    td_w: Matrix | None
    directions: int
    spurious: Matrix | None
    solve_td: bool
    equal: bool

    @property
    def offset(self) -> Matrix | None:
        """Return w - w_TD where both exist."""
        return None if self.w is None or self.td_w is None else self.w - self.td_w


def fixed_points(key: KeyMatrices, update: ExpectedUpdate) -> FixedPoints:
    """Solve both systems exactly."""
    (A, b, _), (G, g) = key, update
    k, size = A.shape[0], G.shape[0]
    w_rows = range(size - k, size)
    solution, kernel, td_w = G.solve(-g), G.null_space(), A.solve(b)
    w = None if solution is None else solution.select(w_rows, [0])
    directions = [kernel.select(w_rows, [j]) for j in range(kernel.shape[1])]
    spurious = next((v for v in directions if not (A @ v).is_zero()), None)
    solve_td = w is not None and spurious is None and A @ w == b
    dimension = Matrix.block([directions]).rank() if directions else 0
    equal = (w is None and td_w is None) or (solve_td and dimension == k - A.rank())
    return FixedPoints(w, td_w, len(directions), spurious, solve_td, equal)


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


def vector_text(z: Matrix) -> str:
    """Return a column as one line, shortened where it is long."""
    texts = z.column_texts()
    shown = texts if len(texts) <= 12 else [*texts[:12], "..."]
    line = ", ".join(shown)
    return f"({line})" if len(line) <= 160 else f"({', '.join(f'{float(v):.6g}' for (v,) in z.rows[:12])}, ...)"
