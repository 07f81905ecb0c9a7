"""Which of the parameters that were asked for a learner uses."""

from __future__ import annotations

from fractions import Fraction

from simulate.kernels.kernel_residual_gradient import smoothing_of
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.algorithm import Algorithm


def used_parameters(algorithm: Algorithm, beta: Fraction, eta: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """Return the (beta, eta) that are used: its own where it fixes one, None where it is known to have none."""
    if smoothing_of(algorithm):
        return None, None
    try:
        used = algorithm.parameters({"beta": beta, "eta": eta})
        return used.get("beta"), used.get("eta")
    except BadAlgorithm:  # it runs all the same, and what it uses is not known
        return algorithm.fixed.get("beta", beta), algorithm.fixed.get("eta", eta)
