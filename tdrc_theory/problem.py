"""A problem: a finite decision process with features and two policies, as one frozen exact value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from tdrc_theory.errors import BadNumber, BadProblem
from tdrc_theory.exact.convert import number_text
from tdrc_theory.exact.number import Number, exact
from tdrc_theory.exact.surd import Surd
from tdrc_theory.stationary import stationary_weights

END = -1
"""As a next state: the episode ends, and the features there are zero."""


class Transition(NamedTuple):
    """From state s by action a to s_next, or END, with a probability and a reward."""

    s: int
    a: int
    s_next: int
    probability: Fraction
    reward: Fraction


Row = tuple[Fraction, ...]
Table = tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A finite Markov decision process, its features, and the policies that behave and that are evaluated.

    Numbers may be given as integers, Fractions, text (`"1/3"`, `"0.25"`), Decimals or floats; a float becomes the
    simplest fraction that rounds to it, and `notes` says so. Features may also be exact square roots
    (`tdrc_theory.exact.sqrt`). Everything is stored exactly.

    Attributes:
        name: shown in reports.
        gamma: discount, in [0, 1].
        features: (S, k), x(s) a row for each state; a terminal state's row is read as zeros.
        transitions: `(s, a, s_next, probability, reward)`; omitted ones have probability 0, repeated ones add up.
            s_next may be END.
        behaviour: (S, A), b(a|s), which generates the data.
        target: (S, A), pi(a|s), which is evaluated.
        terminal: states in which an episode ends; their rows elsewhere are not read.
        start: (S,), the first state of an episode; needed where episodes end, default uniform elsewhere.
        state_weights: (S,), d(s); None stands for the stationary weights of the behaviour chain with restarts.
        initial_weights: (k,), w_0 of a simulation; default zeros.
        independent_only: True where only independent samples make sense (a process averaged over its policy).
        notes: what a reader should know about where the numbers come from.

    Raises:
        BadProblem: the data contradict each other; the message names the key, the state and the value.
    """

    name: str
    gamma: Fraction
    features: tuple[tuple[Number, ...], ...]
    transitions: tuple[Transition, ...]
    behaviour: Table
    target: Table
    terminal: tuple[int, ...] = ()
    start: Row | None = None
    state_weights: Row | None = None
    initial_weights: tuple[Number, ...] | None = None
    independent_only: bool = False
    notes: tuple[str, ...] = ()
    d: Row = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Convert everything to exact numbers, check it, and compute d."""
        reader = _Reader()
        keep = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731
        if not isinstance(self.name, str) or not self.name.strip() or len(self.name.splitlines()) != 1:
            raise BadProblem(f"name: {self.name!r} is not one line of text")
        keep("gamma", reader.rational(self.gamma, "gamma"))
        if not 0 <= self.gamma <= 1:
            raise BadProblem(f"gamma: {self.gamma} is not in [0, 1]")
        keep("features", reader.table(self.features, "features", "state", surds=True))
        if not self.features or not self.features[0]:
            raise BadProblem("features: a problem needs at least one state and one feature")
        states = len(self.features)
        keep("terminal", _states(self.terminal, states))
        if len(self.terminal) == states:
            raise BadProblem("terminal: every state is terminal")
        zeros = (Fraction(0),) * len(self.features[0])
        keep("features", tuple(zeros if s in self.terminal else row for s, row in enumerate(self.features)))
        for policy in ("behaviour", "target"):
            keep(policy, self._policy(reader, policy))
        keep("transitions", self._transitions(reader))
        self._check_coverage()
        keep("start", self._start(reader))
        if self.initial_weights is not None:
            row = reader.row(self.initial_weights, "initial_weights", surds=True)
            keep("initial_weights", _of_length(row, len(zeros), "initial_weights", "features"))
        else:
            keep("initial_weights", zeros)
        if reader.floats:
            note = f"floating-point numbers in {', '.join(reader.floats)} were read as the simplest fractions near them"
            keep("notes", (*self.notes, note))
        if self.state_weights is None:
            keep("d", stationary_weights(self))
        else:
            weights = _of_length(reader.row(self.state_weights, "state_weights"), states, "state_weights", "states")
            self._check_distribution(weights, "state_weights")
            keep("state_weights", weights)
            keep("d", weights)

    @property
    def states(self) -> int:
        """Return S, the number of rows of `features`."""
        return len(self.features)

    @property
    def k(self) -> int:
        """Return k, the number of features."""
        return len(self.features[0])

    @property
    def actions(self) -> int:
        """Return the number of actions."""
        return len(self.behaviour[0])

    @property
    def live_states(self) -> tuple[int, ...]:
        """Return the states that are not terminal."""
        return tuple(s for s in range(self.states) if s not in self.terminal)

    @property
    def is_rational(self) -> bool:
        """Whether no feature has a square root in it."""
        return not any(isinstance(value, Surd) for row in self.features for value in row)

    def ends(self, s_next: int) -> bool:
        """Return whether an episode is over in s_next."""
        return s_next == END or s_next in self.terminal

    def rho(self, s: int, a: int) -> Fraction:
        """Return pi(a|s) / b(a|s), for an action that behaviour takes."""
        return self.target[s][a] / self.behaviour[s][a]

    def _policy(self, reader: _Reader, key: str) -> Table:
        given = getattr(self, key)
        zeros: Row = ()
        rows: list[Row] = []
        listed = reader.listed(given, key)
        _of_length(listed, self.states, key, "states")
        widths = {len(reader.listed(listed[s], f"{key}, state {s}")) for s in self.live_states}
        if len(widths) != 1 or 0 in widths:
            raise BadProblem(f"{key}: rows have lengths {sorted(widths)}; each needs one number an action")
        width = widths.pop()
        if key == "target" and width != self.actions:
            raise BadProblem(f"target: rows have {width} numbers, behaviour's have {self.actions}")
        zeros = (Fraction(0),) * width
        for s, row in enumerate(listed):
            if s in self.terminal:
                rows.append(zeros)
                continue
            numbers = reader.row(row, f"{key}, state {s}")
            _check_probabilities(numbers, f"{key}, state {s}")
            rows.append(numbers)
        return tuple(rows)

    def _transitions(self, reader: _Reader) -> tuple[Transition, ...]:
        merged: dict[tuple[int, int, int, Fraction], Fraction] = {}
        for index, entry in enumerate(reader.listed(self.transitions, "transitions")):
            where = f"transitions, entry {index}"
            fields = list(entry) if isinstance(entry, Sequence) and not isinstance(entry, str) else None
            if fields is None or len(fields) != 5:
                raise BadProblem(f"{where}: {entry!r} is not [s, a, s_next, probability, reward]")
            s = _index(fields[0], self.states, f"{where}: s", "states")
            if s in self.terminal:
                continue
            a = _index(fields[1], self.actions, f"{where}: a", "actions")
            s_next = END if fields[2] is END else _index(fields[2], self.states, f"{where}: s_next", "states")
            probability = reader.rational(fields[3], f"{where}: probability")
            if probability < 0:
                raise BadProblem(f"{where}: probability {probability} from state {s} is negative")
            reward = reader.rational(fields[4], f"{where}: reward")
            key = (s, a, s_next, reward)
            merged[key] = merged.get(key, Fraction(0)) + probability
        totals: dict[tuple[int, int], Fraction] = {}
        for (s, a, _, _), probability in merged.items():
            totals[s, a] = totals.get((s, a), Fraction(0)) + probability
        for s in self.live_states:
            for a in range(self.actions):
                total = totals.get((s, a), Fraction(0))
                if (self.behaviour[s][a] or self.target[s][a]) and total != 1:
                    raise BadProblem(f"transitions, state {s}, action {a}: probabilities sum to {total}, not 1")
        return tuple(Transition(s, a, t, p, r) for (s, a, t, r), p in merged.items() if p)

    def _check_coverage(self) -> None:
        for s in self.live_states:
            for a in range(self.actions):
                if self.behaviour[s][a] == 0 and self.target[s][a] != 0:
                    raise BadProblem(
                        f"behaviour, state {s}: gives action {a} probability 0 but target gives it "
                        f"{self.target[s][a]}, so rho is undefined"
                    )

    def _start(self, reader: _Reader) -> Row | None:
        ending = bool(self.terminal) or (
            not self.independent_only and any(self.ends(t.s_next) for t in self.transitions)
        )
        if self.start is None:
            if ending:
                raise BadProblem("start: missing; episodes end, so the next one needs a first state")
            return None
        start = _of_length(reader.row(self.start, "start"), self.states, "start", "states")
        self._check_distribution(start, "start")
        return start

    def _check_distribution(self, weights: Row, key: str) -> None:
        _check_probabilities(weights, key)
        for s in self.terminal:
            if weights[s] != 0:
                raise BadProblem(f"{key}, state {s}: {weights[s]} on a terminal state; it must be 0")

    def __str__(self) -> str:
        return f"{self.name}: {self.states} states, {self.k} features, gamma {self.gamma}"


class _Reader:
    """Converts nested sequences to exact numbers, and remembers which keys held floats."""

    def __init__(self) -> None:
        self.floats: list[str] = []

    def number(self, value: Any, where: str) -> Number:
        if isinstance(value, float) and not value.is_integer():
            key = where.split(",")[0]
            if key not in self.floats:
                self.floats.append(key)
        try:
            return exact(value)
        except BadNumber as error:
            raise BadProblem(f"{where}: {error}") from None

    def rational(self, value: Any, where: str) -> Fraction:
        number = self.number(value, where)
        if isinstance(number, Surd):
            raise BadProblem(f"{where}: {number} is irrational; only features may be")
        return number

    def listed(self, value: Any, where: str) -> list[Any]:
        if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
            raise BadProblem(f"{where}: {value!r} is not a list")
        return list(value)

    def row(self, value: Any, where: str, surds: bool = False) -> tuple[Any, ...]:
        read = self.number if surds else self.rational
        return tuple(read(v, f"{where}, entry {i}") for i, v in enumerate(self.listed(value, where)))

    def table(self, value: Any, where: str, row_is: str, surds: bool = False) -> tuple[tuple[Any, ...], ...]:
        rows = [
            self.row(row, f"{where}, {row_is} {i}", surds) for i, row in enumerate(self.listed(value, where))
        ]
        for i, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise BadProblem(f"{where}, {row_is} {i}: {len(row)} numbers, {row_is} 0 has {len(rows[0])}")
        return tuple(rows)


def _index(value: Any, count: int, where: str, what: str) -> int:
    whole = not isinstance(value, bool) and hasattr(value, "__index__")
    if not whole or not 0 <= int(value) < count:
        raise BadProblem(f"{where}: {value!r} is not one of the {count} {what}, 0 to {count - 1}")
    return int(value)


def _states(values: Any, count: int) -> tuple[int, ...]:
    found = [_index(v, count, "terminal", "states") for v in _Reader().listed(values, "terminal")]
    if len(set(found)) != len(found):
        raise BadProblem("terminal: a state is listed twice")
    return tuple(sorted(found))


def _of_length(row: Any, length: int, key: str, what: str) -> Any:
    if len(row) != length:
        raise BadProblem(f"{key}: {len(row)} entries for {length} {what}")
    return row


def _check_probabilities(row: Row, where: str) -> None:
    for i, value in enumerate(row):
        if value < 0:
            raise BadProblem(f"{where}, entry {i}: {number_text(value)} is negative")
    if sum(row) != 1:
        raise BadProblem(f"{where}: entries sum to {number_text(sum(row, Fraction(0)))}, not 1")
