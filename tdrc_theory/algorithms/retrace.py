"""Retrace: action values whose trace is cut by the importance ratio of each action, clipped at 1."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w",
    memory="e",
    name="retrace",
    source="Munos, Stepleton, Harutyunyan and Bellemare 2016, eq. 3 and Table 1",
    own_fixed_points=True,
)
def RETRACE(x, x_bar, w, e, rho, gamma, gamma_next, reward, lam=0):  # noqa: N802
    """e = gamma lam min(1, rho) e + x,  dw = delta e,  delta = R + gamma_next w.x_bar - w.x."""
    e = gamma * lam * min(1, rho) * e + x
    delta = reward + gamma_next * dot(w, x_bar) - dot(w, x)
    return Step(w=delta * e, e=e)
