"""HTD(lambda): TD(lambda) where data are on-policy, corrected where they are not."""

from tdrc_theory.algorithms.td_lambda import TD_LAMBDA
from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w h",
    memory="e e_b",
    name="htd-lambda",
    source="White and White 2016; Sutton and Barto 2018, section 12.11",
    solves=TD_LAMBDA,
)
def HTD_LAMBDA(x, x_next, w, h, e, e_b, rho, gamma, gamma_next, reward, eta=1, lam=0):  # noqa: N802
    """dw = delta e + (h.(e - e_b)) (x - gamma x'),  dh = eta (delta e - (h.e_b) (x - gamma x')).

    e = rho (gamma lam e + x) is the trace of the target policy, e_b = gamma lam e_b + x that of the behaviour.
    """
    e = rho * (gamma * lam * e + x)
    e_b = gamma * lam * e_b + x
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    moved = x - gamma_next * x_next
    return Step(w=delta * e + dot(h, e - e_b) * moved, h=eta * (delta * e - dot(h, e_b) * moved), e=e, e_b=e_b)
