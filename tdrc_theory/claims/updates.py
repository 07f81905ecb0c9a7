"""The updates of TDC, GTD2 and TDRC (eqs. 3 to 6), TDRC's rearrangement, and G and g (Appendix)."""

from fractions import Fraction

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import E, I, block, equal, expr, grad, implies, inv, norm2, symbols

A, C, b, w, h, x, x_next, R, rho, gamma, delta = symbols("A C b w h x x' R rho gamma delta")
beta, eta, A_beta, C_beta, varrho, G, g = symbols("beta eta A_beta C_beta varrho G_tdrc g_tdrc")
step_w, step_h = symbols("step_w_tdrc step_h_tdrc")
APPENDIX = "Appendix, reformulating the TDRC update"

_ridge = equal(C_beta * h, b - A * w)
_sample_G = block(
    [
        [-eta * (x * x.T + beta * I), eta * rho * x * (gamma * x_next - x).T],
        [-rho * gamma * x_next * x.T, rho * x * (gamma * x_next - x).T],
    ]
)
_sample_g = block([[eta * rho * R * x], [rho * R * x]])

CLAIMS = (
    Claim(
        id="update.tdc",
        title="TDC's directions",
        source="eq. 3",
        role=Role.DEFINITION,
        printed=equal(
            block([[rho * delta * x - rho * gamma * (h.T * x) * x_next], [(rho * delta - h.T * x) * x]]),
            block([[symbols("step_w_tdc")[0]], [symbols("step_h_tdc")[0]]]),
        ),
    ),
    Claim(
        id="update.gtd2",
        title="GTD2's direction of w",
        source="eq. 4",
        role=Role.DEFINITION,
        printed=equal(rho * (x - gamma * x_next) * (h.T * x), symbols("step_w_gtd2")[0]),
    ),
    Claim(
        id="update.tdrc",
        title="TDRC's directions",
        source="eqs. 5 and 6",
        role=Role.DEFINITION,
        printed=equal(
            block([[rho * delta * x - rho * gamma * (h.T * x) * x_next], [(rho * delta - h.T * x) * x - beta * h]]),
            block([[step_w], [step_h]]),
        ),
    ),
    Claim(
        id="update.regulariser",
        title="the update's term beta h is the gradient of the regulariser beta |h|^2",
        source="Section 3, below eq. 6",
        role=Role.REMARK,
        printed=equal(grad(beta * norm2(h), "h"), beta * h),
        corrected=equal(expr(Fraction(-1, 2)) * grad(beta * norm2(h), "h"), -(beta * h)),
        erratum="R21",
        theorem="regulariser_gradient",
        remark="word for word a factor 2 is missing; with the factor -1/2 of the paper's other gradients it is right",
    ),
    Claim(
        id="update.ridge-regression",
        title="the regularised least squares solution solves C_beta h = E[delta x]",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=equal(
            expr(Fraction(-1, 2)) * grad(h.T * C * h - 2 * h.T * (b - A * w) + beta * norm2(h), "h"),
            b - A * w - C_beta * h,
        ),
        theorem="ridge_gradient",
    ),
    Claim(
        id="update.expected-h",
        title="TDRC's expected update of h descends that objective",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=equal(E(step_h), b - A * w - C_beta * h),
        theorem="expected_step_h",
    ),
    Claim(
        id="update.rearrangement",
        title="TDRC's rearrangement of A_beta^T h_beta",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=implies(_ridge, equal(A_beta.T * h, E(rho * delta * x) - gamma * E(rho * x_next * x.T) * h)),
        theorem="tdrc_rearrangement",
    ),
    Claim(
        id="update.rearrangement-with-inverse",
        title="the same with h_beta written out",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=equal(A_beta.T * inv(C_beta) * (b - A * w), b - A * w - (C - A.T) * inv(C_beta) * (b - A * w)),
        theorem="rearrangement_with_inverse",
    ),
    Claim(
        id="update.expected-w",
        title="TDRC's expected update of w is A_beta^T h_beta where h is the ridge solution",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=implies(_ridge, equal(E(step_w), A_beta.T * h)),
        theorem="expected_step_w",
    ),
    Claim(
        id="update.single-sample",
        title="one transition's update as G_{t+1} varrho + g_{t+1}",
        source=APPENDIX,
        role=Role.IDENTITY,
        printed=equal(_sample_G * varrho + _sample_g, block([[eta * step_h], [step_w]])),
        theorem="single_sample",
    ),
    Claim(
        id="update.G",
        title="G, against the one derived from the update",
        source=APPENDIX,
        role=Role.IDENTITY,
        printed=equal(block([[-eta * C_beta, -eta * A], [A.T - C, -A]]), G),
        theorem="expected_update",
    ),
    Claim(
        id="update.g",
        title="g, against the one derived from the update",
        source=APPENDIX,
        role=Role.IDENTITY,
        printed=equal(block([[eta * b], [b]]), g),
        theorem="expected_update",
    ),
    Claim(
        id="update.excursion",
        title="E_b[x x^T] = E_pi[x x^T], E_pi[X] being E_b[rho X]",
        source=APPENDIX,
        role=Role.IDENTITY,
        printed=equal(E(rho * x * x.T), E(x * x.T)),
        theorem="excursion_matrix",
        remark="both under the behaviour's distribution of states, as the paper assumes",
    ),
    Claim(
        id="update.expectation-of-the-sample",
        title="the expectation of the single-sample form is G varrho + g",
        source=APPENDIX,
        role=Role.IDENTITY,
        printed=equal(
            block([[E(eta * step_h)], [E(step_w)]]),
            block([[-eta * C_beta, -eta * A], [A.T - C, -A]]) * varrho + block([[eta * b], [b]]),
        ),
        theorem="expected_update",
    ),
)
