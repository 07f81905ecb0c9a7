"""GTD2(lambda): the saddle-point form of the gradient of the MSPBE of TD(lambda)."""

from tdrc_theory.algorithms.td_lambda import TD_LAMBDA
from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w h",
    memory="e",
    name="gtd2-lambda",
    source="after Geist and Scherrer 2014, with TD(lambda)'s trace",
    solves=TD_LAMBDA,
)
def GTD2_LAMBDA(x, x_next, w, h, e, rho, gamma, gamma_next, reward, eta=1, lam=0):  # noqa: N802
    """e = rho (gamma lam e + x),  dw = (h.e) (x - gamma x'),  dh = eta (delta e - (h.x) x)."""
    e = rho * (gamma * lam * e + x)
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    return Step(w=dot(h, e) * (x - gamma_next * x_next), h=eta * (delta * e - dot(h, x) * x), e=e)
