"""Where each learner is stable at its default parameters: a row a learner, a column a problem."""

from __future__ import annotations

from reports.page.section import Content, Section, Tell
from reports.page.subject import Headline, OnLearners
from reports.page.table import Table
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameters_text
from tdrc_theory.problem import Problem
from tdrc_theory.problems.by_action import by_action
from verify.check import Status
from verify.conditions.report import OF_MEMORY, check_conditions

_VARIANCE = {Status.HOLDS: "finite", Status.FAILS: "infinite", Status.UNDECIDED: "undecided"}


def collect(subject: OnLearners, tell: Tell) -> Content:
    """Judge every learner on every problem."""
    rows = []
    for done, algorithm in enumerate(subject.algorithms, 1):
        judged = tuple(judge(problem, algorithm) for problem in subject.problems)
        rows.append((algorithm.name, parameters_text(algorithm.parameters({})), judged))
        tell(done)
    problems = tuple(problem.name for problem in subject.problems)
    texts = tuple((f"{name} {used}".strip(), *(head.cell(of) for head, of in judged)) for name, used, judged in rows)
    numbers = Table("Verdicts", ("learner", *problems), texts)
    of_actions = tuple(algorithm.name for algorithm in subject.algorithms if algorithm.for_action_values)
    return Content(problems=problems, rows=rows, numbers=numbers, of_memory=OF_MEMORY, of_actions=of_actions)


def judge(problem: Problem, algorithm: Algorithm) -> tuple[Headline, str]:
    """Return the verdict at default parameters, and what its trace's variance is; a reason alone of a bad match."""
    try:
        report = check_conditions(problem_for(problem, algorithm), algorithm)
    except BadOption as error:
        return Headline(refusal(error)), ""
    of_variance = (check.status for check in report.checks if check.claim == "trace-variance")
    return Headline.of(report), next((f"trace variance {_VARIANCE[status]}" for status in of_variance), "")


def problem_for(problem: Problem, algorithm: Algorithm) -> Problem:
    """Return the problem as a learner takes it: with action values where it learns these."""
    return by_action(problem) if algorithm.for_action_values and not problem.action_values else problem


def refusal(error: BadOption) -> str:
    """Return why a learner is not for a problem, without their names, which the table has."""
    head, colon, reason = str(error).partition(": ")
    return reason if colon else head


SECTION = Section("learner_verdicts", "Where each is stable", collect, lambda subject: len(subject.algorithms))
