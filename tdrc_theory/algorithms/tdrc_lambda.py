"""TDRC(lambda), and TDC(lambda), which is GTD(lambda) of its source and TDRC(lambda) with beta = 0."""

from fractions import Fraction

from tdrc_theory.algorithms.td_lambda import TD_LAMBDA
from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w h", memory="e", name="tdrc-lambda", source="Ghiassian and Sutton 2021, TDRC(lambda)", solves=TD_LAMBDA
)
def TDRC_LAMBDA(x, x_next, w, h, e, rho, gamma, gamma_next, reward, beta=1, eta=1, lam=0):  # noqa: N802
    """e = rho (gamma lam e + x),  dw = delta e - gamma (1 - lam) (h.e) x',  dh = eta (delta e - (h.x) x - beta h)."""
    e = rho * (gamma * lam * e + x)
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    dw = delta * e - gamma_next * (1 - lam) * dot(h, e) * x_next
    return Step(w=dw, h=eta * (delta * e - dot(h, x) * x - beta * h), e=e)


TDC_LAMBDA = TDRC_LAMBDA.with_(
    name="tdc-lambda", beta=Fraction(0), source="Maei 2011, GTD(lambda); Sutton and Barto 2018, eq. 12.30"
)
