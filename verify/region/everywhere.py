"""Where Theorem 3.1 (i), corrected, leaves nothing to compute: convergence at every beta and eta."""

from __future__ import annotations

from fractions import Fraction

from verify.conditions.bounds import all_bounds
from verify.conditions.setting import Setting
from verify.region.intervals import End, Interval
from verify.region.region import Region, is_tdrc


def converges_everywhere(setting: Setting) -> bool:
    """Return whether the theorem proves that TDRC's expected update converges at every beta >= 0 and eta > 0.

    Its case (i) does not depend on them: A is positive definite (so A and A + beta I are nonsingular), and C is
    nonsingular. False says nothing.
    """
    return is_tdrc(setting) and not setting.C_singular and setting.everywhere.H_inertia.positive == setting.problem.k


def whole_region(setting: Setting) -> Region:
    """Return the region of beta, all of it, where `converges_everywhere`."""
    return Region(
        problem=setting.problem,
        algorithm=setting.algorithm,
        parameter="beta",
        parameters={"eta": setting.eta},
        intervals=(Interval(End.of(Fraction(0)), True, None, False),),
        fails_for_every_eta=(),
        undecided=(),
        bounds=all_bounds(setting),
    )
