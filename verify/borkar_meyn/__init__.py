"""The conditions under which the paper's proof of convergence applies, for a given problem, with their constants."""

from verify.borkar_meyn.conditions import BorkarMeynReport, StepSizes, borkar_meyn

__all__ = ["BorkarMeynReport", "StepSizes", "borkar_meyn"]
