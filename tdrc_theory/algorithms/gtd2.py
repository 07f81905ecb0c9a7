"""GTD2: the saddle-point form of the gradient of the MSPBE."""

from tdrc_theory.learner.algorithm import Algorithm


def gtd2(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """dw = rho delta_hat (x - gamma x'),  dh = (rho delta - delta_hat) x."""
    dw = rho * delta_hat * (x - gamma * x_next)
    dh = (rho * delta - delta_hat) * x
    return dw, dh


GTD2 = Algorithm(name="gtd2", direction=gtd2, source="Ghiassian et al. 2020, eq. 4")
