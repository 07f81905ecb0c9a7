"""TD with regularised corrections, and TDC, which is TDRC with beta = 0."""

from fractions import Fraction

from tdrc_theory.learner.algorithm import Algorithm


def tdrc(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """dw = rho (delta x - gamma delta_hat x'),  dh = (rho delta - delta_hat) x - beta h."""
    dw = rho * (delta * x - gamma * delta_hat * x_next)
    dh = (rho * delta - delta_hat) * x - beta * h
    return dw, dh


TDRC = Algorithm(name="tdrc", direction=tdrc, source="Ghiassian et al. 2020, eqs. 5 and 6")
TDC = TDRC.with_(name="tdc", beta=Fraction(0), source="Ghiassian et al. 2020, eq. 3")
