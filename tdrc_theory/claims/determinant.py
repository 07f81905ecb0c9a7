"""The determinant of G - lambda I (Box 1) and of G (Appendix, fixed points)."""

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import DIM, I, block, det, equal, expr, greater, implies, inv, nonsingular, symbols

A, C, C_beta, beta, eta, lam, G, I_2d = symbols("A C C_beta beta eta lambda G_tdrc I_2d")
BOX = "Appendix, Box 1"
_shift = eta * beta + lam
_X = eta * C + _shift * I
_identity = equal(det(G - lam * I_2d), det(lam * _X + A * (eta * A.T + _shift * I)))

CLAIMS = (
    Claim(
        id="determinant.characteristic",
        title="det(G - lambda I) as a determinant of size d",
        source=BOX,
        role=Role.IDENTITY,
        printed=_identity,
        theorem="det_identity",
    ),
    Claim(
        id="determinant.sign",
        title="the sign taken out of the block matrix",
        source=BOX,
        role=Role.IDENTITY,
        printed=equal(
            det(G - lam * I_2d),
            expr(-1) ** (2 * DIM) * det(block([[eta * C_beta + lam * I, eta * A], [C - A.T, A + lam * I]])),
        ),
        theorem="sign_taken_out",
    ),
    Claim(
        id="determinant.B1",
        title="(B1), by the Schur complement",
        source=BOX,
        role=Role.IDENTITY,
        printed=equal(det(G - lam * I_2d), det(_X) * det(A + lam * I - eta * (C - A.T) * inv(_X) * A)),
        theorem="schur_complement_determinant",
    ),
    Claim(
        id="determinant.nonsingular-shift",
        title="C_beta + lambda I is nonsingular for any beta > 0",
        source=BOX,
        role=Role.REMARK,
        printed=implies(greater(beta, 0), nonsingular(C_beta + lam * I)),
        corrected=_identity,
        erratum="E16",
        theorem="det_identity",
        refutation="printed_nonsingularity_refuted",
        remark="not for negative (or complex) lambda; the identity needs neither this nor A^-1",
    ),
    Claim(
        id="determinant.resolvent",
        title="eta C (eta C + (eta beta + lambda) I)^-1 rewritten",
        source=BOX,
        role=Role.IDENTITY,
        printed=equal(eta * C * inv(_X), I - _shift * inv(_X)),
        theorem="resolvent",
    ),
    Claim(
        id="determinant.schur-complement",
        title="the Schur complement rewritten",
        source=BOX,
        role=Role.IDENTITY,
        printed=equal(
            A + lam * I - eta * (C - A.T) * inv(_X) * A,
            lam * I + _shift * inv(_X) * A + eta * A.T * inv(_X) * A,
        ),
        theorem="schur_complement_rewritten",
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
        refutation="printed_det_G_refuted",
    ),
)
