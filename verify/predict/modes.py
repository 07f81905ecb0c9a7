"""The modes that a chain and a learner's memory reach from the start: all of them, or all of the first updates.

A mode is a place (a state, or for action values a pair) and, of a learner with memory, the numbers of the step before
that it reads and the value of its memory. Modes of one place in which every step does the same (the same update, and
the same memory after it) are one: after a ratio of 0, say, it does not matter what a trace was. Where the values have
no end, modes are followed, first update by first update, as far as there is room for them. What is computed from these
is exact up to that number of updates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from tdrc_theory.learner.modes import at_start
from tdrc_theory.learner.sample_update import Memory, SampleUpdate, SampleUpdater
from tdrc_theory.problem.steps import ChainStep

MOST_MODES = 1000
"""Modes up to which they are followed."""
RESTART = -1
"""As a target: the episode is over, and the next mode is drawn from `Recursion.start`."""

Value = tuple[int, tuple[Fraction, ...], Memory]
"""A place, the numbers of the step before that matter, and the memory: of these several may be one mode."""


class StepOutcome(NamedTuple):
    """What one transition does in a mode: where it leads, and the update."""

    target: int
    update: SampleUpdate


class Modes(NamedTuple):
    """What is reached.

    Attributes:
        places: of each mode, ascending.
        first: {place: mode} where an episode starts.
        outcomes: of each mode, one for each step from its place; None in a mode that only the last update leads to.
        horizon: the number of updates that are followed; None where no further update reaches another mode.
    """

    places: tuple[int, ...]
    first: dict[int, int]
    outcomes: tuple[list[StepOutcome] | None, ...]
    horizon: int | None


def reached_modes(
    updater: SampleUpdater,
    steps_from: Mapping[int, list[ChainStep]],
    start: Iterable[int],
    steps: int | None = None,
) -> Modes:
    """Return the modes that are reached from the first places, where memory is 0.

    Args:
        updater: of the learner.
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

        outcomes: list[list[StepOutcome] | None] = [
            [StepOutcome(target(after), update) for after, update in each] for each in self._outcomes[:count]
        ]
        outcomes += [None] * len(last)
        order = sorted(range(len(places)), key=places.__getitem__)
        new = {old: i for i, old in enumerate(order)} | {RESTART: RESTART}
        moved = (outcomes[old] for old in order)
        followed = tuple(each and [StepOutcome(new[o.target], o.update) for o in each] for each in moved)
        first = {place: new[self._place[value]] for place, value in firsts.items()}
        return Modes(tuple(places[old] for old in order), first, followed, horizon)
