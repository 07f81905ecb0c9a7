"""GTD: the first gradient TD method, whose h follows E[rho delta x] itself."""

from tdrc_theory.learner.algorithm import Algorithm


def gtd(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """dw = rho delta_hat (x - gamma x'),  dh = rho delta x - h."""
    dw = rho * delta_hat * (x - gamma * x_next)
    dh = rho * delta * x - h
    return dw, dh


GTD = Algorithm(name="gtd", direction=gtd, source="Sutton, Szepesvári and Maei 2008; Maei 2011, eq. 5.2")
