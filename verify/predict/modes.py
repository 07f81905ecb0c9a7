"""The modes that a chain and a learner's memory reach from the start: all of them, or all of the first updates.

A mode is a state and, of a learner with memory, the ratio of the step that led there and the value of the memory. Modes
of one state in which every transition does the same (the same update, and the same memory after it) are one: after a
ratio of 0, say, it does not matter what a trace was. Where the values have no end, modes are followed, first update by
first update, as far as there is room for them. What is computed from these is exact up to that number of updates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from verify.predict.sample_update import ONE, Arrival, Memory, SampleUpdate, SampleUpdater

MOST_MODES = 1000
"""Modes up to which they are followed."""
RESTART = -1
"""As a target: the episode is over, and the next mode is drawn from `Recursion.start`."""

_Value = tuple[int, Fraction, Memory]
"""A state, the ratio before, and the memory: more than a mode, of which several are one."""


class Outcome(NamedTuple):
    """What one transition does in a mode: where it leads, and the update."""

    target: int
    update: SampleUpdate


class Modes(NamedTuple):
    """What is reached.

    Attributes:
        states: of each mode, ascending.
        first: {state: mode} where an episode starts.
        outcomes: of each mode, one for each arrival from its state; None in a mode that only the last update leads to.
        horizon: the number of updates that are followed; None where no further update reaches another mode.
    """

    states: tuple[int, ...]
    first: dict[int, int]
    outcomes: tuple[list[Outcome] | None, ...]
    horizon: int | None


def reached_modes(
    updater: SampleUpdater,
    arrivals: Mapping[int, list[Arrival]],
    start: Iterable[int],
    steps: int | None = None,
    most: int = MOST_MODES,
) -> Modes:
    """Return the modes that are reached from the first states.

    Args:
        updater: of the learner.
        arrivals: the transitions that behaviour can take, by the state left.
        start: the states in which episodes start, with the ratio 1 and memory of 0.
        steps: the number of updates that is asked about; modes that more of them lead to are left out where there is no
            end to the modes.
        most: number of modes.
    """
    search = _Search(updater, arrivals)
    firsts = {s: (s, ONE, updater.empty) for s in start}
    level, horizon = list(firsts.values()), None
    ends = [0]
    while level:
        if len(ends) > 1 and len(search.states) + len(level) > most:
            horizon = len(ends) - 1
            break
        level = search.expanded(level)
        ends.append(len(search.states))
    if horizon is not None and steps is not None and steps < horizon:
        horizon = steps
    return search.modes(firsts, ends, horizon)


class _Search:
    """Modes in the order in which they are reached."""

    def __init__(self, updater: SampleUpdater, arrivals: Mapping[int, list[Arrival]]) -> None:
        self.updater, self.arrivals = updater, arrivals
        self.states: list[int] = []
        self._place: dict[_Value, int] = {}
        self._known: dict[tuple[object, ...], int] = {}
        self._updates: dict[SampleUpdate, int] = {}
        self._outcomes: list[list[tuple[_Value | None, SampleUpdate]]] = []

    def expanded(self, level: list[_Value]) -> list[_Value]:
        """Take one update from each, and return what is reached by that and was not before."""
        new: dict[_Value, None] = {}
        for value in level:
            outcomes = list(self._of(value))
            numbers = (self._updates.setdefault(update, len(self._updates)) for _, update in outcomes)
            key = value[0], tuple(zip((after for after, _ in outcomes), numbers, strict=True))
            place = self._known.setdefault(key, len(self.states))
            self._place[value] = place
            if place == len(self.states):
                self.states.append(value[0])
                self._outcomes.append(outcomes)
                new |= dict.fromkeys(after for after, _ in outcomes if after is not None)
        return [value for value in new if value not in self._place]

    def _of(self, value: _Value) -> Iterator[tuple[_Value | None, SampleUpdate]]:
        s, before, memory = value
        for step in self.arrivals[s]:
            update, after = self.updater(step, before, memory)
            over = self.updater.problem.ends(step.s_next)
            yield None if over else (step.s_next, step.rho if self.updater.has_ratio else ONE, after), update

    def modes(self, firsts: Mapping[int, _Value], ends: list[int], horizon: int | None) -> Modes:
        """Return the modes, by state, up to a number of updates; what only the last of these leads to is its state.

        Args:
            firsts: where episodes start.
            ends: the number of modes that less than 0, 1, 2, ... updates reach.
            horizon: the number of updates; None: all modes.
        """
        count = len(self.states) if horizon is None else ends[horizon]
        last: dict[int, int] = {}  # of states, the modes in which nothing is followed further
        states = self.states[:count]

        def target(value: _Value | None) -> int:
            if value is None:
                return RESTART
            place = self._place.get(value, count)
            if place < count:
                return place
            if value[0] not in last:
                last[value[0]] = len(states)
                states.append(value[0])
            return last[value[0]]

        outcomes: list[list[Outcome] | None] = [
            [Outcome(target(after), update) for after, update in each] for each in self._outcomes[:count]
        ]
        outcomes += [None] * len(last)
        order = sorted(range(len(states)), key=states.__getitem__)
        new = {old: i for i, old in enumerate(order)} | {RESTART: RESTART}
        moved = [outcomes[old] for old in order]
        followed = (each and [Outcome(new[o.target], o.update) for o in each] for each in moved)
        return Modes(
            tuple(states[old] for old in order),
            {s: new[self._place[value]] for s, value in firsts.items()},
            tuple(followed),
            horizon,
        )
