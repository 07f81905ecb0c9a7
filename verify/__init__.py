"""What is true of a problem: conditions, fixed points and verdicts, each with its kind of proof."""

import tdrc_theory.interrupt  # noqa: F401 - before all others
from verify.check import Check, Proof, Status
from verify.conditions import ConditionsReport, check_conditions

__all__ = ["Check", "ConditionsReport", "Proof", "Status", "check_conditions"]
