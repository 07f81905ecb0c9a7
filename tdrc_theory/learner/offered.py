"""What a problem's steps offer to a learner, and what they do not: refused in one line that says what to write."""

from __future__ import annotations

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.quantity import term_text
from tdrc_theory.problem import Problem


def check_offered(problem: Problem, algorithm: Algorithm) -> None:
    """Refuse a learner that is not for problems of this kind.

    Raises:
        BadOption: it reads x_bar or rho_next, and features are by state; or it reads neither, but x_next, and features
            are by state and action; or it discounts the next features by gamma, and gamma varies.
    """
    form = algorithm.trace
    if problem.action_values:
        if form.reads("x_next") and not algorithm.for_action_values:
            raise BadOption(
                f"{algorithm.name} on {problem.name}: features are by state and action, and it reads x_next, which has "
                "the action that behaviour takes there; write x_bar, or weight x_next by rho_next"
            )
    elif algorithm.for_action_values:
        name = "x_bar" if form.reads("x_bar") else "rho_next"
        raise BadOption(
            f"{algorithm.name} on {problem.name}: features are by state, and {name} is for features by state and "
            "action; write x_next, weighted by rho"
        )
    if algorithm.weights and "gamma" in form.names and problem.constant_gamma is None:
        _check_discount(problem, algorithm)


def _check_discount(problem: Problem, algorithm: Algorithm) -> None:
    """Refuse next features that are discounted by gamma, which is that of the step before where gamma varies."""
    for way in algorithm.trace.ways:
        for terms in way.rows.values():
            for (atoms, vectors), c in terms.items():
                read = {*vectors, *(name for atom in atoms for name in atom)}
                after = next((name for name in ("x_next", "x_bar") if name in read), None)
                if after and "gamma" in c.names and "gamma_next" not in c.names:
                    raise BadOption(
                        f"{algorithm.name} on {problem.name}: gamma varies, and {term_text((atoms, vectors), c)} has "
                        f"gamma, the discount of the step before; write gamma_next for what discounts {after}"
                    )
