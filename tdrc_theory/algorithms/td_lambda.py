"""TD(lambda) with an accumulating trace, off-policy by the ratio of each step."""

from tdrc_theory.learner import Step, dot, learner


@learner(weights="w", memory="e", name="td-lambda", source="Sutton and Barto 2018, eq. 12.25", own_fixed_points=True)
def TD_LAMBDA(x, x_next, w, e, rho, gamma, gamma_next, reward, lam=0):  # noqa: N802 - a learner
    """e = rho (gamma lam e + x),  dw = delta e."""
    e = rho * (gamma * lam * e + x)
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    return Step(w=delta * e, e=e)
