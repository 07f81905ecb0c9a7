"""TDC++: TDC on the objective whose C is regularised."""

from tdrc_theory.learner.algorithm import Algorithm


def tdcpp(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """dw = rho (delta x - gamma delta_hat x') - beta h,  dh = (rho delta - delta_hat) x - beta h."""
    dw = rho * (delta * x - gamma * delta_hat * x_next) - beta * h
    dh = (rho * delta - delta_hat) * x - beta * h
    return dw, dh


TDCPP = Algorithm(name="tdc++", direction=tdcpp, source="Ghiassian et al. 2020, appendix on TDC++")
