"""The secondary weights h: what they estimate, what their regulariser does to that, and whose gradient is followed."""

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import E, I, block, both, equal, implies, inv, symbols

A, C, C_beta, b, w, h, x, rho, delta = symbols("A C C_beta b w h x rho delta")
beta, eta, zero, G_gtd2 = symbols("beta eta 0 G_gtd2")
step_h_tdc, step_h_gtd2, step_h_tdrc, step_w_tdrc = symbols("step_h_tdc step_h_gtd2 step_h_tdrc step_w_tdrc")

_error = E(rho * delta * x)
_saddle = block([[eta**-1 * I, 0 * I], [0 * I, -I]]) * G_gtd2

CLAIMS = (
    Claim(
        id="secondary.mspbe",
        title="the MSPBE by expectations and by A, b and C",
        source="Section 3.1, eq. 7",
        role=Role.DEFINITION,
        printed=equal(_error.T * inv(E(x * x.T)) * _error, (b - A * w).T * inv(C) * (b - A * w)),
        theorem="mspbe_by_expectations",
    ),
    Claim(
        id="secondary.least-squares",
        title="the h of TDC and GTD2 rests at the least squares solution",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=implies(equal(C * h, b - A * w), both(equal(E(step_h_tdc), zero), equal(E(step_h_gtd2), zero))),
        theorem="least_squares_is_at_rest",
    ),
    Claim(
        id="secondary.ridge",
        title="the h of TDRC rests at the ridge solution",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=implies(equal(C_beta * h, b - A * w), equal(E(step_h_tdrc), zero)),
        theorem="ridge_is_at_rest",
    ),
    Claim(
        id="secondary.bias",
        title="how far the ridge solution is from that of least squares",
        source="Section 3",
        role=Role.IDENTITY,
        printed=equal(inv(C_beta) * C, I - beta * inv(C_beta)),
        theorem="ridge_bias",
        remark="a bias of beta C_beta^-1 h, so none where h = 0",
    ),
    Claim(
        id="secondary.none",
        title="with h = 0 TDRC's update of w is TD's",
        source="Section 3; Appendix, actor-critic algorithm with TDRC",
        role=Role.IDENTITY,
        printed=implies(equal(h, zero), equal(step_w_tdrc, rho * delta * x)),
        theorem="step_without_h",
        remark="so with h_0 = 0 and eta = 0 the critic is that of the original actor-critic",
    ),
    Claim(
        id="secondary.gtd2-gradient",
        title="the saddle-point GTD2 descends on an objective of both weights",
        source="Section 1, saddle-point methods",
        role=Role.REMARK,
        printed=equal(G_gtd2, G_gtd2.T),
        corrected=equal(_saddle, _saddle.T),
        erratum="R1",
        theorem="saddle_point_symmetric",
        remark="a linear flow descends exactly if its matrix is symmetric; GTD2 descends in w and ascends in h",
    ),
)
