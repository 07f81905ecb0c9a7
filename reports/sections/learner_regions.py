"""For which values of each parameter each learner is stable, the others being at their defaults, exactly."""

from __future__ import annotations

from reports.page.section import Content, Section, Tell
from reports.page.subject import OnLearners
from reports.page.table import Table
from reports.sections.learner_verdicts import problem_for, refusal
from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from verify.region.region import region

_IRRATIONAL = "not computed: irrational features"
"""What stands where boundary polynomials would have to be factored over a number field, which takes minutes."""


def collect(subject: OnLearners, tell: Tell) -> Content:
    """Compute the region of every parameter of every learner on every problem."""
    shown, exact = [], []
    asked = _parameters(subject)
    for done, (algorithm, name) in enumerate(asked, 1):
        result = [regions(problem, algorithm, name) for problem in subject.problems]
        head = f"{algorithm.name}: {name}"
        shown.append((head, *(text for text, _ in result)))
        exact.append((head, *(text for _, text in result)))
        tell(done)
    titles = ("learner and parameter", *(problem.name for problem in subject.problems))
    caption = "Where each converges over one parameter, the others at their defaults"
    return Content(shown=Table(caption, titles, tuple(shown)), numbers=Table(caption, titles, tuple(exact)))


def regions(problem: Problem, algorithm: Algorithm, name: str) -> tuple[str, str]:
    """Return where a learner converges over a parameter, as decimals and with exact ends."""
    if not problem.is_rational:
        return _IRRATIONAL, _IRRATIONAL
    try:
        result = region(problem_for(problem, algorithm), algorithm, over=name)
    except BadOption as error:
        return refusal(error), refusal(error)
    ends = [interval.to_json()["exact"] for interval in result.intervals]
    exact = "; ".join(f"from {end['lower']} to {end['upper'] or 'infinity'}" for end in ends)
    return " and ".join(map(str, result.intervals)) or "no value", exact or "no value"


def _parameters(subject: OnLearners) -> list[tuple[Algorithm, str]]:
    own = [(a, name) for a in subject.algorithms for name in a.own_parameters]
    return [(algorithm, name) for algorithm, name in own if name not in algorithm.fixed]


SECTION = Section("learner_regions", "For which parameters", collect, lambda subject: len(_parameters(subject)))
