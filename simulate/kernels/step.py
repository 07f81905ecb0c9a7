"""What kernels need of a learner: its recorded step, the parameters that this depends on, whether it may run here."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simulate.kernels.kernel_residual_gradient import smoothing_of
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.modes import check_offered
from tdrc_theory.learner.recording import RecordedStep, step_of_components
from tdrc_theory.problem import Problem


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
    return step_of_components(
        algorithm.name, algorithm.direction, algorithm.arguments, algorithm.defaults, errors_apart=True
    )


def used_parameters(algorithm: Algorithm, asked: Mapping[str, Any]) -> dict[str, Fraction]:
    """Return {name: value} of the parameters that are used: as it fixes them, else as asked for, else default.

    Of an update that is affine its equation says what it uses; of others, the record of its function.

    Raises:
        BadOption: a name that it lacks, or a value out of range.
        BadAlgorithm: its function does what is not recorded.
    """
    if smoothing_of(algorithm):
        return {}
    try:
        own = algorithm.own_parameters
    except BadAlgorithm:
        own = tuple(recorded_step(algorithm).parameters)
    return dict(algorithm.parameters(asked, own))


def check_reads(problem: Problem, algorithm: Algorithm) -> None:
    """Refuse a learner that is not for problems of this kind, as far as its equation can be read.

    Raises:
        BadOption: see `check_offered`.
    """
    with contextlib.suppress(BadAlgorithm):
        check_offered(problem, algorithm)
