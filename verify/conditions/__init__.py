"""Does an algorithm's expected update converge on a problem, what does the paper promise, and is the promise true?"""

import verify.conditions.terminal  # noqa: F401 - how a report is shown
from verify.conditions.report import ConditionsReport, check_conditions
from verify.conditions.verdict import Decision, verdicts

__all__ = ["ConditionsReport", "Decision", "check_conditions", "verdicts"]
