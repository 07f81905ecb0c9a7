"""TDC++ (Appendix, batch setting): its objective, its updates, and its convergence."""

from fractions import Fraction

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import (
    E,
    I,
    block,
    both,
    det,
    eigmin,
    equal,
    expr,
    grad,
    greater,
    hurwitz,
    implies,
    inv,
    less,
    nonsingular,
    norm2,
    symbols,
)

A, C, H, A_beta, C_beta, beta, eta, lam, z, b, w, h = symbols("A C H A_beta C_beta beta eta lambda z b w h")
x, x_next, rho, gamma, delta, G, I_2d = symbols("x x' rho gamma delta G_tdc++ I_2d")
step_w, step_h = symbols("step_w_tdc++ step_h_tdc++")
u1, u2, v1, v2 = symbols("u_1 u_2 v_1 v_2")
DERIVATION, CONVERGENCE = "Appendix, derivation of TDC++", "Appendix, convergence of TDC++"
_error = E(rho * delta * x)
_objective = (b - A * w).T * inv(C_beta) * (b - A * w)
_ridge = equal(C_beta * h, b - A * w)

CLAIMS = (
    Claim(
        id="tdc++.objective",
        title="the objective with a regularised C",
        source=DERIVATION,
        role=Role.DEFINITION,
        printed=equal(_error.T * (inv(E(x * x.T)) + beta * I) * _error, _objective),
        corrected=equal(_error.T * inv(E(x * x.T) + beta * I) * _error, _objective),
        erratum="E3",
        theorem="tdcpp_objective",
        refutation="printed_mspbepp_refuted",
    ),
    Claim(
        id="tdc++.gradient",
        title="its gradient",
        source=DERIVATION,
        role=Role.IDENTITY,
        printed=equal(expr(Fraction(-1, 2)) * grad(_objective), A.T * inv(C_beta) * (b - A * w)),
        theorem="tdcpp_gradient",
    ),
    Claim(
        id="tdc++.rearrangement",
        title="the gradient rearranged, h_beta being the ridge solution",
        source=DERIVATION,
        role=Role.IDENTITY,
        printed=implies(_ridge, equal(A.T * h, _error - gamma * E(rho * x_next * x.T) * h - beta * h)),
        theorem="tdcpp_rearrangement",
    ),
    Claim(
        id="tdc++.update",
        title="the updates",
        source=DERIVATION,
        role=Role.DEFINITION,
        printed=implies(
            equal(rho, 1),
            equal(
                block([[(delta - h.T * x) * x - beta * h], [delta * x - gamma * (h.T * x) * x_next - beta * h]]),
                block([[step_h], [step_w]]),
            ),
        ),
        remark="printed without importance ratios",
    ),
    Claim(
        id="tdc++.G",
        title="G, against the one derived from the update",
        source=CONVERGENCE,
        role=Role.IDENTITY,
        printed=equal(block([[-eta * C_beta, -eta * A], [A.T - C_beta, -A]]), G),
        theorem="tdcpp_expected_update",
    ),
    Claim(
        id="tdc++.determinant",
        title="det(G - lambda I)",
        source=CONVERGENCE,
        role=Role.IDENTITY,
        printed=equal(det(G - lam * I_2d), det(lam * (C_beta + lam * I) + A * (eta * A.T + lam * I))),
        corrected=equal(det(G - lam * I_2d), det(lam * (eta * C_beta + lam * I) + A * (eta * A.T + lam * I))),
        erratum="E4",
        theorem="tdcpp_det",
        refutation="printed_tdcpp_det_refuted",
    ),
    Claim(
        id="tdc++.quadratic",
        title="the quadratic of an eigenvalue",
        source=CONVERGENCE,
        role=Role.IDENTITY,
        printed=equal(
            z.star * (lam * (eta * C_beta + lam * I) + A * (eta * A.T + lam * I)) * z,
            norm2(z) * lam**2 + z.star * (eta * C_beta + A) * z * lam + eta * norm2(A * z),
        ),
        corrected=equal(
            z.star * (lam * (eta * C_beta + lam * I) + A * (eta * A.T + lam * I)) * z,
            norm2(z) * lam**2 + z.star * (eta * C_beta + A) * z * lam + eta * norm2(A.T * z),
        ),
        erratum="E5",
        theorem="tdcpp_quadratic",
    ),
    Claim(
        id="tdc++.sum-of-roots",
        title="the real part of the sum of the roots",
        source=CONVERGENCE,
        role=Role.IDENTITY,
        printed=equal(
            (z.star * (eta * C_beta + A) * z).star + z.star * (eta * C_beta + A) * z,
            2 * z.star * (eta * C_beta + H) * z,
        ),
        theorem="tdcpp_sum_of_roots",
    ),
    Claim(
        id="tdc++.same-sign",
        title="a positive product and a negative sum of the roots give two negative real parts",
        source=CONVERGENCE,
        role=Role.SUFFICIENT,
        printed=implies(
            greater(u1 * u2 - v1 * v2, 0),
            equal(u1 * v2 + u2 * v1, 0),
            less(u1 + u2, 0),
            both(less(u1, 0), less(u2, 0)),
        ),
        theorem="same_sign_roots",
    ),
    Claim(
        id="tdc++.convergence",
        title="the condition on eta suffices",
        source=CONVERGENCE,
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(C), greater(eta, -eigmin(inv(C_beta) * H)), greater(norm2(b), 0), hurwitz(G)),
        corrected=implies(nonsingular(A), greater(eta, -eigmin(inv(C_beta) * H)), hurwitz(G)),
        erratum="E14",
        theorem="tdcpp_convergence",
        remark="A must be nonsingular too: lambda_1 lambda_2 > 0 needs A^T z other than 0; where A = 0 and b is not 0, "
        "w drifts",
    ),
    Claim(
        id="tdc++.no-condition-on-beta",
        title="its convergence needs no condition on beta: TDC's bound on eta suffices at every beta",
        source=CONVERGENCE,
        role=Role.SUFFICIENT,
        printed=implies(nonsingular(A), nonsingular(C), greater(eta, -eigmin(inv(C) * H)), hurwitz(G)),
        theorem="tdcpp_needs_no_bound_on_beta",
        remark="A nonsingular (E14); beta stands in the printed bound on eta, which a larger beta only loosens",
    ),
    Claim(
        id="tdc++.difference",
        title="TDC++ differs from TDRC by -beta h in the update of w",
        source=CONVERGENCE,
        role=Role.IDENTITY,
        printed=equal(step_w, symbols("step_w_tdrc")[0] - beta * h),
    ),
)
