"""Problems that statements speak of, small ones among them at which statements of the paper fail, and verdicts on them.

Verdicts and reports on them are asked for again and again, and computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any

from tdrc_theory.algorithms import find_algorithm
from tdrc_theory.errors import UnknownName
from tdrc_theory.problem import Problem
from tdrc_theory.problems import PROBLEMS, find_problem
from tdrc_theory.problems.averaged import averaged_process
from tdrc_theory.problems.boyan import boyan_chain
from verify.check import Verdict
from verify.conditions import check_conditions
from verify.conditions.report import ConditionsReport
from verify.conditions.setting import Setting
from verify.conditions.verdict import verdict
from verify.paper.facts.recheck import CannotTell

_HALF = Fraction(1, 2)


def one_state(name: str, rewards: Sequence[int], gamma: Fraction | int) -> Problem:
    """Return one state with feature 1 that leads to itself, each of some rewards as likely as every other."""
    steps = [(0, 0, 0, Fraction(1, len(rewards)), reward) for reward in rewards]
    return Problem(name=name, gamma=gamma, features=[[1]], transitions=steps, behaviour=[[1]], target=[[1]])


def two_states(name: str, features: tuple[Fraction | int, Fraction | int], first: Fraction) -> Problem:
    """Return two states of one feature that lead to the second; the first has a weight."""
    P, x, d = [[0, 1], [0, 1]], [[v] for v in features], [first, 1 - first]
    return averaged_process(name=name, gamma=Fraction(99, 100), features=x, P=P, r=[0, 0], d=d)


def skewed() -> Problem:
    """Return three states on which TD and TDC converge and TDRC with beta = eta = 1 does not.

    The target policy always takes the first action. Behaviour takes it one time in four, and its second action leads
    anywhere, so that its stationary weights are (2, 1, 5) / 8.
    """
    anywhere = (Fraction(32, 96), Fraction(5, 96), Fraction(59, 96))
    first = [(0, 0, 1, 1, 0), (1, 0, 1, Fraction(3, 4), 0), (1, 0, 2, Fraction(1, 4), 0), (2, 0, 2, 1, 0)]
    second = [(s, 1, t, p, 0) for s in range(3) for t, p in enumerate(anywhere)]
    return Problem(
        name="three states, two skewed features",
        gamma=Fraction(99, 100),
        features=[[2, -1], [3, -2], [-3, 0]],
        transitions=[*first, *second],
        behaviour=[[Fraction(1, 4), Fraction(3, 4)]] * 3,
        target=[[1, 0]] * 3,
    )


def delayed() -> Problem:
    """Return two states in turn and two actions; the second action pays 1 in the second state."""
    transitions = [(0, 0, 1, 1, 0), (0, 1, 1, 1, 0), (1, 0, 0, 1, 0), (1, 1, 0, 1, 1)]
    return Problem(
        name="a reward one step later",
        gamma=_HALF,
        features=[[1, 0], [0, 1]],
        transitions=transitions,
        behaviour=[[_HALF, _HALF]] * 2,
        target=[[0, 1]] * 2,
    )


SMALL: dict[str, Callable[[], Problem]] = {
    "one-state": partial(one_state, "one state, reward 1, gamma 1", (1,), 1),
    "one-state-discounted": partial(one_state, "one state, reward 1, gamma 1/2", (1,), _HALF),
    "coin": partial(one_state, "a coin", (1, -1), _HALF),  # its value is 0, its TD error never is
    "steep": partial(two_states, "features 1 and 3", (1, 3), Fraction(99, 100)),  # the second is seldom updated
    "steep-half": partial(two_states, "features 1/2 and 3/2", (_HALF, 3 * _HALF), Fraction(99, 100)),
    "doubled-two-state": partial(two_states, "two-state, features doubled", (2, 4), _HALF),
    "skewed": skewed,
    "original-boyan": partial(boyan_chain, "Boyan's own chain", 12),  # of 12 states that move; a 13th ends the episode
    "delayed": delayed,
}
"""What statements call them; a new one is a line here."""


@dataclass(frozen=True, eq=False)
class Named:
    """A problem, and what a sentence calls it."""

    problem: Problem
    title: str

    @cached_property
    def plain(self) -> dict[str, Any]:
        """Its numbers as text, so that others can check what is said of it without this code."""
        problem = self.problem
        return {
            "problem": problem.name,
            "gamma": str(problem.gamma) if isinstance(problem.gamma, Fraction) else [str(v) for v in problem.gamma],
            "features": [[str(v) for v in row] for row in problem.features],
            "transitions": [[t.s, t.a, t.s_next, str(t.probability), str(t.reward)] for t in problem.transitions],
            "behaviour": [[str(v) for v in row] for row in problem.behaviour],
            "target": [[str(v) for v in row] for row in problem.target],
            "d": [str(v) for v in problem.d],
            "interest": [str(v) for v in problem.interest],
            "initial_weights": [str(v) for v in problem.initial_weights],
            "start": [str(v) for v in problem.start or ()],
        }


@cache
def problem_named(name: str) -> Named:
    """Return a built-in problem, one of `SMALL`, or that of a file, by its name.

    Raises:
        UnknownName: there is none.
        BadProblem: a file describes none.
    """
    built_in = dict(PROBLEMS)
    if name in built_in:
        return Named(built_in[name](), name)
    if name.endswith(".toml"):
        problem = find_problem(name)
    elif name in SMALL:
        problem = SMALL[name]()
    else:
        raise UnknownName("problem", name, known_problems(), also="a file.toml")
    return Named(problem, f'"{problem.name}"')


def known_problems() -> tuple[str, ...]:
    """Return the names of the problems that statements can speak of."""
    return (*dict(PROBLEMS), *SMALL)


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
