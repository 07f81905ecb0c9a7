"""TDC with momentum: w moves along a velocity that follows TDC's direction."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w h v", name="tdc-momentum", source="after Deb and Bhatnagar 2022, eqs. 15 and 16, steps in fixed ratios"
)
def TDC_MOMENTUM(x, x_next, w, h, v, rho, gamma_next, reward, eta=1, mu=1):  # noqa: N802
    """dv = mu (rho (delta x - gamma (h.x) x') - v),  dw = v,  dh = eta (rho delta - h.x) x."""
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    direction = rho * (delta * x - gamma_next * dot(h, x) * x_next)
    return Step(w=v, h=eta * (rho * delta - dot(h, x)) * x, v=mu * (direction - v))
