"""NumPy's legacy random streams, replayed: the experience of the paper's runs, bit for bit.

Run i was seeded with i. It drew one uniform number for its first action; then, at each step, one integer where the
action leads to several states alike, and one uniform number for the next action, also where no choice of action matters
and where an episode restarts.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import numpy as np

from simulate.compiling.cache import compiled, source_text
from simulate.environment import Trajectory
from tdrc_theory.problem import Problem

_WORDS_A_STEP = 4
"""Words of 32 bits to begin with: a uniform number takes two, an integer one or more. Too few are made more."""


class LegacyStream:
    """Gives run i of a problem its experience from `RandomState(i)`.

    Args:
        problem: with two actions and one first state, whose next states of an action are equally likely.
        steps: number of transitions.

    Attributes:
        key: everything that determines the experience, as text.
    """

    def __init__(self, problem: Problem, steps: int) -> None:
        assert problem.actions == 2
        assert problem.start is not None
        assert sorted(problem.start)[-1] == 1
        self._steps = steps
        self._start = problem.start.index(1)
        self._threshold = np.array([float(row[0]) for row in problem.behaviour])
        listed = sorted(problem.transitions, key=lambda t: (t.s, t.a, t.s_next))
        counts = [sum((t.s, t.a) == divmod(pair, 2) for t in listed) for pair in range(2 * problem.states)]
        assert all(t.probability * counts[2 * t.s + t.a] == 1 for t in listed)
        self._first = np.cumsum([0, *counts])
        ended = [problem.ends(t.s_next) for t in listed]
        self._s = np.array([t.s for t in listed])
        self._s_next = np.array([problem.states if e else t.s_next for t, e in zip(listed, ended, strict=True)])
        self._arrival = np.array([self._start if e else t.s_next for t, e in zip(listed, ended, strict=True)])
        self._rho = np.array([float(problem.rho(t.s, t.a)) for t in listed])
        self._reward = np.array([float(t.reward) for t in listed])
        tables = (self._threshold, self._first, self._s, self._s_next, self._arrival, self._rho, self._reward)
        written = [str(table.tolist()) for table in tables]
        self.key = "\n".join(
            [f"legacy streams, {steps} steps", *written, source_text(LegacyStream), source_text(replay)]
        )

    def __call__(self, run: int) -> Trajectory:
        """Return the experience of a run, whose seed is its number."""
        outcomes = np.empty(self._steps, np.int64)
        count = _WORDS_A_STEP * self._steps
        follow = _compiled_replay()
        while True:
            words = np.random.RandomState(run).randint(0, 2**32, size=count, dtype=np.uint32).astype(np.int64)
            if follow(words, self._start, self._threshold, self._first, self._arrival, outcomes) == self._steps:
                break
            count *= 2
        return Trajectory(self._s[outcomes], self._s_next[outcomes], self._rho[outcomes], self._reward[outcomes])


def without_stream(problem: Problem) -> str:
    """Return why the paper's runs could not have been of a problem, empty where they could."""
    if problem.actions != 2 or problem.start is None or 1 not in problem.start:
        return "the paper's random streams are of problems with two actions and one first state"
    pairs = Counter((t.s, t.a) for t in problem.transitions)
    if any(t.probability * pairs[t.s, t.a] != 1 for t in problem.transitions):
        return "the paper's random streams are of problems where the next states of an action are equally likely"
    return ""


def replay(words: Any, start: Any, threshold: Any, first: Any, arrival: Any, outcomes: Any) -> Any:
    """Follow the chain along the words of a Mersenne twister, and return the number of steps that they sufficed for.

    Args:
        words: (N,), unsigned numbers of 32 bits.
        start: the first state.
        threshold: (S,), probability of action 0.
        first: (2 S + 1,), action a of state s has the outcomes first[2 s + a] to first[2 s + a + 1] - 1.
        arrival: (O,), the state in which the chain goes on.
        outcomes: (T,), is filled with the number of the outcome of each step.
    """
    if len(words) < 2:
        return 0
    state, place = start, 2
    uniform = ((words[0] >> 5) * 67108864 + (words[1] >> 6)) / 9007199254740992.0
    for step in range(len(outcomes)):
        pair = 2 * state + (0 if uniform < threshold[state] else 1)
        choices = first[pair + 1] - first[pair]
        choice = 0
        if choices > 1:
            mask = 1
            while mask < choices - 1:
                mask = 2 * mask + 1
            choice = choices
            while choice >= choices:  # NumPy drew again where the masked word was too large
                if place == len(words):
                    return step
                choice = words[place] & mask
                place += 1
        if place + 2 > len(words):
            return step
        uniform = ((words[place] >> 5) * 67108864 + (words[place + 1] >> 6)) / 9007199254740992.0
        place += 2
        outcomes[step] = first[pair] + choice
        state = arrival[outcomes[step]]
    return len(outcomes)


@functools.cache
def _compiled_replay() -> Any:
    return compiled(source_text(replay), "replay", ("int[:]", "int", "float[:]", "int[:]", "int[:]", "int[:]"))
