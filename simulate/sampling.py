"""From uniform numbers to experience: a problem's transitions as tables of outcomes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simulate.compiling.compiled_function import compiled_function
from tdrc_theory.exact.convert import normal_float
from tdrc_theory.problem import Problem
from tdrc_theory.sampling import sampling_of

SAMPLINGS = ("markov", "iid", "batch")


class _Outcome(NamedTuple):
    """One thing that can happen: its probability, what the learner sees of it, and where the chain goes on."""

    probability: Fraction
    s: int
    s_next: int
    rho: Fraction
    reward: Fraction
    arrival: int


class Sampler:
    """Draws samples of a problem; every sample takes one uniform number, which picks an outcome exactly.

    Attributes:
        key: everything that the samples depend on but the seed, as text.
    """

    def __init__(self, problem: Problem, sampling: str, data: int | None) -> None:
        sampling_of(problem, sampling)  # refuses a chain where there is none
        self._data = data
        self._chain = sampling == "markov"
        if self._chain:
            groups = [_from_state(problem, s) for s in range(problem.states)]
            live = problem.live_states
            start = problem.start or [Fraction(int(s in live), len(live)) for s in range(problem.states)]
            self._start = _cumulative(start)
        else:
            groups = [[o._replace(probability=o.probability * problem.d[o.s]) for o in _transitions(problem)]]
            groups[0] = [o for o in groups[0] if o.probability]
        outcomes = [outcome for group in groups for outcome in group]
        self._cumulative = np.concatenate([_cumulative([o.probability for o in group]) for group in groups])
        self._first = np.cumsum([0, *map(len, groups)])
        self._s, self._s_next, self._arrival = (
            np.array([getattr(o, name) for o in outcomes], np.int64) for name in ("s", "s_next", "arrival")
        )
        self._rho, self._reward = (
            np.array([normal_float(getattr(o, name), f"state {o.s}: {told}") for o in outcomes])
            for name, told in (("rho", "importance ratio"), ("reward", "reward"))
        )
        drawn = [inspect.getsource(Sampler), inspect.getsource(walk)]
        start_text = problem.start if self._chain else None
        self.key = "\n".join([f"{sampling} {self._data} {start_text}", *map(str, map(tuple, outcomes)), *drawn])

    def draw(self, generator: np.random.Generator, samples: int) -> tuple[np.ndarray, ...]:
        """Return s, s_next, rho and reward of as many samples."""
        if self._chain:
            chosen = self._walk(generator, samples)
        else:
            uniforms = generator.random(self._data or samples)
            if self._data:  # of a data set, only samples that are used need be turned into outcomes
                uniforms = uniforms[generator.integers(0, self._data, samples)]
            chosen = np.searchsorted(self._cumulative, uniforms, side="right")
        return self._s[chosen], self._s_next[chosen], self._rho[chosen], self._reward[chosen]

    def _walk(self, generator: np.random.Generator, samples: int) -> np.ndarray:
        start = int(np.searchsorted(self._start, generator.random(), side="right"))
        outcomes = np.empty(samples, np.int64)
        tables = self._first, self._cumulative, self._arrival
        _compiled_walk()(start, generator.random(samples), *tables, outcomes)
        return outcomes


def walk(start: Any, uniforms: Any, first: Any, cumulative: Any, arrival: Any, outcomes: Any) -> None:
    """Follow a chain.

    Args:
        start: the first state.
        uniforms: (T,), in [0, 1).
        first: (S + 1,), state s has the outcomes first[s] to first[s + 1] - 1.
        cumulative: (O,), probability of an outcome or an earlier one of its state; the last of each state is 1.
        arrival: (O,), the state in which the chain goes on.
        outcomes: (T,), is filled with the number of the outcome of each step.
    """
    state = start
    for step in range(len(uniforms)):
        low, high = first[state], first[state + 1] - 1
        while low < high:
            middle = (low + high) // 2
            if uniforms[step] < cumulative[middle]:
                high = middle
            else:
                low = middle + 1
        outcomes[step] = low
        state = arrival[low]


@functools.cache
def _compiled_walk() -> Any:
    whole, real = "int64[::1]", "float64[::1]"
    return compiled_function(walk, f"void(int64, {real}, {whole}, {real}, {whole}, {whole})")


def _transitions(problem: Problem) -> list[_Outcome]:
    """Return what can happen from every state that is not terminal; `arrival` is -1 where the episode ends."""
    found = []
    for s, a, s_next, probability, reward, _ in problem.transitions:
        mass = problem.behaviour[s][a] * probability
        if mass:
            ended = problem.ends(s_next)
            row, arrival = (problem.states, -1) if ended else (s_next, s_next)
            found.append(_Outcome(mass, s, row, problem.rho(s, a), reward, arrival))
    return found


def _from_state(problem: Problem, state: int) -> list[_Outcome]:
    """Return what can happen from a state of the chain: where an episode ends, each start of the next is another."""
    found = []
    for outcome in (o for o in _transitions(problem) if o.s == state):
        if outcome.arrival >= 0:
            found.append(outcome)
        else:
            assert problem.start is not None, "a chain whose episodes end has a start"
            shares = [(s, share) for s, share in enumerate(problem.start) if share]
            found += [outcome._replace(probability=outcome.probability * p, arrival=s) for s, p in shares]
    return found


def _cumulative(probabilities: Sequence[Fraction]) -> np.ndarray:
    """Return sums of exact probabilities as floats; the last is 1, so that a uniform number below 1 finds its place."""
    total, sums = Fraction(0), []
    for probability in probabilities:
        total += probability
        sums.append(float(total))
    assert total == (1 if probabilities else 0)
    return np.array(sums)
