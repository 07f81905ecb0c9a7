"""What a learner needs of a problem, and tells apart on its chain: the place, and numbers of the step that led there.

A learner that reads what the steps of a problem do not offer is refused in one line.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import to_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.quantity import names_of, term_text
from tdrc_theory.learner.step_data import OF_ACTION_VALUES
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problem.stationary import stationary_weights
from tdrc_theory.problem.steps import ChainStep, continued, state_of, steps_of

BEFORE = {"rho_before": "rho", "gamma": "gamma_next"}
"""What a step knows of the step before, and what it was called there."""

_DISCOUNTS = {"x_next": "gamma_next", "x_bar": "gamma_next", "x_next_2": "gamma_next_2", "x_bar_2": "gamma_next_2"}
"""What discounts each of the next features."""
_OTHERS = {
    "gamma": "the discount of the step before",
    "gamma_next": "the discount of the first transition",
    "gamma_next_2": "the discount of the second transition",
}

TWICE = "every transition is drawn twice from its state, independently, and the chain goes on along the first"
"""What is supposed where a learner reads a second transition."""

Mode = tuple[int, tuple[Fraction, ...]]
"""A place, and the numbers of the step before that are kept apart."""


class ModeStep(NamedTuple):
    """Steps that a learner does not tell apart.

    Attributes:
        mode: where they start.
        arrival: the number of the place where they lead, among the modes' arrivals.
        probability: theirs, given the mode; times its weight, that under d.
        point: the number of their point.
        target: the mode that they lead to; None where the episode ends.
    """

    mode: int
    arrival: int
    probability: flint.fmpq
    point: int
    target: int | None


class Modes(NamedTuple):
    """The modes of a problem.

    Attributes:
        places: of each mode: a state, or for action values a pair.
        weights: d of each mode.
        steps: all that can be taken.
        points: the numbers of a step, {name: value}.
        arrivals: where a transition leads, `places` where the episode has ended, and a second one, or None.
        second: what steps know of a second transition.
    """

    places: tuple[int, ...]
    weights: tuple[flint.fmpq, ...]
    steps: tuple[ModeStep, ...]
    points: tuple[dict[str, Fraction], ...]
    arrivals: tuple[tuple[int, int | None], ...]
    second: tuple[str, ...]

    @classmethod
    def of_states(cls, problem: Problem, second: tuple[str, ...] = ()) -> Modes:
        """Return the modes that are places, weighted by d; where gamma is by transition, points do not have it."""
        weights: dict[Mode, flint.fmpq] = {(place, ()): to_fmpq(weight) for place, weight in enumerate(problem.weights)}
        return _collected(problem, weights, (), second)

    @classmethod
    def of_chain(cls, problem: Problem, algorithm: Algorithm) -> Modes:
        """Return the modes of the stationary behaviour chain, as a learner needs them.

        Raises:
            BadOption: the problem has no chain, or d is not its stationary distribution.
        """
        if problem.independent_only:
            raise BadOption(f"{problem.name}: independent samples only; a learner with memory needs a chain")
        if problem.state_weights is not None and stationary_weights(problem.behaviour_chain()) != problem.d:
            raise BadOption(
                f"{problem.name}: a learner with memory needs the stationary weights of the behaviour chain, exactly; "
                "leave state_weights out"
            )
        d, before = problem.weights, kept_apart(problem, algorithm)
        weights: dict[Mode, flint.fmpq] = {}
        for step in steps_of(problem):
            mass = d[step.place] * step.probability
            for place, share in continued(problem, step.arrival) if mass else ():
                known = before if step.arrival != problem.places else ()
                key = place, tuple(step.numbers[BEFORE[n]] if known else at_start(problem, place, n) for n in before)
                weights[key] = weights.get(key, flint.fmpq(0)) + to_fmpq(mass * share)
        return _collected(problem, weights, before, algorithm.second)


def kept_apart(problem: Problem | MatrixProblem, algorithm: Algorithm) -> tuple[str, ...]:
    """Return the numbers of the step before that a learner reads and that its place does not tell."""
    read = [name for name in BEFORE if name in algorithm.trace.names]
    return tuple(name for name in read if name != "gamma" or problem.gamma_by_transition)


def needs_chain(problem: Problem | MatrixProblem, algorithm: Algorithm) -> bool:
    """Return whether a learner's expectation needs the chain: it has memory, or reads numbers of the step before."""
    return bool(algorithm.memory or kept_apart(problem, algorithm))


