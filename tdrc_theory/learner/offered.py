"""Refusals, in one line each, of learners that read what the steps of a problem do not offer."""

from __future__ import annotations

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.quantity import names_of, term_text
from tdrc_theory.learner.step_data import OF_ACTION_VALUES
from tdrc_theory.problem import Problem

_DISCOUNTS = {"x_next": "gamma_next", "x_bar": "gamma_next", "x_next_2": "gamma_next_2", "x_bar_2": "gamma_next_2"}
"""What discounts each of the next features."""
_OTHERS = {
    "gamma": "the discount of the step before",
    "gamma_next": "the discount of the first transition",
    "gamma_next_2": "the discount of the second transition",
}

TWICE = "every transition is drawn twice from its state, independently, and the chain goes on along the first"
"""What is supposed where a learner reads a second transition."""


def check_offered(problem: Problem, algorithm: Algorithm) -> None:
    """Refuse a learner that is not for problems of this kind.

    Raises:
        BadOption: it reads x_bar or rho_next, and features are by state; or it reads neither, but x_next, and features
            are by state and action; or it discounts the next features by another step's discount, and gamma varies.
    """
    form = algorithm.trace
    if problem.action_values:
        if (form.reads("x_next") or form.reads("x_next_2")) and not algorithm.for_action_values:
            raise BadOption(
                f"{algorithm.name} on {problem.name}: features are by state and action, and it reads x_next, which has "
                "the action that behaviour takes there; write x_bar, or weight x_next by rho_next"
            )
    elif algorithm.for_action_values:
        name = next(name for name in OF_ACTION_VALUES if form.reads(name))
        raise BadOption(
            f"{algorithm.name} on {problem.name}: features are by state, and {name} is for features by state and "
            "action; write x_next, weighted by rho"
        )
    if problem.constant_gamma is None:
        _check_discount(problem, algorithm)


def _check_discount(problem: Problem, algorithm: Algorithm) -> None:
    """Refuse next features that are discounted as another step is, where gamma varies."""
    for key, c in algorithm.trace.terms:
        other = next((name for name in _OTHERS if name in c.names), "")
        for after in set(names_of(key)) & _DISCOUNTS.keys() if other else ():
            own = _DISCOUNTS[after]
            if own not in c.names:
                raise BadOption(
                    f"{algorithm.name} on {problem.name}: gamma varies, and {term_text(key, c)} has {other}, "
                    f"{_OTHERS[other]}; write {own} for what discounts {after}"
                )
