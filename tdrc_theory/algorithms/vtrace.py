"""V-trace for one step: TD with its importance ratio clipped at 1, which moves its fixed points."""

from tdrc_theory.learner.algorithm import Algorithm


def vtrace(x, x_next, h, delta, delta_hat, rho, gamma, beta):
    """dw = min(rho, 1) delta x."""
    return min(rho, 1) * delta * x, 0


VTRACE = Algorithm(name="vtrace", direction=vtrace, source="Espeholt et al. 2018", own_fixed_points=True)
