"""What is recorded of a learner's step, as kernels need it."""

from __future__ import annotations

import functools

from simulate.kernels.kernel_residual_gradient import smoothing_of
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.recorded_step import RecordedStep, step_of_components


def needs_chain(algorithm: Algorithm) -> bool:
    """Return whether a learner has memory, or reads the ratio of the step before."""
    return bool(algorithm.memory) or "rho_before" in algorithm.arguments


@functools.lru_cache(maxsize=256)
def recorded_step(algorithm: Algorithm) -> RecordedStep:
    """Return the record of a learner's step; TD errors are leaves where they come from a batch.

    Raises:
        BadAlgorithm: its function does what is not recorded, or is no learner's.
    """
    if smoothing_of(algorithm) is None:
        return algorithm.recorded
    return step_of_components(algorithm, errors_apart=True)
