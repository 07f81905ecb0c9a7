"""The conditions under which the paper's proof of convergence applies, for a given problem, with their constants."""

from verify.borkar_meyn.conditions import BorkarMeynReport, borkar_meyn
from verify.borkar_meyn.step_sizes import StepSizes

__all__ = ["BorkarMeynReport", "StepSizes", "borkar_meyn"]
