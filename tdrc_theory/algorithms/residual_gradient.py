"""Residual gradient: descent of the mean squared Bellman error, and its naive form, of the mean squared TD error."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w",
    name="residual-gradient",
    source="Baird 1995; with importance ratios: Sutton and Barto 2018, section 11.5",
    own_fixed_points=True,
)
def RESIDUAL_GRADIENT(x, x_next, x_next_2, w, rho, rho_2, gamma_next, gamma_next_2, reward):  # noqa: N802
    """dw = rho delta (x - gamma rho_2 x'_2).

    The second transition is from the same state and independent of the first, so given the state the mean of the
    product is the product of the means: the Bellman error times minus its gradient.
    """
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    return Step(w=rho * delta * (x - gamma_next_2 * rho_2 * x_next_2))


@learner(
    weights="w",
    name="naive-residual-gradient",
    source="Sutton and Barto 2018, eq. 11.23",
    own_fixed_points=True,
)
def NAIVE_RESIDUAL_GRADIENT(x, x_next, w, rho, gamma_next, reward):  # noqa: N802
    """dw = rho delta (x - gamma x').

    Both factors have the same x', so it follows the gradient of E[rho delta^2]. Where the next state is random that is
    not the gradient of the mean squared Bellman error.
    """
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    return Step(w=rho * delta * (x - gamma_next * x_next))
