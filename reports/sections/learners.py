"""What each learner does: what it learns and keeps, its parameters, its equation and its expected update."""

from __future__ import annotations

from dataclasses import dataclass

from reports.page.section import Section, Tell
from reports.page.subject import OnLearners
from reports.sections.algorithm import ShownAlgorithm, shown
from tdrc_theory.derive.listed import listed


@dataclass(frozen=True, slots=True)
class ShownLearner:
    """A learner.

    Attributes:
        facts: (what, text) pairs: what it learns, keeps, takes and solves.
        derived: its equation, G and g.
    """

    facts: tuple[tuple[str, str], ...]
    derived: ShownAlgorithm


def collect(subject: OnLearners, tell: Tell) -> tuple[ShownLearner, ...]:
    """Derive every learner."""
    result = []
    for done, algorithm in enumerate(subject.algorithms, 1):
        row = listed(algorithm)
        facts = [("learns", row.weights), ("keeps", row.memory), ("parameters", row.parameters)]
        if algorithm.solves is not None or algorithm.own_fixed_points:
            other = "an equation of its own" if algorithm.solves is None else f"the equation of {algorithm.solves.name}"
            facts.append(("made to solve", other))
        result.append(ShownLearner(tuple(facts), shown(algorithm)))
        tell(done)
    return tuple(result)


SECTION = Section("learners", "What each does", collect, lambda subject: len(subject.algorithms))
