"""From uniform numbers to experience: a problem's transitions as tables of outcomes."""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simulate.compiling.cache import compiled
from tdrc_theory.exact.number import normal_float
from tdrc_theory.problem import Problem
from tdrc_theory.problem.sampling import sampling_of
from tdrc_theory.problem.steps import ChainStep, continued, starts, state_of, steps_of

SAMPLINGS = ("markov", "iid", "batch")


class _Outcome(NamedTuple):
    """One thing that can happen: its probability, given the place, what the learner sees, and where it goes on."""

    probability: Fraction
    s: int
    s_next: int
    numbers: dict[str, Fraction]
    onward: int


class Sampler:
    """Draws samples of a problem; every sample takes one uniform number, which picks an outcome exactly.

    Attributes:
        s, s_next: (outcomes,), rows of the features; where an episode ends s_next is one more than the last place.
        numbers: {name: (outcomes,)} of the numbers of a step, or {name: number} where it is one.
        key: everything that the samples depend on but the seed, as text.
    """

    def __init__(self, problem: Problem, sampling: str, data: int | None) -> None:
        sampling_of(problem, sampling)  # refuses a chain where there is none
        self._data = data
        self._chain = sampling == "markov"
        steps, weights = _with_gamma(problem), problem.weights
        first: list[tuple[int, Fraction]] = []
        if self._chain:
            groups = _by_place(problem, steps)
            first = starts(problem) or _anywhere(problem)
            shares = dict(first)
            self._start = _cumulative([shares.get(place, Fraction(0)) for place in range(problem.places)])
            sums = [_cumulative([o.probability for o in group]) for group in groups]
        else:
            groups = [[_outcome(step, step.probability) for step in steps if weights[step.place]]]
            sums = [_weighted_cumulative(groups[0], weights)]
        outcomes = [outcome for group in groups for outcome in group]
        self._cumulative = np.concatenate(sums)
        self._first = np.cumsum([0, *map(len, groups)])
        self.s, self.s_next, self._onward = (
            np.array([getattr(o, name) for o in outcomes], np.int64) for name in ("s", "s_next", "onward")
        )
        self.numbers = {name: _floats(problem, name, outcomes) for name in outcomes[0].numbers}
        arrays = [self._cumulative, self._first, self.s, self.s_next, self._onward, *self.numbers.values()]
        drawn = hashlib.sha256(b"".join(np.asarray(array).tobytes() for array in arrays)).hexdigest()
        sources = [inspect.getsource(Sampler), inspect.getsource(walk)]
        self.key = "\n".join([f"{sampling} {data} {first} {list(self.numbers)} {drawn}", *sources])

    def draw(self, generator: np.random.Generator, samples: int) -> np.ndarray:
        """Return the outcomes of as many samples."""
        if self._chain:
            return self._walk(generator, samples)
        uniforms = generator.random(self._data or samples)
        if self._data:  # of a data set, only samples that are used need be turned into outcomes
            uniforms = uniforms[generator.integers(0, self._data, samples)]
        return np.searchsorted(self._cumulative, uniforms, side="right")

    def _walk(self, generator: np.random.Generator, samples: int) -> np.ndarray:
        start = int(np.searchsorted(self._start, generator.random(), side="right"))
        outcomes = np.empty(samples, np.int64)
        tables = self._first, self._cumulative, self._onward
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
    return compiled(inspect.getsource(walk), "walk", ("int", "float[:]", "int[:]", "float[:]", "int[:]", "int[:]"))


class SecondSampler:
    """Draws another outcome of each sample's place, independent of it: a second transition.

    Args:
        problem, sampling: those of a sampler, whose outcomes it draws.
    """

    def __init__(self, problem: Problem, sampling: str) -> None:
        steps = list(steps_of(problem))
        if sampling == "markov":
            outcomes = [outcome for group in _by_place(problem, steps) for outcome in group]
        else:
            outcomes = [_outcome(step, step.probability) for step in steps if problem.weights[step.place]]
        leaving: dict[int, list[int]] = {}
        for number, outcome in enumerate(outcomes):
            leaving.setdefault(outcome.s, []).append(number)
        self._tables = {
            place: (np.array(numbers), _cumulative([outcomes[number].probability for number in numbers]))
            for place, numbers in leaving.items()
        }

    def draw(self, generator: np.random.Generator, places: np.ndarray) -> np.ndarray:
        """Return an outcome for each place."""
        uniforms, drawn = generator.random(len(places)), np.empty(len(places), np.int64)
        for place in np.unique(places):
            here, (numbers, cumulative) = places == place, self._tables[int(place)]
            drawn[here] = numbers[np.searchsorted(cumulative, uniforms[here], side="right")]
        return drawn


