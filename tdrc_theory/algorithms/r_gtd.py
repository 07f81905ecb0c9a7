"""R-GTD: GTD2 with a quadratic penalty on w, whose solution is unique for singular A too."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w h",
    name="r-gtd",
    source="after Na and Lee 2026, GTD2's saddle point with a penalty on w",
    own_fixed_points=True,
)
def R_GTD(x, x_next, w, h, rho, gamma_next, reward, beta=1, eta=1):
    """dw = rho (h.x) (x - gamma x') - beta w,  dh = eta (rho delta - h.x) x."""
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    dw = rho * dot(h, x) * (x - gamma_next * x_next) - beta * w
    return Step(w=dw, h=eta * (rho * delta - dot(h, x)) * x)
