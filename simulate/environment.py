"""Where experience comes from: the float view of a problem, tables of its transitions, a trajectory for every run."""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from simulate.compiling.cache import compiled, source_text
from simulate.error_measure import ErrorMeasure, error_measure
from tdrc_theory.errors import BadOption
from tdrc_theory.exact.number import normal_float, number_text
from tdrc_theory.learner.step_data import AGAIN
from tdrc_theory.problem import Problem
from tdrc_theory.problem.sampling import sampling_of
from tdrc_theory.problem.steps import ChainStep, Rows, continued, rows_after, starts, state_of, steps_of

SAMPLINGS = ("markov", "iid", "batch")
MOST_SAMPLES = 10**8
"""Samples of one run; they are kept in memory, 40 bytes each."""


class Trajectory(NamedTuple):
    """The experience of one run, an entry a sample; with mini-batches, consecutive ones form an update's batch.

    Attributes:
        s, s_next: (T,) int64, rows of the environment's features.
        rho, reward: (T,) float64.
        outcome: (T,) int64, where the environment's tables have the other numbers of a sample; None without tables.
        run: its number; None where the environment cannot draw a second transition for each sample.
    """

    s: np.ndarray
    s_next: np.ndarray
    rho: np.ndarray
    reward: np.ndarray
    outcome: np.ndarray | None = None
    run: np.int64 | None = None


@dataclass(frozen=True, eq=False)
class Environment:
    """What a kernel needs to know of a problem, in floats.

    Attributes:
        name: shown in reports.
        features: (places + 1, k), a row a state, or for action values a pair; the last is zeros: the episode has ended.
        numbers: of a step, by name, what it is for each outcome, or what it is for all.
        gamma_before: whether gamma, the discount of the step before, is not known from the place where a step starts.
        initial_weights: (k,).
        error: what is measured.
        steps: number of updates.
        trajectory: gives run i its experience, steps x batch samples, whoever asks and in whatever order.
        key: everything that determines all this, as text.
        again: gives each sample of a trajectory a second transition from its place, independent of the first.
        batch: samples that an update averages.
        data: size of a fixed data set that they are drawn from, if there is one.
        chain: whether a sample begins where the one before arrived.
        expected_features: (places + 1, k), x_bar for each row that x_next can have; None for features by state.
    """

    name: str
    features: np.ndarray
    numbers: Mapping[str, np.ndarray | float]
    initial_weights: np.ndarray
    error: ErrorMeasure
    steps: int
    trajectory: Callable[[int], Trajectory]
    key: str
    again: Callable[[Trajectory], Trajectory] | None = None
    batch: int = 1
    data: int | None = None
    chain: bool = True
    gamma_before: bool = False
    expected_features: np.ndarray | None = None

    def varies(self, name: str) -> bool:
        """Return whether a number of a step differs between steps."""
        before = name == "rho_before" or (name == "gamma" and self.gamma_before)
        return before or not isinstance(self.numbers[AGAIN.get(name, name)], float)

    def column(self, trajectory: Trajectory, name: str) -> np.ndarray:
        """Return (T,), a number of each sample; at an episode's start one of the step before has its first value."""
        if name == "rho_before":
            return self._shifted(trajectory, trajectory.rho, np.ones_like(trajectory.rho))
        assert trajectory.outcome is not None, "there are tables for what varies"
        known = self.numbers[name]
        values = np.full(len(trajectory.s), known) if isinstance(known, float) else known[trajectory.outcome]
        if name == "gamma" and self.gamma_before:
            return self._shifted(trajectory, self.column(trajectory, "gamma_next"), values)
        return values

    def _shifted(self, trajectory: Trajectory, values: np.ndarray, at_start: np.ndarray) -> np.ndarray:
        """Return the value of the sample before, and where an episode starts what counts there."""
        ended = np.concatenate([[True], trajectory.s_next[:-1] == len(self.features) - 1])
        return np.where(ended, at_start, np.roll(values, 1))

    def __post_init__(self) -> None:
        """Check shapes, and keep read-only copies in the layout that kernels take."""
        for name in ("features", "initial_weights"):
            value = np.array(getattr(self, name), dtype=np.float64, order="C")
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        assert self.initial_weights.shape == self.features.shape[1:] == self.error.residual.shape[1:]
        assert not self.features[-1].any(), "the last row of features is where the episode has ended"


