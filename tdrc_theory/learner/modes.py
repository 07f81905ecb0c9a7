"""What the chain can be in, as far as a learner can tell: the state, and the ratio of the step that led there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import flint

from tdrc_theory.errors import BadOption
from tdrc_theory.exact.convert import to_fmpq
from tdrc_theory.problem import Problem
from tdrc_theory.stationary import stationary_weights


class ModeStep(NamedTuple):
    """A step: its mode, where it arrives (S: the episode has ended), its probability under d, and its point."""

    mode: int
    arrival: int
    mass: flint.fmpq
    point: int


class Modes(NamedTuple):
    """The modes of a problem.

    Attributes:
        states: of each mode.
        weights: d of each mode.
        steps: all that can be taken.
        points: the numbers of a step, {name: value}, that differ between steps or are constants of the problem.
        targets: of each step, the mode that it leads to; None where the episode ends.
    """

    states: tuple[int, ...]
    weights: tuple[flint.fmpq, ...]
    steps: tuple[ModeStep, ...]
    points: tuple[dict[str, Fraction], ...]
    targets: tuple[int | None, ...]

    @classmethod
    def of_states(cls, problem: Problem) -> Modes:
        """Return the modes that are states, weighted by d."""
        return _collected(problem, {(s, None): to_fmpq(weight) for s, weight in enumerate(problem.d)}, ratios=False)

    @classmethod
    def of_chain(cls, problem: Problem, ratios: bool) -> Modes:
        """Return the modes of the stationary behaviour chain, with the ratio before where it is asked for.

        Raises:
            BadOption: the problem has no chain, or d is not its stationary distribution.
        """
        if problem.independent_only:
            raise BadOption(f"{problem.name}: independent samples only; a learner with memory needs a chain")
        if problem.state_weights is not None and stationary_weights(problem.behaviour_chain()) != problem.d:
            raise BadOption(
                f"{problem.name}: a learner with memory needs the stationary weights of the behaviour chain"
            )
        weights: dict[tuple[int, Fraction | None], flint.fmpq] = {}
        for s, rho, s_next, probability, _ in taken(problem):
            mass = to_fmpq(problem.d[s] * probability)
            for t, share in arrivals(problem, s_next):
                key = t, (Fraction(1) if problem.ends(s_next) else rho) if ratios else None
                weights[key] = weights.get(key, flint.fmpq(0)) + mass * to_fmpq(share)
        return _collected(problem, weights, ratios)


def taken(problem: Problem) -> Iterator[tuple[int, Fraction, int, Fraction, Fraction]]:
    """Yield (s, rho, s_next, probability given s, reward) of what behaviour can do where d is not 0."""
    for t in problem.transitions:
        b = problem.behaviour[t.s][t.a]
        if b and problem.d[t.s]:
            yield t.s, problem.rho(t.s, t.a), t.s_next, b * t.probability, t.reward


def arrivals(problem: Problem, s_next: int) -> list[tuple[int, Fraction]]:
    """Return the states that come next, with their shares: the start of another episode where one ends."""
    if not problem.ends(s_next):
        return [(s_next, Fraction(1))]
    return [(t, share) for t, share in enumerate(problem.start or ()) if share]


def _collected(problem: Problem, weights: dict[tuple[int, Fraction | None], flint.fmpq], ratios: bool) -> Modes:
    listed = list(weights) if not ratios else sorted(weights)
    of_state: dict[int, list[int]] = {}
    for i, (s, _) in enumerate(listed):
        of_state.setdefault(s, []).append(i)
    place = {mode: i for i, mode in enumerate(listed)}
    points: dict[tuple[Fraction, ...], int] = {}
    steps, targets = [], []
    for s, rho, s_next, probability, reward in taken(problem):
        given = to_fmpq(probability)
        for mode in of_state[s]:
            before = listed[mode][1]
            point = points.setdefault((rho, reward, *(() if before is None else (before,))), len(points))
            arrival = problem.states if problem.ends(s_next) else s_next
            steps.append(ModeStep(mode, arrival, weights[listed[mode]] * given, point))
            targets.append(None if problem.ends(s_next) else place.get((s_next, rho if ratios else None)))
    constants = {"gamma": problem.gamma, "gamma_next": problem.gamma, "interest": Fraction(1)}
    named = [dict(zip(("rho", "reward", "rho_before"), point, strict=False)) | constants for point in points]
    states = tuple(s for s, _ in listed)
    return Modes(states, tuple(weights[mode] for mode in listed), tuple(steps), tuple(named), tuple(targets))
