"""Expected Sarsa: action values whose next value is averaged over the target policy's actions."""

from tdrc_theory.learner import Step, dot, learner


@learner(weights="w", name="expected-sarsa", source="van Seijen et al. 2009, for a fixed target policy")
def EXPECTED_SARSA(x, x_bar, w, gamma_next, reward):  # noqa: N802
    """dw = delta x,  delta = R + gamma_next w.x_bar - w.x."""
    delta = reward + gamma_next * dot(w, x_bar) - dot(w, x)
    return Step(w=delta * x)
