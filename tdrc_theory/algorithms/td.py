"""Temporal-difference learning."""

from tdrc_theory.learner.algorithm import Algorithm


def td(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """dw = rho delta x."""
    return rho * delta * x, 0


TD = Algorithm(name="td", direction=td, source="Ghiassian et al. 2020, eq. 2, with importance sampling")
