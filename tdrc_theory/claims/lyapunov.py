"""The Lyapunov function of condition (v) (Appendix, end of the main proof)."""

from fractions import Fraction

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import equal, expr, grad, hurwitz, implies, norm2, posdef, symbols

G, M, P, w, b = symbols("G_tdrc M P w b")
SOURCE = "Appendix, main proof, condition (v)"
_u = M * w + b

CLAIMS = (
    Claim(
        id="lyapunov.derivative",
        title="along w' = M w + b = u the derivative of |u|^2 / 2 is u^T M u",
        source=SOURCE,
        role=Role.IDENTITY,
        printed=equal(grad(expr(Fraction(1, 2)) * norm2(_u)).T * _u, _u.T * M * _u),
        theorem="lyapunov_derivative",
    ),
    Claim(
        id="lyapunov.strict",
        title="|G varrho + g|^2 / 2 is a strict Lyapunov function where G is Hurwitz",
        source=SOURCE,
        role=Role.REMARK,
        printed=implies(hurwitz(G), posdef(-G)),
        corrected=implies(posdef(P), posdef(-(M.T * P + P * M)), hurwitz(M)),
        erratum="E7",
        theorem="lyapunov",
        remark="it falls only if G + G^T is negative definite; u^T P u with G^T P + P G = -Q does, and proves it",
    ),
)
