"""Tree backup: action values whose trace fades with the target policy's probability of each action."""

from tdrc_theory.learner import Step, dot, learner


@learner(
    weights="w",
    memory="e",
    name="tree-backup",
    source="Precup, Sutton and Singh 2000; linear: Sutton and Barto 2018, section 12.10",
    own_fixed_points=True,
)
def TREE_BACKUP(x, x_bar, w, e, pi, gamma, gamma_next, reward, lam=0):  # noqa: N802
    """e = gamma lam pi e + x,  dw = delta e,  delta = R + gamma_next w.x_bar - w.x."""
    e = gamma * lam * pi * e + x
    delta = reward + gamma_next * dot(w, x_bar) - dot(w, x)
    return Step(w=delta * e, e=e)
