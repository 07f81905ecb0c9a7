"""Which of the parameters that were asked for a learner uses, and whether a problem offers what it reads."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from fractions import Fraction

from simulate.kernels.kernel_residual_gradient import smoothing_of
from simulate.kernels.step import recorded_step
from tdrc_theory.errors import BadAlgorithm, BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.offered import check_offered
from tdrc_theory.parameters import check_ranges
from tdrc_theory.problem import Problem


def used_parameters(algorithm: Algorithm, given: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return {name: value} of the parameters that are used: as it fixes them, else as given, else default.

    beta and eta may be given to a learner that has none. Of an update that is affine its equation says what it uses;
    of others, the record of its function.

    Raises:
        BadOption: a name that it lacks, or a value out of range.
        BadAlgorithm: its function does what is not recorded.
    """
    if smoothing_of(algorithm):
        return {}
    try:
        return dict(algorithm.parameters(given))
    except BadAlgorithm:
        own = recorded_step(algorithm).parameters
    check_ranges(given)
    if unknown := sorted(given.keys() - {"beta", "eta", *own, *algorithm.fixed}):
        have = f"it has {', '.join(own)}" if own else "it has none"
        raise BadOption(f"--set: {algorithm.name} has no parameter {unknown[0]}; {have}")
    one = Fraction(1)
    return {n: algorithm.fixed.get(n, given.get(n, algorithm.defaults.get(n, one))) for n in own}


def check_reads(problem: Problem, algorithm: Algorithm) -> None:
    """Refuse a learner that is not for problems of this kind, as far as its equation can be read.

    Raises:
        BadOption: see `check_offered`.
    """
    with contextlib.suppress(BadAlgorithm):
        check_offered(problem, algorithm)
