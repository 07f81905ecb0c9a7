"""The determinant of G - lambda I (Box 1) and of G (Appendix, fixed points)."""

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import DIM, I, det, equal, symbols

A, C, beta, eta, lam, G, I_2d = symbols("A C beta eta lambda G_tdrc I_2d")
_shift = eta * beta + lam

CLAIMS = (
    Claim(
        id="determinant.characteristic",
        title="det(G - lambda I)",
        source="Appendix, Box 1",
        role=Role.IDENTITY,
        printed=equal(det(G - lam * I_2d), det(lam * (eta * C + _shift * I) + A * (eta * A.T + _shift * I))),
        theorem="det_identity",
    ),
    Claim(
        id="determinant.of-G",
        title="det G",
        source="Appendix, fixed points, second proof",
        role=Role.IDENTITY,
        printed=equal(det(G), eta ** (2 * DIM) * det(A.T + beta * I) * det(A)),
        corrected=equal(det(G), eta**DIM * det(A.T + beta * I) * det(A)),
        erratum="E1",
        theorem="det_G",
    ),
)
