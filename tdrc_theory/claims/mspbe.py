"""The objective and its gradient (Section 3.1)."""

from fractions import Fraction

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import E, equal, expr, grad, implies, inv, symbols

A, C, b, w, h, x, x_next, R, rho, gamma, delta = symbols("A C b w h x x' R rho gamma delta")

_mspbe = (b - A * w).T * inv(C) * (b - A * w)
_least_squares = equal(C * h, b - A * w)

CLAIMS = (
    Claim(
        id="mspbe.expected-td-error",
        title="the expected TD update",
        source="Section 3.1, below eq. 7",
        role=Role.IDENTITY,
        printed=equal(E(rho * delta * x), b - A * w),
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
    ),
    Claim(
        id="mspbe.gtd2-form",
        title="GTD2's form of the gradient",
        source="Section 3.1",
        role=Role.IDENTITY,
        printed=equal(A.T * h, E(rho * (x - gamma * x_next) * x.T) * h),
    ),
    Claim(
        id="mspbe.same-expected-update",
        title="for a given h, TDC and GTD2 have the same expected update of w",
        source="Section 3.1",
        role=Role.REMARK,
        printed=equal(E(*symbols("step_w_tdc")), E(*symbols("step_w_gtd2"))),
        corrected=implies(_least_squares, equal(E(*symbols("step_w_tdc")), E(*symbols("step_w_gtd2")))),
        erratum="E9",
        remark="GTD2's is A^T h for every h; TDC's is A^T h + (b - A w - C h)",
    ),
)
