"""The random linear recursion that an algorithm is on a problem, exact: who follows whom, and by which update.

Its chain goes from mode to mode. A mode is a place (a state, or for action values a pair) and, of a learner with
memory, the numbers of the step before that it reads and the value of its memory. Modes of one place in which every step
does the same (the same update, and the same memory after it) are one: after a ratio of 0, say, it does not matter what
a trace was. Where the values have no end, modes are followed, first update by first update, as far as there is room for
them. What is computed from these is exact up to that number of updates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from tdrc_theory.errors import BadOption
from tdrc_theory.exact import Matrix, Number
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.learner.copies import Copy
from tdrc_theory.learner.expectation import ExpectationTable, ExpectedUpdate, expected_update, table_for
from tdrc_theory.learner.modes import at_start, needs_chain
from tdrc_theory.learner.sample_update import ONE, ZERO, Memory, SampleUpdate, SampleUpdater, Vector, places_of
from tdrc_theory.problem import Problem
from tdrc_theory.problem.sampling import sampling_of
from tdrc_theory.problem.steps import ChainStep, by_place, starts, state_of, steps_of

MOST_MODES = 1000
"""Modes up to which they are followed."""
RESTART = -1
"""As a target: the episode is over, and the next mode is drawn from `Recursion.start`."""

Value = tuple[int, tuple[Fraction, ...], Memory]
"""A place, the numbers of the step before that matter, and the memory: of these several may be one mode."""
SAMPLINGS = ("markov", "iid")
Masses = dict[tuple[int, int, SampleUpdate], Fraction]
"""Probabilities of (source, target, update)."""
Sparse = tuple[tuple[int, int, Number], ...]
Pair = tuple[Vector, Vector]
"""(u, v): u times v.(y, 1), part of an update; u is (n,) and v (n + 1,), n the number of coordinates."""


class Modes(NamedTuple):
    """What is reached.

    Attributes:
        places: of each mode, ascending.
        first: {place: mode} where an episode starts.
        outcomes: of each mode, (target, update) of each step from its place; None where only the last update leads.
        horizon: the number of updates that are followed; None where no further update reaches another mode.
    """

    places: tuple[int, ...]
    first: dict[int, int]
    outcomes: tuple[list[tuple[int, SampleUpdate]] | None, ...]
    horizon: int | None


def reached_modes(
    updater: SampleUpdater,
    steps_from: Mapping[int, list[ChainStep]],
    start: Iterable[int],
    steps: int | None = None,
) -> Modes:
    """Return the modes that are reached from the first places, where memory is 0.

    Args:
        steps_from: the steps that behaviour can take, by the place left.
        start: the places in which episodes start.
        steps: the number of updates that is asked about; modes that more of them lead to are left out where there is no
            end to the modes.
    """
    search = _Search(updater, steps_from)
    firsts = {place: first_value(updater, place) for place in start}
    level, ends = list(firsts.values()), [0]
    while level and (len(ends) == 1 or len(search.places) + len(level) <= MOST_MODES):
        level = search.expanded(level)
        ends.append(len(search.places))
    horizon = min(len(ends) - 1, len(ends) if steps is None else steps) if level else None
    return search.modes(firsts, ends, horizon)


def first_value(updater: SampleUpdater, place: int) -> Value:
    """Return what an episode starts with in a place."""
    return place, tuple(at_start(updater.problem, place, name) for name in updater.apart), updater.empty


class _Search:
    """Modes in the order in which they are reached."""

    def __init__(self, updater: SampleUpdater, steps_from: Mapping[int, list[ChainStep]]) -> None:
        self.updater, self.steps_from = updater, steps_from
        self.places: list[int] = []
        self._place: dict[Value, int] = {}
        self._known: dict[tuple[object, ...], int] = {}
        self._updates: dict[SampleUpdate, int] = {}
        self._outcomes: list[list[tuple[Value | None, SampleUpdate]]] = []

    def expanded(self, level: list[Value]) -> list[Value]:
        """Take one update from each, and return what is reached by that and was not before."""
        new: dict[Value, None] = {}
        for value in level:
            outcomes = list(self._of(value))
            numbers = (self._updates.setdefault(update, len(self._updates)) for _, update in outcomes)
            key = value[0], tuple(zip((after for after, _ in outcomes), numbers, strict=True))
            place = self._known.setdefault(key, len(self.places))
            self._place[value] = place
            if place == len(self.places):
                self.places.append(value[0])
                self._outcomes.append(outcomes)
                new |= dict.fromkeys(after for after, _ in outcomes if after is not None)
        return [value for value in new if value not in self._place]

    def _of(self, value: Value) -> Iterator[tuple[Value | None, SampleUpdate]]:
        place, before, memory = value
        for step in self.steps_from[place]:
            update, after = self.updater(step, before, memory)
            over = step.arrival == self.updater.problem.places
            yield None if over else (step.arrival, self.updater.after(step), after), update

    def modes(self, firsts: Mapping[int, Value], ends: list[int], horizon: int | None) -> Modes:
        """Return the modes, by place, up to a number of updates; what only the last of these leads to is its place.

        Args:
            firsts: where episodes start.
            ends: the number of modes that less than 0, 1, 2, ... updates reach.
            horizon: the number of updates; None: all modes.
        """
        count = len(self.places) if horizon is None else ends[horizon]
        last: dict[int, int] = {}  # of places, the modes in which nothing is followed further
        places = self.places[:count]

        def target(value: Value | None) -> int:
            if value is None:
                return RESTART
            place = self._place.get(value, count)
            if place < count:
                return place
            if value[0] not in last:
                last[value[0]] = len(places)
                places.append(value[0])
            return last[value[0]]

        outcomes = [[(target(after), update) for after, update in each] for each in self._outcomes[:count]]
        order = sorted(range(len(places)), key=places.__getitem__)
        new = {old: i for i, old in enumerate(order)} | {RESTART: RESTART}
        followed = tuple(
            [(new[place], update) for place, update in outcomes[old]] if old < count else None for old in order
        )
        first = {place: new[self._place[value]] for place, value in firsts.items()}
        return Modes(tuple(places[old] for old in order), first, followed, horizon)


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
        states: the state of each mode; empty for independent samples, which have one mode.
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

    @cached_property
    def shared(self) -> tuple[Sparse, list[tuple[Pair, ...]]]:
        """The sparse part that most updates have, and every update's pairs, with what its own differs by."""
        updates, counts = Counter(step.update for step in self.steps), Counter[Sparse]()
        for update, count in updates.items():
            counts[update.sparse] += count
        common = counts.most_common(1)[0][0]
        pairs = {update: (*update.pairs, *_differences(update, common, self.dimension)) for update in updates}
        return common, [pairs[step.update] for step in self.steps]

    @cached_property
    def table(self) -> ExpectationTable:
        """The problem's expectations, as a learner without memory reads them."""
        return table_for(self.problem, self.algorithm)

    @cached_property
    def averaged(self) -> ExpectedUpdate | None:
        """The update averaged over the samples, None where a learner's memory has no stationary mean.

        Weights that are copied from others are taken to move towards these, so that both rest at the same places.
        """
        try:
            update = expected_update(self.table, self.algorithm, self.parameters)
        except BadOption:
            return None
        if self.copy is None:
            return update
        G, g = [list(row) for row in update.G.rows], [list(row) for row in update.g.rows]
        rows = range(self.dimension)
        source, target = (rows[self.places[name]] for name in (self.copy.source, self.copy.target))
        for i, j in zip(source, target, strict=True):
            G[j], g[j] = [Fraction((i == at) - (j == at)) for at in rows], [ZERO]
        return ExpectedUpdate(Matrix(G), Matrix(g))


