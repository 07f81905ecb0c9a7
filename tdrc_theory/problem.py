"""A problem: a finite decision process with features and two policies, as one frozen exact value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from tdrc_theory.counted import counted
from tdrc_theory.errors import BadProblem
from tdrc_theory.exact.convert import number_text
from tdrc_theory.exact.number import Number
from tdrc_theory.exact.surd import Surd
from tdrc_theory.reader import Reader, check_probabilities, index, of_length, shown, state_list, whole
from tdrc_theory.stationary import Chain, stationary_weights

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


@dataclass(frozen=True, slots=True, init=False)
class Problem:
    """A finite Markov decision process, its features, and the policies that behave and that are evaluated.

    Numbers may be given as integers, Fractions, text (`"1/3"`, `"0.25"`), Decimals or floats; a float becomes the
    simplest fraction within four units in its last place, and `notes` says so. Features may also be exact square roots
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
    terminal: tuple[int, ...]
    start: Row | None
    state_weights: Row | None
    initial_weights: tuple[Number, ...]
    independent_only: bool
    notes: tuple[str, ...]
    d: Row = field(init=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        gamma: Any,
        features: Iterable[Iterable[Any]],
        transitions: Iterable[Iterable[Any]],
        behaviour: Iterable[Iterable[Any]],
        target: Iterable[Iterable[Any]],
        terminal: Iterable[int] = (),
        start: Iterable[Any] | None = None,
        state_weights: Iterable[Any] | None = None,
        initial_weights: Iterable[Any] | None = None,
        independent_only: bool = False,
        notes: Iterable[str] = (),
    ) -> None:
        """Convert everything to exact numbers, check it, and compute d."""
        reader = Reader()
        keep = partial(object.__setattr__, self)
        if not isinstance(name, str) or not name.strip() or name.splitlines() != [name]:
            raise BadProblem(f"name: {shown(name)} is not one line of text")
        keep("name", name)
        if not isinstance(independent_only, bool):
            raise BadProblem(f"independent_only: {shown(independent_only)} is not True or False")
        keep("independent_only", independent_only)
        keep("gamma", reader.rational(gamma, "gamma"))
        if not 0 <= self.gamma <= 1:
            raise BadProblem(f"gamma: {shown(self.gamma)} is not in [0, 1]")
        rows = reader.table(features, "features", "state", surds=True)
        if not rows or not rows[0]:
            raise BadProblem("features: a problem needs at least one state and one feature")
        keep("terminal", state_list(terminal, len(rows)))
        if len(self.terminal) == len(rows):
            raise BadProblem("terminal: every state is terminal")
        zeros = (Fraction(0),) * len(rows[0])
        keep("features", tuple(zeros if s in self.terminal else row for s, row in enumerate(rows)))
        keep("behaviour", self._policy(reader, behaviour, "behaviour"))
        keep("target", self._policy(reader, target, "target"))
        if len(self.target[0]) != self.actions:
            raise BadProblem(f"target: rows have {len(self.target[0])} numbers, behaviour's have {self.actions}")
        keep("transitions", self._transitions(reader, transitions))
        self._check_coverage()
        keep("start", self._start(reader, start))
        weights = zeros if initial_weights is None else reader.row(initial_weights, "initial_weights", surds=True)
        keep("initial_weights", of_length(weights, self.k, "initial_weights", "features"))
        given = None if state_weights is None else self._distribution(reader, state_weights, "state_weights")
        keep("state_weights", given)
        written = tuple(reader.listed(notes, "notes"))
        if not all(isinstance(note, str) for note in written):
            raise BadProblem(f"notes: {shown(written)} is not a list of text")
        keep("notes", (*written, *reader.notes()))
        keep("d", stationary_weights(self.behaviour_chain()) if given is None else given)

    @classmethod
    def from_arrays(cls, *, P: Any, R: Any, **fields: Any) -> Problem:
        """Build from dense arrays instead of a list of transitions.

        Args:
            P: (S, A, S), P[s][a][s_next] the probability of a transition.
            R: (S, A) or (S, A, S), the reward of a state and action, or of a transition.
            fields: the other fields of a Problem.

        >>> both = [[[0.5, 0.5]], [[1, 0]]]
        >>> turn = Problem.from_arrays(
        ...     name="turn", gamma=0.9, features=[[1], [2]], P=both, R=[[1], [0]], behaviour=[[1]] * 2, target=[[1]] * 2
        ... )
        >>> turn.d
        (Fraction(2, 3), Fraction(1, 3))
        """
        listed = Reader().listed
        transitions = []
        for s, actions in enumerate(listed(P, "P")):
            for a, row in enumerate(listed(actions, f"P, state {s}")):
                for s_next, probability in enumerate(listed(row, f"P, state {s}, action {a}")):
                    try:
                        paid = R[s][a]
                        by_arrival = hasattr(paid, "__len__") and not isinstance(paid, str)
                        reward = paid[s_next] if by_arrival else paid
                    except (TypeError, IndexError, KeyError):
                        raise BadProblem(f"R, state {s}, action {a}: no reward for next state {s_next}") from None
                    transitions.append((s, a, s_next, probability, reward))
        return cls(transitions=transitions, **fields)

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

    def behaviour_chain(self) -> Chain:
        """Return P_b as {next state: probability} a state, episodes restarting at once; empty for terminal states."""
        chain: Chain = [{} for _ in range(self.states)]
        for s, a, s_next, probability, _ in self.transitions:
            mass = self.behaviour[s][a] * probability
            if not mass:
                continue
            arrivals = {s_next: Fraction(1)}
            if self.ends(s_next):
                if self.start is None:
                    raise BadProblem("state_weights: missing; episodes end and start is not given, so there are none")
                arrivals = dict(enumerate(self.start))
            for t, share in arrivals.items():
                if share:
                    chain[s][t] = chain[s].get(t, Fraction(0)) + mass * share
        return chain

    def rho(self, s: int, a: int) -> Fraction:
        """Return pi(a|s) / b(a|s), for an action that behaviour takes."""
        return self.target[s][a] / self.behaviour[s][a]

    def _policy(self, reader: Reader, given: Any, key: str) -> Table:
        listed = of_length(reader.listed(given, key), self.states, key, "states")
        read = {s: reader.row(listed[s], f"{key}, state {s}") for s in self.live_states}
        first = self.live_states[0]
        width = len(read[first])
        for s, row in read.items():
            if len(row) != width or not row:
                raise BadProblem(
                    f"{key}, state {s}: {len(row)} numbers, state {first} has {width}; each needs one an action"
                )
            check_probabilities(row, f"{key}, state {s}")
        zeros = (Fraction(0),) * width
        return tuple(read.get(s, zeros) for s in range(self.states))

    def _transitions(self, reader: Reader, given: Any) -> tuple[Transition, ...]:
        merged: dict[tuple[int, int, int, Fraction], Fraction] = {}
        totals: dict[tuple[int, int], Fraction] = {}
        for entry_number, entry in enumerate(reader.listed(given, "transitions")):
            where = f"transitions, entry {entry_number}"
            parts = reader.listed(entry, where)
            if len(parts) != 5:
                raise BadProblem(f"{where}: {shown(entry)} is not [s, a, s_next, probability, reward]")
            s = index(parts[0], self.states, f"{where}: s", "states")
            if s in self.terminal:
                continue
            a = index(parts[1], self.actions, f"{where}: a", "actions")
            s_next = END if whole(parts[2]) == END else index(parts[2], self.states, f"{where}: s_next", "states")
            probability = reader.rational(parts[3], f"{where}: probability")
            if probability < 0:
                raise BadProblem(f"{where}: probability {shown(probability)} from state {s} is negative")
            key = (s, a, s_next, reader.rational(parts[4], f"{where}: reward"))
            merged[key] = merged.get(key, Fraction(0)) + probability
            totals[s, a] = totals.get((s, a), Fraction(0)) + probability
        for s in self.live_states:
            for a in range(self.actions):
                total = totals.get((s, a), Fraction(0))
                if (self.behaviour[s][a] or self.target[s][a]) and total != 1:
                    raise BadProblem(f"transitions, state {s}, action {a}: probabilities sum to {shown(total)}, not 1")
        return tuple(Transition(s, a, t, p, r) for (s, a, t, r), p in merged.items() if p)

    def _check_coverage(self) -> None:
        for s in self.live_states:
            for a in range(self.actions):
                if self.behaviour[s][a] == 0 and self.target[s][a] != 0:
                    raise BadProblem(
                        f"behaviour, state {s}: gives action {a} probability 0 but target gives it "
                        f"{shown(self.target[s][a])}, so rho is undefined"
                    )

    def _start(self, reader: Reader, given: Any) -> Row | None:
        if given is not None:
            return self._distribution(reader, given, "start")
        ends = bool(self.terminal) or any(self.ends(t.s_next) for t in self.transitions)
        if ends and not self.independent_only:
            raise BadProblem("start: missing; episodes end, so the next one needs a first state")
        return None

    def _distribution(self, reader: Reader, given: Any, key: str) -> Row:
        weights: Row = of_length(reader.row(given, key), self.states, key, "states")
        check_probabilities(weights, key)
        for s in self.terminal:
            if weights[s] != 0:
                raise BadProblem(f"{key}, state {s}: {shown(weights[s])} on a terminal state; it must be 0")
        return weights

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object, which says what an answer is about; the data are those of a problem file."""
        return {
            "name": self.name,
            "states": self.states,
            "features": self.k,
            "gamma": number_text(self.gamma),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        sizes = f"{counted(self.states, 'state')}, {counted(self.k, 'feature')}"
        return f"{self.name} ({sizes}, gamma {number_text(self.gamma)})"
