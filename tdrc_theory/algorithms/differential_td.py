"""Differential TD: values relative to an average reward, which is learned beside them."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w rbar",
    scalars="rbar",
    name="differential-td",
    source="Wan, Naik and Sutton 2021, Differential TD-learning",
    own_fixed_points=True,
)
def DIFFERENTIAL_TD(x, x_next, w, rbar, rho, reward, eta=1):  # noqa: N802
    """dw = rho delta x,  d rbar = eta rho delta,  delta = R - rbar + w.x' - w.x."""
    delta = reward - rbar + dot(w, x_next) - dot(w, x)
    return Step(w=rho * delta * x, rbar=eta * rho * delta)
