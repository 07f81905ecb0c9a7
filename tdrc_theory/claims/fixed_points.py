"""The fixed points of TD and TDRC (Appendix), by both proofs."""

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import block, both, equal, greater, iff, implies, inv, nonsingular, posdef, symbols

A, b, w, h, A_beta, C_beta, C, beta, G, g, varrho, zero = symbols("A b w h A_beta C_beta C beta G_tdrc g_tdrc varrho 0")
SOURCE = "Appendix, fixed points"
_td = equal(A * w, b)
_tdrc = equal(A_beta.T * inv(C_beta) * (b - A * w), zero)

CLAIMS = (
    Claim(
        id="fixed-points.td-is-tdrc",
        title="a TD fixed point is a fixed point of TDRC",
        source=SOURCE,
        role=Role.IDENTITY,
        printed=implies(_td, _tdrc),
        theorem="fixed_point_forward",
    ),
    Claim(
        id="fixed-points.equal",
        title="the sets are equal if C_beta and A_beta are nonsingular",
        source=SOURCE,
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(C_beta), nonsingular(A_beta), iff(_td, _tdrc)),
        theorem="fixed_points",
    ),
    Claim(
        id="fixed-points.C_beta",
        title="C_beta is invertible if beta > 0",
        source=SOURCE,
        role=Role.REMARK,
        printed=implies(greater(beta, 0), posdef(C_beta)),
        theorem="C_beta_positive_definite",
    ),
    Claim(
        id="fixed-points.C_beta-at-zero",
        title="C_beta is invertible if C is, even for beta = 0",
        source=SOURCE,
        role=Role.REMARK,
        printed=implies(nonsingular(C), posdef(C_beta)),
        theorem="C_beta_positive_definite_with_C",
    ),
    Claim(
        id="fixed-points.linear-system",
        title="G varrho + g = 0 has the one solution h = 0, A w = b",
        source=f"{SOURCE}, second proof",
        role=Role.SUFFICIENT,
        printed=implies(
            nonsingular(A),
            nonsingular(A_beta),
            iff(equal(G * varrho + g, block([[zero], [zero]])), both(equal(h, zero), _td)),
        ),
        theorem="linear_system",
    ),
)
