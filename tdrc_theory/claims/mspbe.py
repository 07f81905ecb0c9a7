"""The objective and its gradient (Section 3.1)."""

from fractions import Fraction

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import E, equal, expr, grad, iff, implies, inv, nonsingular, symbols

A, C, b, w, h, x, x_next, R, rho, gamma, delta, zero = symbols("A C b w h x x' R rho gamma delta 0")

_mspbe = (b - A * w).T * inv(C) * (b - A * w)
_least_squares = equal(C * h, b - A * w)
_at_a_minimum = equal(A.T * inv(C) * (b - A * w), zero)
"""The gradient is 0, which for a convex quadratic is a minimum."""

CLAIMS = (
    Claim(
        id="mspbe.expected-td-error",
        title="the expected TD update",
        source="Section 3.1, below eq. 7",
        role=Role.IDENTITY,
        printed=equal(E(rho * delta * x), b - A * w),
        theorem="expected_td_error",
    ),
    Claim(
        id="mspbe.gradient",
        title="gradient of the MSPBE",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=equal(expr(Fraction(-1, 2)) * grad(_mspbe), A.T * inv(C) * (b - A * w)),
        theorem="mspbe_gradient",
    ),
    Claim(
        id="mspbe.tdc-form",
        title="TDC's form of the gradient, h being the least squares solution",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=implies(_least_squares, equal(A.T * h, E(rho * delta * x) - gamma * E(rho * x_next * x.T) * h)),
        theorem="tdc_form",
    ),
    Claim(
        id="mspbe.gtd2-form",
        title="GTD2's form of the gradient",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=equal(A.T * h, E(rho * (x - gamma * x_next) * x.T) * h),
        theorem="gtd2_form",
    ),
    Claim(
        id="mspbe.same-expected-update",
        title="for a given h, TDC and GTD2 have the same expected update of w",
        source="Section 3.1",
        role=Role.REMARK,
        printed=equal(E(*symbols("step_w_tdc")), E(*symbols("step_w_gtd2"))),
        corrected=iff(equal(E(*symbols("step_w_tdc")), E(*symbols("step_w_gtd2"))), _least_squares),
        erratum="E9",
        theorem="tdc_and_gtd2_agree_where_h_solves",
        refutation="printed_agreement_refuted",
        remark="exactly where h solves the least squares: GTD2's is A^T h at every h, TDC's A^T h + (b - A w - C h)",
    ),
    Claim(
        id="mspbe.minimum",
        title="the minimum of the objective is the TD fixed point",
        source="Section 2, TD and objectives",
        role=Role.REMARK,
        printed=implies(nonsingular(C), iff(_at_a_minimum, equal(A * w, b))),
        corrected=implies(nonsingular(C), equal(A * h, b), iff(_at_a_minimum, equal(A * w, b))),
        erratum="E18",
        theorem="minimum_is_td_fixed_point",
        remark="where a TD fixed point h exists; for a singular A and b outside range(A) the minimum is no fixed point",
    ),
)