def _differences(update: SampleUpdate, common: Sparse, m: int) -> Iterable[Pair]:
    if update.sparse == common:
        return
    columns: dict[int, list[Number]] = {}
    for entries, sign in ((update.sparse, 1), (common, -1)):
        for i, j, value in entries:
            columns.setdefault(j, [ZERO] * m)[i] += sign * value
    for j in sorted(columns):
        if any(columns[j]):
            yield tuple(columns[j]), tuple(ONE if i == j else ZERO for i in range(m + 1))


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
    taken = list(steps_of(problem, algorithm.second))
    start, steps_from = dict(first_places(problem)), by_place(taken)
    modes = reached_modes(updater, steps_from, start, steps)
    of_place: dict[int, list[int]] = {place: [] for place in steps_from}
    for mode, place in enumerate(modes.places):
        of_place[place].append(mode)
    numbers = {place: iter(range(len(each))) for place, each in steps_from.items()}
    masses: Masses = {}
    for step in taken:
        number = next(numbers[step.place])
        for mode in of_place[step.place]:
            outcomes = modes.outcomes[mode]
            if outcomes is not None:
                kind = mode, *outcomes[number]
                masses[kind] = masses.get(kind, ZERO) + step.probability
    first = [ZERO] * len(modes.places)
    for place, mode in modes.first.items():
        first[mode] = start[place]
    states = tuple(state_of(problem, place) for place in modes.places)
    return Recursion(problem, algorithm, parameters, chosen, states, tuple(first), _merged(masses), modes.horizon, copy)


def _independent(updater: SampleUpdater, parameters: Mapping[str, Fraction]) -> Recursion:
    """Return the recursion with independent samples, which has one mode; BadOption where the learner has memory."""
    problem, algorithm = updater.problem, updater.algorithm
    if needs_chain(problem, algorithm):
        what = ", ".join(algorithm.memory or updater.apart)
        kept = f"{algorithm.name} keeps {what} from step to step"
        raise BadOption(f"--sampling: {kept}, along a chain; independent samples have none")
    masses: Masses = {}
    d, steps = problem.weights, by_place(steps_of(problem, algorithm.second))
    for place, taken in steps.items():
        if d[place]:  # which may have thousands of digits, so that it is multiplied by once
            here: Masses = {}
            for step in taken:
                kind = 0, 0, updater(step)[0]
                here[kind] = here.get(kind, ZERO) + step.probability
            for kind, probability in here.items():
                masses[kind] = masses.get(kind, ZERO) + d[place] * probability
    return Recursion(problem, algorithm, parameters, "iid", (), (ONE,), _merged(masses))


def _merged(masses: Masses) -> tuple[Step, ...]:
    return tuple(Step(source, target, p, update) for (source, target, update), p in masses.items())


def first_places(problem: Problem) -> list[tuple[int, Fraction]]:
    """Return the places in which an episode can start, with their shares; uniform over states where none is given."""
    if problem.start is not None:
        return starts(problem)
    share, shares = Fraction(1, len(problem.live_states)), []
    for place in range(problem.places):
        s = state_of(problem, place)
        b = problem.behaviour[s][place % problem.actions] if problem.action_values else ONE
        if s not in problem.terminal and b:
            shares.append((place, share * b))
    return shares
