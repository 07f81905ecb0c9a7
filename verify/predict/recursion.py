"""The random linear recursion that an algorithm is on a problem, exact: who follows whom, and by which update."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tdrc_theory.errors import BadOption
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.problem import Problem
from tdrc_theory.sampling import sampling_of
from verify.predict.sample_update import ONE, ZERO, SampleUpdate, SampleUpdater

SAMPLINGS = ("markov", "iid")
RESTART = -1
"""As a target: the episode is over, and the next mode is drawn from `Recursion.start`."""


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
    """

    problem: Problem
    algorithm: Algorithm
    parameters: Mapping[str, Fraction]
    sampling: str
    states: tuple[int, ...]
    start: tuple[Fraction, ...]
    steps: tuple[Step, ...]

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

    @property
    def dimension(self) -> int:
        """Return m, the number of weights."""
        return self.algorithm.size(self.problem.k)


def recursion(
    problem: Problem, algorithm: Algorithm, parameters: Mapping[str, Fraction], sampling: str | None
) -> Recursion:
    """Return the recursion of an algorithm, its parameters as `algorithm.parameters` returns them.

    Args:
        sampling: `markov`: the behaviour chain, an episode's end restarting at `start`; `iid`: s from d, an action from
            behaviour and a next state, afresh for every update; None: markov where the problem has a chain.

    Raises:
        BadOption: an unknown sampling, or a chain asked of a problem that has none.
        NotAffine: the update is not affine in (w, h).
    """
    chosen = sampling_of(problem, sampling)
    if chosen not in SAMPLINGS:
        raise BadOption(f"--sampling: {chosen!r} is unknown; allowed: {', '.join(SAMPLINGS)}")
    start = _first_states(problem)
    modes = _reached(problem, start) if chosen == "markov" else []
    place = {s: i for i, s in enumerate(modes)}
    sampler = SampleUpdater(problem, algorithm, parameters)
    masses: Counter[tuple[int, int, SampleUpdate]] = Counter()
    for s, rho, s_next, probability, reward in _transitions(problem):
        if chosen == "markov" and s in place:
            target = RESTART if problem.ends(s_next) else place[s_next]
            masses[place[s], target, sampler(s, s_next, rho, reward)] += probability  # type: ignore[assignment]
        elif chosen == "iid" and problem.d[s]:
            masses[0, 0, sampler(s, s_next, rho, reward)] += problem.d[s] * probability  # type: ignore[assignment]
    steps = tuple(Step(source, target, Fraction(p), update) for (source, target, update), p in masses.items())
    first = tuple(start[s] for s in modes) if chosen == "markov" else (ONE,)
    return Recursion(problem, algorithm, parameters, chosen, tuple(modes), first, steps)


def _first_states(problem: Problem) -> tuple[Fraction, ...]:
    if problem.start is not None:
        return problem.start
    share = Fraction(1, len(problem.live_states))
    return tuple(ZERO if s in problem.terminal else share for s in range(problem.states))


def _transitions(problem: Problem) -> Iterator[tuple[int, Fraction, int, Fraction, Fraction]]:
    """Yield (s, rho, s_next, probability given s, reward) of what behaviour can do."""
    for t in problem.transitions:
        b = problem.behaviour[t.s][t.a]
        if b:
            yield t.s, problem.rho(t.s, t.a), t.s_next, b * t.probability, t.reward


def _reached(problem: Problem, start: tuple[Fraction, ...]) -> list[int]:
    """Return the states that the chain can be in."""
    follow: dict[int, set[int]] = {s: set() for s in range(problem.states)}
    for s, _, s_next, _, _ in _transitions(problem):
        if not problem.ends(s_next):
            follow[s].add(s_next)
    seen = {s for s, share in enumerate(start) if share}
    stack = list(seen)
    while stack:
        new = follow[stack.pop()] - seen
        seen |= new
        stack += new
    return sorted(seen)
