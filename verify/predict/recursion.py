"""The random linear recursion that an algorithm is on a problem, exact: who follows whom, and by which update."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.copies import Copy
from tdrc_theory.problem import Problem
from tdrc_theory.sampling import sampling_of
from verify.predict.modes import RESTART, reached_modes
from verify.predict.sample_update import ONE, ZERO, Arrival, SampleUpdate, SampleUpdater, Vector, places_of

__all__ = ["RESTART", "SAMPLINGS", "Recursion", "Step", "recursion"]

SAMPLINGS = ("markov", "iid")
Masses = dict[tuple[int, int, SampleUpdate], Fraction]
"""Probabilities of (source, target, update)."""


class Step(NamedTuple):
    """One kind of update: where it starts, where it leads, how probable it is given its source, and what it does."""

    source: int
    target: int
    probability: Fraction
    update: SampleUpdate


@dataclass(frozen=True)
class Recursion:
    """varrho <- varrho + alpha (G_t varrho + g_t), with G_t and g_t drawn by a Markov chain on modes.

    Attributes:
        states: the state that each mode stands for; empty for independent samples, which have one mode.
        start: (modes,), the distribution of the first mode, and of the next one after an episode's end.
        steps: every kind of update, those with one source, target and effect merged.
        horizon: the number of updates from the start up to which the modes are all that are reached; None: any number.
        copy: of weights that periodically become others; the updates do not move them.
    """

    problem: Problem
    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    sampling: str
    states: tuple[int, ...]
    start: tuple[Fraction, ...]
    steps: tuple[Step, ...]
    horizon: int | None = None
    copy: Copy | None = None

    @property
    def modes(self) -> int:
        """Return the number of modes."""
        return len(self.start)

    @property
    def closed(self) -> bool:
        """Return whether the chain never leaves these modes."""
        mass = [ZERO] * self.modes
        for step in self.steps:
            mass[step.source] += step.probability * (sum(self.start, ZERO) if step.target == RESTART else ONE)
        return all(total == 1 for total in mass)

    @cached_property
    def places(self) -> dict[str, slice]:
        """Where each of the weights is in varrho."""
        return places_of(self.algorithm, self.problem.k)

    def copied(self, vector: Sequence[Number]) -> Vector:
        """Return weights after the periodic copy; the same where there is none."""
        after = list(vector)
        if self.copy is not None:
            after[self.places[self.copy.target]] = after[self.places[self.copy.source]]
        return tuple(after)

    @property
    def dimension(self) -> int:
        """Return m, the number of weights."""
        return self.algorithm.size(self.problem.k)


def recursion(
    problem: Problem,
    algorithm: Algorithm,
    parameters: Mapping[str, Fraction],
    sampling: str | None,
    steps: int | None = None,
    copy: Copy | None = None,
) -> Recursion:
    """Return the recursion of an algorithm, its parameters as `algorithm.parameters` returns them.

    Args:
        sampling: `markov`: the behaviour chain, an episode's end restarting at `start`; `iid`: s from d, an action from
            behaviour and a next state, afresh for every update; None: markov where the problem has a chain.
        steps: the number of updates that is asked about, which matters only to memory whose values have no end.
        copy: of weights that periodically become others.

    Raises:
        BadOption: an unknown sampling, a chain asked of a problem that has none, or a learner with memory without one.
        NotAffine: the update is not affine in the weights.
    """
    chosen = sampling_of(problem, sampling)
    if chosen not in SAMPLINGS:
        raise BadOption(f"--sampling: {chosen!r} is unknown; allowed: {', '.join(SAMPLINGS)}")
    updater = SampleUpdater(problem, algorithm, parameters, frozenset((copy.target,) if copy else ()))
    if chosen == "iid":
        return replace(_independent(updater, parameters), copy=copy)
    start = first_states(problem)
    arrivals = arrivals_of(problem)
    modes = reached_modes(updater, arrivals, [s for s, share in enumerate(start) if share], steps)
    of_state: dict[int, list[int]] = {s: [] for s in problem.live_states}
    for mode, s in enumerate(modes.states):
        of_state[s].append(mode)
    place = {step: i for each in arrivals.values() for i, step in enumerate(each)}
    masses: Masses = {}
    for step in _arrivals(problem):
        for mode in of_state[step.s]:
            outcomes = modes.outcomes[mode]
            if outcomes is not None:
                _add(masses, (mode, *outcomes[place[step]]), step.probability)
    first = [ZERO] * len(modes.states)
    for s, mode in modes.first.items():
        first[mode] = start[s]
    return Recursion(
        problem,
        algorithm,
        parameters,
        chosen,
        modes.states,
        tuple(first),
        _merged(masses),
        modes.horizon,
        copy,
    )


def _independent(updater: SampleUpdater, parameters: Mapping[str, Fraction]) -> Recursion:
    """Return the recursion with independent samples, which has one mode.

    Raises:
        BadOption: the learner has memory.
    """
    problem, algorithm = updater.problem, updater.algorithm
    if algorithm.memory or updater.has_ratio:
        what = ", ".join(algorithm.memory) or "rho_before"
        raise BadOption(
            f"--sampling: {algorithm.name} keeps {what} from step to step, along a chain; independent samples have none"
        )
    masses: Masses = {}
    for step in _arrivals(problem):
        if problem.d[step.s]:
            _add(masses, (0, 0, updater(step)[0]), problem.d[step.s] * step.probability)
    return Recursion(problem, algorithm, parameters, "iid", (), (ONE,), _merged(masses))


def _add(masses: Masses, kind: tuple[int, int, SampleUpdate], probability: Fraction) -> None:
    masses[kind] = masses.get(kind, ZERO) + probability


def _merged(masses: Masses) -> tuple[Step, ...]:
    return tuple(Step(source, target, p, update) for (source, target, update), p in masses.items())


def first_states(problem: Problem) -> tuple[Fraction, ...]:
    """Return the distribution of the first state of an episode; uniform where none is given."""
    if problem.start is not None:
        return problem.start
    share = Fraction(1, len(problem.live_states))
    return tuple(ZERO if s in problem.terminal else share for s in range(problem.states))


def arrivals_of(problem: Problem) -> dict[int, list[Arrival]]:
    """Return the transitions that behaviour can take, by the state left."""
    listed: dict[int, list[Arrival]] = {s: [] for s in problem.live_states}
    for each in _arrivals(problem):
        listed[each.s].append(each)
    return listed


def _arrivals(problem: Problem) -> Iterator[Arrival]:
    """Yield the transitions that behaviour can take."""
    for t in problem.transitions:
        b = problem.behaviour[t.s][t.a]
        if b:
            yield Arrival(t.s, problem.rho(t.s, t.a), t.s_next, b * t.probability, t.reward)
