"""Actor-critic with TDRC (Appendix)."""

from tdrc_theory.claims.claim import Claim, Role
from tdrc_theory.formula.expression import equal, expr, implies, symbols

alpha, beta, eta, eta_0, gamma, rho, delta = symbols("alpha beta eta eta_0 gamma rho delta")
h, x, x_next, step_w, step_h = symbols("h x x' step_w_tdrc step_h_tdrc")
SOURCE = "Appendix, actor-critic algorithm with TDRC"

CLAIMS = (
    Claim(
        id="actor-critic.critic",
        title="the critic's step is TDRC's",
        source=SOURCE,
        role=Role.DEFINITION,
        printed=implies(equal(rho, 1), equal(alpha * delta * x - gamma * (h.T * x) * x_next, alpha * step_w)),
        corrected=implies(equal(rho, 1), equal(alpha * delta * x - alpha * gamma * (h.T * x) * x_next, alpha * step_w)),
        erratum="E10",
    ),
    Claim(
        id="actor-critic.secondary",
        title="the secondary weights' step is TDRC's",
        source=SOURCE,
        role=Role.DEFINITION,
        printed=implies(
            equal(rho, 1),
            equal(eta * alpha * (delta - h.T * x) * x - eta * alpha * beta * h, eta * alpha * step_h),
        ),
    ),
    Claim(
        id="actor-critic.discount",
        title="the actor's step at t = 0 has weight 1, as the return does",
        source=SOURCE,
        role=Role.DEFINITION,
        printed=equal(gamma ** (expr(0) + 1), 1),
        corrected=equal(gamma ** expr(0), 1),
        erratum="E10",
        remark="gamma^t, not gamma^(t+1), where t counts from 0",
    ),
)