def at_start(problem: Problem, place: int, name: str) -> Fraction:
    """Return a number of the step before where no step led to a place."""
    return Fraction(1) if name == "rho_before" else problem.gamma_at(state_of(problem, place))


def _collected(
    problem: Problem,
    weights: dict[Mode, flint.fmpq],
    before: tuple[str, ...],
    second: tuple[str, ...],
) -> Modes:
    listed = sorted(weights) if before else list(weights)
    number = {mode: i for i, mode in enumerate(listed)}
    kinds, visited = _Kinds(problem, listed, before), [bool(weight) for weight in problem.weights]
    merged: dict[tuple[int, int, int], ModeStep] = {}
    arrivals: dict[tuple[int, int | None], int] = (
        {} if second else {(place, None): place for place in range(problem.places + 1)}
    )
    for step in steps_of(problem, second):
        if not visited[step.place]:
            continue
        (after, known), probability = kinds.of(step), to_fmpq(step.probability)
        arrival = arrivals.setdefault((step.arrival, step.second), len(arrivals))
        for mode, point in known:
            key = mode, arrival, point
            if key in merged:
                merged[key] = merged[key]._replace(probability=merged[key].probability + probability)
            else:
                target = number.get((step.arrival, after)) if step.arrival != problem.places else None
                merged[key] = ModeStep(mode, arrival, probability, point, target)
    places, of_each = tuple(place for place, _ in listed), tuple(weights[mode] for mode in listed)
    points = tuple(numbers for _, numbers in kinds.points.values())
    return Modes(places, of_each, tuple(merged.values()), points, tuple(arrivals), second)


class _Kinds:
    """Kinds of steps of a place, which have the same numbers, and the points that they have, by what tells them apart.

    A kind is known by the identity of its numbers, which are kept so that no others have it.
    """

    def __init__(self, problem: Problem, listed: list[Mode], before: tuple[str, ...]) -> None:
        self._problem, self._before = problem, before
        self._by_transition = problem.gamma_by_transition  # which looks at every transition
        self._modes: dict[int, list[tuple[int, tuple[Fraction, ...]]]] = {}
        for mode, (place, values) in enumerate(listed):
            self._modes.setdefault(place, []).append((mode, values))
        self.points: dict[object, tuple[int, dict[str, Fraction]]] = {}
        self._known: dict[tuple[int, int], tuple[object, tuple[Fraction, ...], list[tuple[int, int]]]] = {}

    def of(self, step: ChainStep) -> tuple[tuple[Fraction, ...], list[tuple[int, int]]]:
        """Return what a step tells the next mode, and (mode, point) of each mode in which it can be taken."""
        key = id(step.numbers), step.place
        if key not in self._known:
            numbers, points = dict(step.numbers), []
            if not self._by_transition:
                numbers["gamma"] = self._problem.gamma_at(state_of(self._problem, step.place))
            apart = tuple([value.as_integer_ratio() for value in numbers.values()])  # cheap to hash
            for mode, values in self._modes[step.place]:
                point = len(self.points), {**numbers, **dict(zip(self._before, values, strict=True))}
                points.append((mode, self.points.setdefault((apart, values), point)[0]))
            self._known[key] = step.numbers, tuple([numbers[BEFORE[name]] for name in self._before]), points
        return self._known[key][1:]


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
    for key, c in algorithm.trace.terms if problem.constant_gamma is None else ():
        other = next((name for name in _OTHERS if name in c.names), "")
        for after in set(names_of(key)) & _DISCOUNTS.keys() if other else ():
            own = _DISCOUNTS[after]
            if own not in c.names:
                raise BadOption(
                    f"{algorithm.name} on {problem.name}: gamma varies, and {term_text(key, c)} has {other}, "
                    f"{_OTHERS[other]}; write {own} for what discounts {after}"
                )
