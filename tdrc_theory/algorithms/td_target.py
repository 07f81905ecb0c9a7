"""TD with a target network that follows its weights (Polyak averaging)."""

from tdrc_theory.learner import Step, dot, learner


@learner(weights="w target", name="td-target", source="Lee and He 2019, averaging TD")
def TD_TARGET(x, x_next, w, target, rho, gamma_next, reward, eta=1):  # noqa: N802
    """dw = rho (R + gamma target.x' - w.x) x,  d target = eta (w - target)."""
    return Step(w=rho * (reward + gamma_next * dot(target, x_next) - dot(w, x)) * x, target=eta * (w - target))
