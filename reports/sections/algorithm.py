"""What an algorithm does: its update of one transition, and the expected update that follows from it."""

from __future__ import annotations

from reports.page.mathml import Formula
from reports.page.section import Content, Section, Tell
from reports.page.subject import OnProblem
from tdrc_theory.derive.symbolic import derive
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem.matrix_problem import MatrixProblem

_VARYING = (
    "The equations are for constant gamma and interest 1, which vary on this problem: gamma beside next features is "
    "the discount of that transition, gamma in the decay of a trace is that of the transition before, and the factor "
    "for the interest in the state is left out."
)


def collect(subject: OnProblem, _: Tell) -> Content:
    """Derive a subject's algorithm."""
    problem = subject.problem
    varies = not isinstance(problem, MatrixProblem) and (
        problem.constant_gamma is None or any(value != 1 for value in problem.interest)
    )
    return shown(subject.algorithm, _VARYING if varies else "")


def shown(algorithm: Algorithm, letters: str = "") -> Content:
    """Return an algorithm with its update and its expected update, derived from its function.

    `letters` says what the letters of its equations stand for, where that is not what they always do.
    """
    result = derive(algorithm)
    equations, plain = result.equations(), result.update_text()
    updates = [(f"the update of {name}", Formula(plain[name], tree)) for name, tree in equations.items()]
    matrices = [("G", Formula.of(result.G_tree())), ("g", Formula.of(result.g_tree()))]
    return Content(
        name=algorithm.name,
        source=algorithm.source,
        stacked=" above ".join(algorithm.stacked),
        equations=(*updates, *matrices),
        letters=letters,
    )


SECTION = Section("algorithm", "Algorithm", collect)
