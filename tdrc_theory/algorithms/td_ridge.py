"""TD with a ridge penalty, which keeps it stable and moves its fixed points."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w",
    name="td-ridge",
    source="Diddigi, Kamanchi and Bhatnagar 2020; Zhang, Yao and Whiteson 2021, eq. 14",
    own_fixed_points=True,
)
def TD_RIDGE(x, x_next, w, rho, gamma_next, reward, beta=1):  # noqa: N802
    """dw = rho delta x - beta w."""
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    return Step(w=rho * delta * x - beta * w)
