"""Which of the parameters that were asked for a learner uses, and whether a problem offers what it reads."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from fractions import Fraction

from simulate.kernels.kernel_residual_gradient import smoothing_of
from simulate.kernels.step import recorded_step
from tdrc_theory.errors import BadAlgorithm
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.offered import check_offered
from tdrc_theory.problem import Problem


def used_parameters(algorithm: Algorithm, asked: Mapping[str, Fraction]) -> dict[str, Fraction]:
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
