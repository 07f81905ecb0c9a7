"""Verdicts and reports on problems of statements: asked for again and again, computed once."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from verify.conditions import check_conditions
from verify.conditions.report import ConditionsReport
from verify.conditions.setting import Setting
from verify.conditions.verdict import verdict
from verify.outcome import Verdict
from verify.paper.facts.recheck import CannotTell
from verify.paper.facts.small_problems import problem_named

Values = tuple[str, Fraction, Fraction]
"""A learner's name, beta and eta."""


@cache
def _setting(problem: str, learner: str) -> Setting:
    return Setting.of(problem_named(problem).problem, find_algorithm(learner), Fraction(0), Fraction(1))


def setting_at(problem: str, run: Values) -> Setting:
    """Return a learner's setting on a problem; what depends on neither beta nor eta is computed once."""
    learner, beta, eta = run
    base = _setting(problem, learner)
    return base.at(**base.algorithm.parameters({"beta": beta, "eta": eta}))


@cache
def verdict_at(problem: str, run: Values) -> Verdict:
    """Return the verdict on a run, computed once."""
    return verdict(setting_at(problem, run))


@cache
def conditions_at(problem: str, run: Values) -> ConditionsReport:
    """Return the report on a run, computed once."""
    learner, beta, eta = run
    return check_conditions(problem_named(problem).problem, learner, beta=beta, eta=eta)


@cache
def again(function: Callable[..., Any], problem: str, *arguments: Any) -> Any:
    """Return what a function of `recheck` finds of a problem's plain data, computed once; None where it cannot tell."""
    try:
        return function(problem_named(problem).plain, *arguments)
    except CannotTell:
        return None
