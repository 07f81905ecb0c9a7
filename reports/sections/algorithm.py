"""What an algorithm does: its update of one transition, and the expected update that follows from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reports.page.formula import Formula
from reports.page.section import Section, Tell
from reports.page.subject import OnProblem
from tdrc_theory.derive.symbolic import derive
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem.matrix_problem import MatrixProblem

_VARYING = (
    "The equations are for constant gamma and interest 1, which vary on this problem: gamma beside next features is "
    "the discount of that transition, gamma in the decay of a trace is that of the transition before, and the factor "
    "for the interest in the state is left out."
)


@dataclass(frozen=True, slots=True)
class ShownAlgorithm:
    """What the section shows.

    Attributes:
        name, source: of the algorithm.
        stacked: what the expected update is a matrix of.
        equations: (what, formula) pairs: the updates, G and g.
        letters: what the letters stand for on this problem; empty where gamma is constant and interest is 1.
    """

    name: str
    source: str
    stacked: str
    equations: tuple[tuple[str, Formula], ...]
    letters: str = ""


def collect(subject: OnProblem, _: Tell) -> ShownAlgorithm:
    """Derive a subject's algorithm."""
    problem = subject.problem
    if isinstance(problem, MatrixProblem):
        return shown(subject.algorithm)
    varies = problem.constant_gamma is None or any(value != 1 for value in problem.interest)
    return replace(shown(subject.algorithm), letters=_VARYING if varies else "")


def shown(algorithm: Algorithm) -> ShownAlgorithm:
    """Return an algorithm with its update and its expected update, derived from its function."""
    result = derive(algorithm)
    equations, plain = result.equations(), result.update_text()
    updates = [(f"the update of {name}", Formula(plain[name], tree)) for name, tree in equations.items()]
    matrices = [("G", Formula.of(result.G_tree())), ("g", Formula.of(result.g_tree()))]
    return ShownAlgorithm(algorithm.name, algorithm.source, " above ".join(algorithm.stacked), (*updates, *matrices))


SECTION = Section("algorithm", "Algorithm", collect)
