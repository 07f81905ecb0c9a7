"""Emphatic TD(lambda): TD(lambda) whose updates are emphasised by the follow-on trace."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w",
    memory="e F",
    scalars="F",
    name="emphatic-td",
    source="Sutton, Mahmood and White 2016, eqs. 17 to 20",
    own_fixed_points=True,
)
def EMPHATIC_TD(x, x_next, w, e, F, rho, rho_before, gamma, gamma_next, interest, reward, lam=0):  # noqa: N802
    """F = rho_before gamma F + i,  e = rho (gamma lam e + (lam i + (1 - lam) F) x),  dw = delta e."""
    F = rho_before * gamma * F + interest
    e = rho * (gamma * lam * e + (lam * interest + (1 - lam) * F) * x)
    delta = reward + gamma_next * dot(w, x_next) - dot(w, x)
    return Step(w=delta * e, e=e, F=F)