def _with_gamma(problem: Problem) -> list[ChainStep]:
    """Return steps that know the discount of the step before, where the place tells, else that of a start there."""
    steps, known = list(steps_of(problem)), dict[tuple[int, int], dict[str, Fraction]]()
    for step in steps:
        if (id(step.numbers), step.place) not in known:
            own = {"gamma": problem.gamma_at(state_of(problem, step.place))}
            known[id(step.numbers), step.place] = step.numbers | own
    return [step._replace(numbers=known[id(step.numbers), step.place]) for step in steps]


def _outcome(step: ChainStep, probability: Fraction, onward: int = -1) -> _Outcome:
    return _Outcome(probability, step.place, step.arrival, step.numbers, onward)


def _by_place(problem: Problem, steps: Sequence[ChainStep]) -> list[list[_Outcome]]:
    """Return what can happen from each place of the chain: where an episode ends, each start of the next is another."""
    groups: list[list[_Outcome]] = [[] for _ in range(problem.places)]
    restarts = continued(problem, problem.places)
    for step in steps:
        ended = step.arrival == problem.places
        for onward, share in restarts if ended else ((step.arrival, 1),):
            groups[step.place].append(_outcome(step, step.probability * share, onward))
    return groups


def _anywhere(problem: Problem) -> list[tuple[int, Fraction]]:
    """Return the places of all states that are not terminal, with their shares: states are equally likely."""
    live = problem.live_states
    if not problem.action_values:
        return [(s, Fraction(1, len(live))) for s in live]
    return [(s * problem.actions + a, b / len(live)) for s in live for a, b in enumerate(problem.behaviour[s]) if b]


def _floats(problem: Problem, name: str, outcomes: Sequence[_Outcome]) -> np.ndarray | float:
    """Return a number of each outcome as floats, or of all where it is one."""
    what = {"rho": "importance ratio", "gamma_next": "gamma"}.get(name, name)
    rounded: dict[tuple[int, int], float] = {}  # integers are cheaper to hash than fractions, and few numbers differ
    values: dict[int, float] = {}  # many outcomes share their numbers
    for o in outcomes:
        if id(o.numbers) not in values:
            ratio = o.numbers[name].as_integer_ratio()
            if ratio not in rounded:
                rounded[ratio] = normal_float(o.numbers[name], f"state {state_of(problem, o.s)}: {what}")
            values[id(o.numbers)] = rounded[ratio]
    return next(iter(values.values())) if len(rounded) == 1 else np.array([values[id(o.numbers)] for o in outcomes])


def _cumulative(probabilities: Sequence[Fraction]) -> np.ndarray:
    """Return sums of exact probabilities as floats; the last is 1, so that a uniform number below 1 finds its place."""
    total, sums = Fraction(0), []
    for probability in probabilities:
        total += probability
        sums.append(float(total))
    assert total == (1 if probabilities else 0)
    return np.array(sums)


def _weighted_cumulative(outcomes: Sequence[_Outcome], weights: Sequence[Fraction]) -> np.ndarray:
    """Return the same of outcomes that are drawn from all places, by the places' weights, which may be very long.

    Sums are whole numbers over one denominator of all weights times a short one, which a place's outcomes alone need.
    """
    below = math.lcm(*(weight.denominator for weight in weights))
    whole = [weight.numerator * (below // weight.denominator) for weight in weights]
    total, short, sums = 0, 1, []
    for place, listed in itertools.groupby(outcomes, key=lambda outcome: outcome.s):
        group = [outcome.probability for outcome in listed]
        wider = math.lcm(short, *(probability.denominator for probability in group))
        total *= wider // short
        for probability in group:
            total += whole[place] * (probability.numerator * (wider // probability.denominator))
            sums.append(total / (below * wider))
        common = math.gcd(total, wider)
        total, short = total // common, wider // common
    assert total == below * short
    return np.array(sums)
