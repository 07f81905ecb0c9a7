"""What each learner does: what it learns and keeps, its parameters, its equation and its expected update."""

from __future__ import annotations

from reports.page.section import Content, Section, Tell
from reports.page.subject import OnLearners
from reports.sections.algorithm import shown
from tdrc_theory.derive.listed import listed


def collect(subject: OnLearners, tell: Tell) -> list[Content]:
    """Derive every learner."""
    result = []
    for done, algorithm in enumerate(subject.algorithms, 1):
        row = listed(algorithm)
        facts = [("learns", row.weights), ("keeps", row.memory), ("parameters", row.parameters)]
        if algorithm.solves is not None or algorithm.own_fixed_points:
            other = "an equation of its own" if algorithm.solves is None else f"the equation of {algorithm.solves.name}"
            facts.append(("made to solve", other))
        result.append(Content(facts=facts, derived=shown(algorithm)))
        tell(done)
    return result


SECTION = Section("learners", "What each does", collect, lambda subject: len(subject.algorithms))
