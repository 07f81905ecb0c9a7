"""What the chain can be in, as far as a learner can tell: the place, and numbers of the step that led there."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.matrix_problem import MatrixProblem
from tdrc_theory.problem import Problem
from tdrc_theory.stationary import stationary_weights
from tdrc_theory.steps import continued, state_of, steps_of

BEFORE = {"rho_before": "rho", "gamma": "gamma_next"}
"""What a step knows of the step before, and what it was called there."""

Mode = tuple[int, tuple[Fraction, ...]]
"""A place, and the numbers of the step before that are kept apart."""


class ModeStep(NamedTuple):
    """Steps that a learner does not tell apart.

    Attributes:
        mode: where they start.
        arrival: where they lead; `places`: the episode has ended.
        mass: their probability under d.
        point: the number of their point.
        reward: their mean reward.
    """

    mode: int
    arrival: int
    mass: flint.fmpq
    point: int
    reward: flint.fmpq


class Modes(NamedTuple):
    """The modes of a problem.

    Attributes:
        states: of each mode.
        places: of each mode: a state, or for action values a pair.
        weights: d of each mode.
        steps: all that can be taken.
        points: the numbers of a step, {name: value}.
        targets: of each step, the mode that it leads to; None where the episode ends.
        names: of the numbers that points have; None where they have all. Without the reward, steps have its mean.
    """

    states: tuple[int, ...]
    places: tuple[int, ...]
    weights: tuple[flint.fmpq, ...]
    steps: tuple[ModeStep, ...]
    points: tuple[dict[str, Fraction], ...]
    targets: tuple[int | None, ...]
    names: frozenset[str] | None = None

    @classmethod
    def of_states(cls, problem: Problem, names: frozenset[str] | None = None) -> Modes:
        """Return the modes that are places, weighted by d; where gamma is by transition, points do not have it.

        Args:
            problem: whose.
            names: of the numbers that tell points apart; default: all.
        """
        weights: dict[Mode, flint.fmpq] = {(place, ()): to_fmpq(weight) for place, weight in enumerate(problem.weights)}
        return _collected(problem, weights, (), names)

    @classmethod
    def of_chain(cls, problem: Problem, before: tuple[str, ...]) -> Modes:
        """Return the modes of the stationary behaviour chain.

        Args:
            problem: whose chain.
            before: numbers of the step before that are kept apart, as `kept_apart` returns them.

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
        d = problem.weights
        weights: dict[Mode, flint.fmpq] = {}
        for step in steps_of(problem):
            mass = d[step.place] * step.probability
            for place, share in continued(problem, step.arrival) if mass else ():
                known = before if step.arrival != problem.places else ()
                key = place, tuple(step.numbers[BEFORE[n]] if known else at_start(problem, place, n) for n in before)
                weights[key] = weights.get(key, flint.fmpq(0)) + to_fmpq(mass * share)
        return _collected(problem, weights, before)


def kept_apart(problem: Problem | MatrixProblem, algorithm: Algorithm) -> tuple[str, ...]:
    """Return the numbers of the step before that a learner reads and that its place does not tell."""
    names = algorithm.trace.names
    apart = ("rho_before",) if "rho_before" in names else ()
    by_transition = algorithm.weights and "gamma" in names and problem.gamma_by_transition
    return (*apart, "gamma") if by_transition else apart


def needs_chain(problem: Problem | MatrixProblem, algorithm: Algorithm) -> bool:
    """Return whether a learner's expectation needs the chain: it has memory, or reads numbers of the step before."""
    return bool(algorithm.memory or kept_apart(problem, algorithm))


def at_start(problem: Problem, place: int, name: str) -> Fraction:
    """Return a number of the step before where no step led to a place."""
    return Fraction(1) if name == "rho_before" else problem.gamma_at(state_of(problem, place))


def _the_same_everywhere(problem: Problem) -> frozenset[str]:
    """Return numbers of a step that are the same at every step."""
    discounts = ("gamma", "gamma_next") if problem.constant_gamma is not None else ()
    first = problem.interest[0]
    return frozenset((*discounts, *(("interest",) if all(value == first for value in problem.interest) else ())))


def _collected(
    problem: Problem, weights: dict[Mode, flint.fmpq], before: tuple[str, ...], names: frozenset[str] | None = None
) -> Modes:
    listed = sorted(weights) if before else list(weights)
    of_place: dict[int, list[int]] = {}
    for i, (place, _) in enumerate(listed):
        of_place.setdefault(place, []).append(i)
    number, masses = {mode: i for i, mode in enumerate(listed)}, [weights[mode] for mode in listed]
    d, places, same = problem.weights, problem.places, _the_same_everywhere(problem)
    own = None if problem.gamma_by_transition else [problem.gamma_at(state_of(problem, i)) for i in range(places)]
    apart: tuple[str, ...] | None = None
    points: dict[object, tuple[int, dict[str, Fraction]]] = {}
    merged: dict[tuple[int, int, int], list[flint.fmpq]] = {}
    targets: dict[tuple[int, int, int], int | None] = {}
    for step in steps_of(problem):
        place, arrival = step.place, step.arrival
        if not d[place]:
            continue
        probability, paid = to_fmpq(step.of_action) * to_fmpq(step.of_arrival), to_fmpq(step.numbers["reward"])
        numbers = step.numbers
        if own is not None:
            numbers = {**numbers, "gamma": own[place]}
        if apart is None:
            apart = tuple(name for name in numbers if name not in same and (names is None or name in names))
        known = tuple([numbers[name].as_integer_ratio() for name in apart])  # cheaper to hash than fractions
        for mode in of_place[place]:
            values = listed[mode][1]
            at = known, values
            if at not in points:
                read = {name: value for name, value in numbers.items() if names is None or name in names}
                points[at] = len(points), {**read, **dict(zip(before, values, strict=True))}
            mass, key = masses[mode] * probability, (mode, arrival, points[at][0])
            if key in merged:
                merged[key][0] += mass
                merged[key][1] += mass * paid
            else:
                merged[key] = [mass, mass * paid]
                after = arrival, tuple(numbers[BEFORE[name]] for name in before)
                targets[key] = number.get(after) if arrival != places else None
    return Modes(
        tuple(state_of(problem, place) for place, _ in listed),
        tuple(place for place, _ in listed),
        tuple(masses),
        tuple(ModeStep(*key[:2], mass, key[2], paid / mass) for key, (mass, paid) in merged.items()),
        tuple(numbers for _, numbers in points.values()),
        tuple(targets.values()),
        names,
    )