@dataclass(frozen=True, eq=False)
class _Experience:
    """What gives runs their experience; it can be pickled, as a piece of a study is that travels to another machine."""

    problem: Problem
    sampling: str
    sampler: Sampler
    seed: int
    samples: int

    def trajectory(self, run: int) -> Trajectory:
        """Return the experience of a run."""
        return self._of(self.sampler.draw(self._stream(run), self.samples), run)

    def again(self, first: Trajectory) -> Trajectory:
        """Return a second transition from the place of each of a trajectory's samples."""
        assert first.run is not None, "it is one of this environment's own"
        run = int(first.run)
        return self._of(self._second.draw(self._stream(run, 1), first.s), run)

    @functools.cached_property
    def _second(self) -> SecondSampler:
        return SecondSampler(self.problem, self.sampling)

    def _stream(self, *key: int) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=key)))

    def _of(self, outcome: np.ndarray, run: int) -> Trajectory:
        there = self.sampler
        rho, reward = (np.broadcast_to(there.numbers[name], there.s.shape)[outcome] for name in ("rho", "reward"))
        number = None if self.sampling == "batch" else np.int64(run)
        return Trajectory(there.s[outcome], there.s_next[outcome], rho, reward, outcome, number)


def environment(
    problem: Problem,
    sampling: str = "markov",
    *,
    steps: int,
    seed: int = 0,
    batch: int | None = None,
    data: int | None = None,
) -> Environment:
    """Return the environment of a problem.

    Run i of a seed has the stream SeedSequence(seed, spawn_key=(i,)), and its second transitions that of (i, 1).

    Args:
        problem: any.
        sampling: `markov`, one trajectory of the behaviour chain, in which episodes restart at once and every
            transition is a sample; `iid`, states drawn from d, actions from behaviour; or `batch`, a data set of
            independent samples drawn once a run, of which every update draws its own with replacement.
        steps: number of updates.
        seed: at least 0.
        batch: samples that an update averages; default 1, and 8 where sampling is `batch`.
        data: size of the data set; for `batch` only, default 100000.

    Raises:
        BadOption: an argument is out of range, or the problem has only independent samples and markov is asked for.
        BadNumber: a number of the problem, or its RMSPBE, is outside the range of floats.
    """
    fixed = sampling == "batch"
    if sampling not in SAMPLINGS:
        raise BadOption(f"--sampling: {sampling!r} is none of {', '.join(SAMPLINGS)}")
    if data is not None and not fixed:
        raise BadOption("--data: only --sampling batch has a data set")
    size = (8 if fixed else 1) if batch is None else batch
    kept = 100_000 if fixed and data is None else data
    for name, value, least in (("steps", steps, 1), ("batch", size, 1), ("data", kept, 1), ("seed", seed, 0)):
        if value is not None and value < least:
            raise BadOption(f"--{name}: {value} is less than {least}")
    samples = max(steps * size, kept or 0)
    if samples > MOST_SAMPLES:
        raise BadOption(f"--steps: {samples} samples a run; at most {MOST_SAMPLES} are kept in memory")
    sampler = Sampler(problem, sampling, kept)
    drawn = _Experience(problem, sampling, sampler, seed, steps * size)
    after = rows_after(problem)
    features = _table(problem, after["x_next"])
    parts = [sampler.key, f"features {features.tolist()}", f"w_0 {problem.initial_weights}", f"gamma {problem.gamma}"]
    parts += [f"d {[*map(number_text, problem.d)]}", f"target {problem.target}", f"steps {steps} x {size}, seed {seed}"]
    error = error_measure(problem)
    if error.rescaled:  # earlier versions lost digits, or all of them
        parts.append("measured to the last digit")
    return Environment(
        name=problem.name,
        features=features,
        numbers=sampler.numbers,
        gamma_before=problem.gamma_by_transition,
        expected_features=_table(problem, after["x_bar"]) if "x_bar" in after else None,
        initial_weights=np.array(
            [normal_float(value, f"initial weight {i}") for i, value in enumerate(problem.initial_weights)]
        ),
        error=error,
        steps=steps,
        batch=size,
        data=kept,
        trajectory=drawn.trajectory,
        again=drawn.again,
        chain=sampling == "markov",
        key="\n".join(parts),
    )


def _table(problem: Problem, rows: Rows) -> np.ndarray:
    """Return exact rows of places, and the last one of zeros, in floats."""
    named = ((f"state {state_of(problem, place)}", row) for place, row in enumerate(rows))
    return np.array([[normal_float(v, f"{state}: feature {i}") for i, v in enumerate(row)] for state, row in named])


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
        sources = [source_text(Sampler), source_text(walk)]
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
    return compiled(source_text(walk), "walk", ("int", "float[:]", "int[:]", "float[:]", "int[:]", "int[:]"))


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
