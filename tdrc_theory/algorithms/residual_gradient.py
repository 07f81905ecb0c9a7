"""Residual gradient with one sample of the next state: the gradient of the mean squared TD error."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w",
    name="residual-gradient",
    source="Baird 1995; with one sample: Sutton and Barto 2018, eq. 11.23",
    own_fixed_points=True,
)
def RESIDUAL_GRADIENT(x, x_next, w, rho, gamma_next, reward):  # noqa: N802
    """dw = rho delta (x - gamma x').

    Both factors have the same x', so it follows the gradient of E[rho delta^2]. Where the next state is random that is
    not the gradient of the mean squared Bellman error, which takes two independent samples of x'.
    """
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    return Step(w=rho * delta * (x - gamma_next * x_next))
