"""What is true of a problem: conditions, fixed points and verdicts, each with its kind of proof."""

import tdrc_theory.cli.start  # noqa: F401 - before all others
from verify.check import Check, Proof, Status
from verify.conditions import ConditionsReport, Decision, check_conditions, verdicts

__all__ = ["Check", "ConditionsReport", "Decision", "Proof", "Status", "check_conditions", "verdicts"]
