"""The common part of the readers of model files: numbered lines, exact numbers, and the resulting table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from tdrc_theory.cli.files import read_text
from tdrc_theory.errors import BadProblem
from tdrc_theory.exact.number import exact_float
from tdrc_theory.problem.decision_table import DecisionTable
from tdrc_theory.problem.reader import few_states, shown

MOST_BYTES = 2**28
"""Of one file."""
MOST_STATES = 1_000_000
MOST_ACTIONS = 10_000
_NUMBER = re.compile(r"[-+]?(\d+/\d+|\d+\.?\d*(e[-+]?\d{1,3})?|\.\d+(e[-+]?\d{1,3})?)", re.IGNORECASE)
_LONGEST = 400
_FLOAT_DIGITS = 15
"""A decimal with so many significant digits is taken for a float that a tool has printed."""


@dataclass(frozen=True)
class Line:
    """One line of a file, without what surrounds it, which can refuse itself."""

    path: str
    number: int
    text: str

    def refused(self, why: str, allowed: str) -> BadProblem:
        """Return the error that names the file, the line, what is wrong and what is allowed."""
        return BadProblem(f"{self.path}, line {self.number}: {why}; allowed: {allowed}")

    def index(self, text: str, count: int, what: str) -> int:
        """Return a number below `count`."""
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < count):
            raise self.refused(f"{shown(text)} is no {what}", f"0 to {count - 1}")
        return int(text)

    def count(self, text: str, most: int, what: str) -> int:
        """Return a number of things."""
        return self.index(text, most + 1, f"number of {what}")


def lines_of(path: str, comment: str) -> Iterator[Line]:
    """Yield the lines of a file that hold anything but a comment, which ends with its line.

    Raises:
        BadProblem: it cannot be read, is no text, or is too large.
    """
    for number, line in enumerate(read_text(path, MOST_BYTES, BadProblem).splitlines(), 1):
        kept = line.partition(comment)[0].strip()
        if kept:
            yield Line(path, number, kept)


@dataclass
class Model:
    """A decision process as a file has it.

    Attributes:
        states, actions: their numbers.
        moves: {(s, a): {s_next: probability}}.
        rewards: {(s, a, s_next): reward}, 0 where none is given.
        action_rewards, state_rewards: what is added to these, by (s, a) and by s.
        start: (S,), or None.
        gamma: the discount of the file, if it has one.
        rounded: whether a number was read as a float.
        notes: what a reader should know.
        state_names: of each state, where the file has names.
    """

    states: int = 0
    actions: int = 1
    moves: dict[tuple[int, int], dict[int, Fraction]] = field(default_factory=dict)
    rewards: dict[tuple[int, int, int], Fraction] = field(default_factory=dict)
    action_rewards: dict[tuple[int, int], Fraction] = field(default_factory=dict)
    state_rewards: dict[int, Fraction] = field(default_factory=dict)
    start: list[Fraction] | None = None
    gamma: Fraction | None = None
    rounded: bool = False
    notes: list[str] = field(default_factory=list)
    state_names: tuple[str, ...] | None = None

    def number(self, line: Line, text: str) -> Fraction:
        """Return an exact number: a fraction, an integer or a decimal, with an exponent or without."""
        if len(text) > _LONGEST or not _NUMBER.fullmatch(text) or text.endswith("/0"):
            raise line.refused(f"{shown(text)} is not a number", "3, -3, 0.25, 1e-3 or 2/3")
        try:
            value = Fraction(text)
        except ZeroDivisionError:
            raise line.refused(f"{shown(text)} has denominator 0", "3, -3, 0.25, 1e-3 or 2/3") from None
        mantissa = re.sub("[eE].*", "", text).replace(".", "").lstrip("-+0")
        if "/" in text or len(mantissa) < _FLOAT_DIGITS or value.denominator == 1:
            return value
        self.rounded = True
        return exact_float(float(text))

    def probability(self, line: Line, text: str) -> Fraction:
        """Return a number in [0, 1]."""
        value = self.number(line, text)
        if not 0 <= value <= 1:
            raise line.refused(f"{text} is no probability", "0 to 1")
        return value

    def move(self, line: Line, s: int, a: int, s_next: int, probability: Fraction) -> None:
        """Add a transition; a second one between the same states is refused."""
        row = self.moves.setdefault((s, a), {})
        if s_next in row:
            raise line.refused(f"a second transition from {s} by {a} to {s_next}", "one")
        row[s_next] = probability

    def table(self, name: str) -> DecisionTable:
        """Return the table; where episodes have a start, what returns to itself for ever without a reward ends them."""
        missing = {(s, a) for s in range(self.states) for a in range(self.actions)} - self.moves.keys()
        own: dict[int, list[int]] = {s: [] for s in range(self.states)}
        for s, a in self.moves:
            own[s].append(a)
        stays = {(s, a) for (s, a), row in self.moves.items() if set(row) <= {s} and not self._reward(s, a, s)}
        ends = [s for s in own if all((s, a) in stays for a in own[s])] if self.start is not None else []
        stuck = [s for s in own if not own[s] and s not in ends]
        if stuck:
            raise BadProblem(f"{name}: {few_states(stuck)}: no transitions, and no start, so nothing follows")
        terminal = tuple(ends) if len(ends) < self.states else ()
        notes = [f"{name}: decimals of {_FLOAT_DIGITS} digits or more were read as the simplest fractions near them"]
        notes = (notes if self.rounded else []) + self.notes
        if terminal:
            notes.append(f"{few_states(terminal)}: nothing but reward 0 follows there, so an episode ends")
        start = self.start
        if start is not None and any(start[s] for s in terminal):
            raise BadProblem(f"{name}: {few_states(s for s in terminal if start[s])}: an episode starts where it ends")
        return DecisionTable(
            name=name,
            states=self.states,
            actions=self.actions,
            transitions=[
                (s, a, t, p, self._reward(s, a, t))
                for (s, a), row in sorted(self.moves.items())
                for t, p in row.items()
            ],
            start=self.start,
            gamma=self.gamma,
            terminal=terminal,
            missing=frozenset(missing),
            notes=tuple(notes),
            state_names=self.state_names,
        )

    def _reward(self, s: int, a: int, t: int) -> Fraction:
        zero = Fraction(0)
        own = self.rewards.get((s, a, t), zero) + self.action_rewards.get((s, a), zero)
        return own + self.state_rewards.get(s, zero)
