"""Hybrid TD: TD where data are on-policy, corrected where they are not."""

from tdrc_theory.learner.algorithm import Algorithm


def htd(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """dw = rho delta x + (rho - 1) delta_hat (x - gamma x'),  dh = rho delta x - delta_hat (x - gamma x')."""
    dw = rho * delta * x + (rho - 1) * delta_hat * (x - gamma * x_next)
    dh = rho * delta * x - delta_hat * (x - gamma * x_next)
    return dw, dh


HTD = Algorithm(name="htd", direction=htd, source="White and White 2016")
