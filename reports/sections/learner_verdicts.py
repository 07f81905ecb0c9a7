"""Where each learner is stable at its default parameters: a row a learner, a column a problem."""

from __future__ import annotations

from dataclasses import dataclass

from reports.page.section import Content, Section, Tell
from reports.page.subject import OnLearners
from reports.page.table import Table
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameters_text
from tdrc_theory.problem import Problem
from tdrc_theory.problems.by_action import by_action
from verify.check import Status
from verify.conditions.fixed_points import Bias
from verify.conditions.report import OF_MEMORY, check_conditions

_VARIANCE = {Status.HOLDS: "finite", Status.FAILS: "infinite", Status.UNDECIDED: "undecided"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A learner on a problem.

    Attributes:
        status, proof, reason: of the verdict; a learner that the problem is not for has the reason alone.
        bias: what stands beside the verdict.
        variance: of the memory: finite, infinite, or undecided; "" for a learner without memory.
    """

    status: str
    proof: str
    reason: str
    bias: Bias | None = None
    variance: str = ""

    def __str__(self) -> str:
        """Return it as plain text."""
        if not self.status:
            return self.reason
        beside = [] if self.bias is None else [str(self.bias)]
        variance = [f"trace variance {self.variance}"] if self.variance else []
        return f"{self.status} ({self.proof}): {'; '.join([*beside, *variance, self.reason])}"


def collect(subject: OnLearners, tell: Tell) -> Content:
    """Judge every learner on every problem."""
    rows = []
    for done, algorithm in enumerate(subject.algorithms, 1):
        judged = tuple(judge(problem, algorithm) for problem in subject.problems)
        rows.append((algorithm.name, parameters_text(algorithm.parameters({})), judged))
        tell(done)
    problems = tuple(problem.name for problem in subject.problems)
    texts = tuple((f"{name} {used}".strip(), *map(str, judged)) for name, used, judged in rows)
    numbers = Table("Verdicts", ("learner", *problems), texts)
    of_actions = tuple(algorithm.name for algorithm in subject.algorithms if algorithm.for_action_values)
    return Content(problems=problems, rows=rows, numbers=numbers, of_memory=OF_MEMORY, of_actions=of_actions)


def judge(problem: Problem, algorithm: Algorithm) -> Judged:
    """Return the verdict at default parameters; the reason alone where the problem is not for the learner."""
    try:
        report = check_conditions(problem_for(problem, algorithm), algorithm)
    except BadOption as error:
        return Judged("", "", refusal(error))
    variance = next((_VARIANCE[check.status] for check in report.checks if check.claim == "trace-variance"), "")
    verdict = report.verdict
    return Judged(verdict.status.value, verdict.proof.value, verdict.reason, report.bias, variance)


def problem_for(problem: Problem, algorithm: Algorithm) -> Problem:
    """Return the problem as a learner takes it: with action values where it learns these."""
    return by_action(problem) if algorithm.for_action_values and not problem.action_values else problem


def refusal(error: BadOption) -> str:
    """Return why a learner is not for a problem, without their names, which the table has."""
    head, colon, reason = str(error).partition(": ")
    return reason if colon else head


SECTION = Section("learner_verdicts", "Where each is stable", collect, lambda subject: len(subject.algorithms))
