"""A problem: a finite decision process with features and two policies, as one frozen exact value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from tdrc_theory.cli.counted import counted
from tdrc_theory.errors import BadProblem
from tdrc_theory.exact.number import Number, Surd, number_text
from tdrc_theory.problem import parts
from tdrc_theory.problem.parts import END, Row, Table, Transition
from tdrc_theory.problem.reader import Reader, is_list, of_length, shown, state_list
from tdrc_theory.problem.stationary import Chain, restarted_chain, stationary_weights, weight_warnings

__all__ = ["END", "Problem", "Transition"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Problem:
    """A finite Markov decision process, its features, and the policies that behave and that are evaluated.

    Numbers may be given as integers, Fractions, text (`"1/3"`, `"0.25"`), Decimals or floats; a float becomes the
    simplest fraction within four units in its last place, and `notes` says so. Features may also be exact square roots
    (`tdrc_theory.exact.sqrt`). Everything is stored exactly.

    Attributes:
        name: shown in reports.
        gamma: discount, in [0, 1]; or (S,), gamma(s), that on arriving in s, 0 for a soft termination.
        features: (S, k), x(s) a row for each state; or (S, A, k), x(s, a), for action values. A terminal state's are
            read as zeros, and `notes` says so where they are others.
        transitions: `(s, a, s_next, probability, reward)`; omitted ones have probability 0, repeated ones add up.
            s_next may be END. A sixth number is the discount of this transition, in the place of `gamma`.
        behaviour: (S, A), b(a|s), which generates the data.
        target: (S, A), pi(a|s), which is evaluated. Both are also read from one action a state (in the place of a row,
            or everywhere), from `{"greedy": Q}` and from `{"epsilon-greedy": Q, "epsilon": "1/10"}`, Q a table (S, A)
            of action values; `notes` says where ties were broken. A state's row may leave out the last actions, where
            it has no transitions by them.
        terminal: states in which an episode ends; their rows elsewhere are not read.
        start: (S,), the first state of an episode; needed where episodes end, default uniform elsewhere.
        state_weights: (S,), d(s); None stands for the stationary weights of the behaviour chain with restarts.
        initial_weights: (k,), w_0 of a simulation; default zeros.
        interest: (S,), i(s) >= 0 of emphatic learners; default 1.
        independent_only: True where only independent samples make sense (a process averaged over its policy).
        notes: what a reader should know about where the numbers come from.
        normalised: the largest change of a probability by `normalise`, an argument: where it is True, probabilities
            that sum to 1 up to 1e-6 (rows of policies and transitions, start, state_weights) are divided by their sum,
            exactly. None where that was not asked for.
        state_names: of each state a line of text, beside its number in messages and tables; None: numbers alone.

    Raises:
        BadProblem: the data contradict each other; the message names the key, the state and the value.
    """

    name: str
    gamma: Fraction | Row
    features: tuple[tuple[Any, ...], ...]
    transitions: tuple[Transition, ...]
    behaviour: Table
    target: Table
    terminal: tuple[int, ...]
    start: Row | None
    state_weights: Row | None
    initial_weights: tuple[Number, ...]
    interest: Row
    independent_only: bool
    notes: tuple[str, ...]
    normalised: Fraction | None
    state_names: tuple[str, ...] | None
    d: Row = field(init=False, repr=False)

    def __init__(
        self,
        *,
        name: str,
        gamma: Any,
        features: Iterable[Iterable[Any]],
        transitions: Iterable[Iterable[Any]],
        behaviour: Any,
        target: Any,
        terminal: Iterable[int] = (),
        start: Iterable[Any] | None = None,
        state_weights: Iterable[Any] | None = None,
        initial_weights: Iterable[Any] | None = None,
        interest: Iterable[Any] | None = None,
        independent_only: bool = False,
        notes: Iterable[str] = (),
        normalise: bool = False,
        normalised: Fraction | None = None,
        state_names: Iterable[str] | None = None,
    ) -> None:
        """Convert everything to exact numbers, check it, and compute d."""
        reader, keep = Reader(parts.read_flag(normalise, "normalise")), partial(object.__setattr__, self)
        names = parts.read_state_names(state_names)
        with parts.naming(names):
            keep("name", parts.read_name(name))
            keep("independent_only", parts.read_flag(independent_only, "independent_only"))
            rows = parts.read_features(reader, features)
            states = len(rows)
            keep("state_names", None if names is None else of_length(names, states, "state_names", "states"))
            keep("gamma", parts.read_gamma(reader, gamma, states))
            keep("terminal", state_list(terminal, states))
            if len(self.terminal) == states:
                raise BadProblem("terminal: every state is terminal")
            zeros = tuple((Fraction(0),) * len(row) if isinstance(row, tuple) else Fraction(0) for row in rows[0])
            keep("features", tuple(zeros if s in self.terminal else row for s, row in enumerate(rows)))
            by_action, live = len(rows[0]) if self.action_values else None, self.live_states
            *acting, ties = parts.read_actions(reader, behaviour, target, transitions, states, live, by_action)
            for key, value in zip(("behaviour", "target", "transitions"), acting, strict=True):
                keep(key, value)
            parts.check_coverage(self.behaviour, self.target)
            ends = bool(self.terminal) or any(self.ends(t.s_next) for t in self.transitions)
            if start is None and ends and not independent_only:
                raise BadProblem("start: missing; episodes end, so the next one needs a first state")
            keep("start", parts.read_distribution(reader, start, "start", states, self.terminal))
            first = [0] * self.k if initial_weights is None else initial_weights
            weights = reader.row(first, "initial_weights", surds=True)
            keep("initial_weights", of_length(weights, self.k, "initial_weights", "features"))
            keep("interest", parts.read_interest(reader, interest, states))
            keep(
                "state_weights", parts.read_distribution(reader, state_weights, "state_weights", states, self.terminal)
            )
            known = (*reader.notes(), *ties, *parts.dropped_features(rows, self.terminal))
            keep("notes", (*parts.read_notes(reader, notes), *(parts.with_names(note, names) for note in known)))
            keep("normalised", max((c for c in (normalised, reader.change) if c is not None), default=None))
            keep("d", self.state_weights or stationary_weights(self.behaviour_chain(), self.restarting))

    @classmethod
    def from_arrays(
        cls,
        *,
        P: Any,
        R: Any,
        features: Any,
        behaviour: Any,
        terminal: Any = (),
        order: str | None = None,
        **fields: Any,
    ) -> Problem:
        """Build from dense arrays instead of a list of transitions; lists of sparse matrices, and tensors, will do too.

        Args:
            P: the probability of a transition: (S, A, S), P[s][a][s_next], or (A, S, S), P[a][s][s_next].
            R: (S,), the reward of a state; (S, A), of a state and action, whatever the order of P; or that of a
                transition, in the order of P.
            features, behaviour, terminal: as those of a Problem; S and A are those of the first two, or of P.
            order: "SAS" or "ASS", the order of P; needed where S = A, since the shape then allows both.
            fields: the other fields of a Problem, and `normalise=True` for rows that do not sum to 1 by rounding.

        Raises:
            BadProblem: P or R has another shape, or the order is open.

        >>> turn = Problem.from_arrays(
        ...     name="turn", gamma=0.9, features=[[1], [2]], P=[[[0.5, 0.5]], [[1, 0]]], R=[1, 0], behaviour=[0, 0],
        ...     target=[0, 0], order="SAS"
        ... )
        >>> turn.d
        (Fraction(2, 3), Fraction(1, 3))
        """
        return cls(**dense_fields(P, R, order, features, behaviour, terminal), **fields)

    @property
    def states(self) -> int:
        """Return S, the number of rows of `features`."""
        return len(self.features)

    @property
    def k(self) -> int:
        """Return k, the number of features."""
        first = self.features[0]
        return len(first[0]) if isinstance(first[0], tuple) else len(first)

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
        return not any(isinstance(value, Surd) for row in self.rows for value in row)

    @property
    def action_values(self) -> bool:
        """Whether features are by state and action."""
        return isinstance(self.features[0][0], tuple)

    @property
    def places(self) -> int:
        """Return the number of places that a step can start from: S states, or S A pairs (s, a), at s A + a."""
        return self.states * self.actions if self.action_values else self.states

    @property
    def rows(self) -> tuple[tuple[Number, ...], ...]:
        """Return the features of each place, (places, k)."""
        return tuple(row for actions in self.features for row in actions) if self.action_values else self.features

    @property
    def weights(self) -> Row:
        """Return the weight of each place: d(s), or d(s) b(a|s)."""
        if not self.action_values:
            return self.d
        return tuple(weight * b for weight, row in zip(self.d, self.behaviour, strict=True) for b in row)

    def gamma_at(self, s: int) -> Fraction:
        """Return the discount on arriving in s where the transition has none of its own; at END 0 if it varies."""
        if isinstance(self.gamma, Fraction):
            return self.gamma
        return Fraction(0) if s == END and len(set(self.gamma)) > 1 else self.gamma[s]

    def discount(self, transition: Transition) -> Fraction:
        """Return the discount of a transition."""
        return self.gamma_at(transition.s_next) if transition.gamma is None else transition.gamma

    @property
    def gamma_by_transition(self) -> bool:
        """Whether transitions into one state can have different discounts."""
        return any(t.gamma is not None and t.gamma != self.gamma_at(t.s_next) for t in self.transitions)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what makes stationary weights say less than they seem to: states that behaviour leaves for good."""
        if self.state_weights is not None or all(self.d[s] for s in self.live_states):
            return ()
        result = weight_warnings(self.behaviour_chain(), self.d, self.restarting)
        return tuple(parts.with_names(warning, self.state_names) for warning in result)

    @property
    def constant_gamma(self) -> Fraction | None:
        """Return the discount if it is the same everywhere, else None."""
        gamma = self.gamma if isinstance(self.gamma, Fraction) else self.gamma[0]
        everywhere = isinstance(self.gamma, Fraction) or all(value == gamma for value in self.gamma)
        own = (t.gamma for t in self.transitions if t.gamma is not None)
        return gamma if everywhere and all(value == gamma for value in own) else None

    def ends(self, s_next: int) -> bool:
        """Return whether an episode is over in s_next."""
        return s_next == END or s_next in self.terminal

    def behaviour_chain(self) -> Chain:
        """Return P_b as {next state: probability} a state, episodes restarting at once; empty for terminal states."""
        return restarted_chain(self.transitions, self.behaviour, self.terminal, self.start)

    @property
    def restarting(self) -> frozenset[int]:
        """Return the states in which behaviour can end an episode with its next step."""
        return frozenset(t.s for t in self.transitions if self.behaviour[t.s][t.a] and self.ends(t.s_next))

    def rho(self, s: int, a: int) -> Fraction:
        """Return pi(a|s) / b(a|s), for an action that behaviour takes."""
        return self.target[s][a] / self.behaviour[s][a]

    def to_json(self) -> dict[str, Any]:
        """Return the contract's object, which says what an answer is about; the data are those of a problem file."""
        own = [t for t in self.transitions if t.gamma is not None]
        by_transition = {"gamma_of_transitions": [[*t[:3], number_text(self.discount(t))] for t in own]} if own else {}
        return {
            "name": self.name,
            "states": self.states,
            "features": self.k,
            "gamma": number_text(self.gamma) if isinstance(self.gamma, Fraction) else [*map(number_text, self.gamma)],
            **by_transition,
            **({} if self.state_names is None else {"state_names": list(self.state_names)}),
            "notes": list(self.notes),
            "normalised": None if self.normalised is None else {"largest_change": float(self.normalised)},
            "warnings": list(self.warnings),
        }

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        sizes = f"{counted(self.states, 'state')}, {counted(self.k, 'feature')}"
        by_pair = f" of {counted(self.actions, 'action')}" if self.action_values else ""
        by, gamma = "transition" if self.gamma_by_transition else "state", self.constant_gamma
        return f"{self.name} ({sizes}{by_pair}, gamma {f'by {by}' if gamma is None else number_text(gamma)})"


_MEANS = {"SAS": "P[s][a][s_next]", "ASS": "P[a][s][s_next]"}


def dense_fields(P: Any, R: Any, order: str | None, features: Any, behaviour: Any, terminal: Any) -> dict[str, Any]:
    """Return the fields of a Problem that dense arrays, and what tells their sizes, are of.

    The arguments are as `Problem.from_arrays` takes them. A is the length of the rows of behaviour, or P's where it has
    none. In the order SAS a state may list fewer; those that it lacks have no transitions.

    Raises:
        BadProblem: a shape is another, or the order is needed and missing.
    """
    listed = Reader().listed
    rows, ends = listed(features, "features"), listed(terminal, "terminal")
    policy = behaviour if isinstance(behaviour, Mapping) else listed(behaviour, "behaviour")
    transitions = _transitions(P, R, order, len(rows), _action_count(policy, ends))
    return {"features": rows, "behaviour": policy, "terminal": ends, "transitions": transitions}


def _transitions(P: Any, R: Any, order: str | None, states: int, actions: int | None) -> list[tuple[Any, ...]]:
    probabilities = _listed(P, "P")
    order = _order(probabilities, order, states, actions)
    rows = _by_state(probabilities, order)
    if actions is None:
        actions = max(map(len, rows), default=0)
    rewards, by = _rewards(R, order, states, actions)
    transitions: list[tuple[Any, ...]] = []
    for s in range(states):
        for a, row in enumerate(rows[s]):
            where = f"state {s}, action {a}"
            row = of_length(Reader().listed(row, f"P, {where}"), states, f"P, {where}", "states")
            try:
                paid = rewards[s] if by == "state" else rewards[s][a]
            except IndexError:
                raise BadProblem(f"R, {where}: no reward, but P has probabilities there") from None
            if by == "transition":
                paid = of_length(Reader().listed(paid, f"R, {where}"), states, f"R, {where}", "states")
            transitions += [(s, a, t, p, paid[t] if by == "transition" else paid) for t, p in enumerate(row)]
    return transitions


def _rewards(R: Any, order: str, states: int, actions: int) -> tuple[list[Any], str]:
    """Return rewards as lists by state, and what they are by: `state`, `pair` of state and action, or `transition`."""
    rewards = Reader().listed(R, "R")
    if len(rewards) == states and not any(map(is_list, rewards)):
        return rewards, "state"
    rewards = _listed(rewards, "R")
    by_transition = any(is_list(value) for part in rewards for value in part)
    if not _fits(rewards, order if by_transition else "SAS", states, actions):
        sizes = {"S": states, "A": actions}
        as_P = f"({', '.join(order)}) = {tuple(sizes[letter] for letter in order)}, as P"
        allowed = f"(S,) = ({states},), (S, A) = {(states, actions)}, or {as_P}"
        raise BadProblem(f"R: its shape is {_shape(rewards)}; allowed: {allowed}")
    return (_by_state(rewards, order), "transition") if by_transition else (rewards, "pair")


def _action_count(policy: Any, terminal: Collection[Any]) -> int | None:
    """Return A, the length of the longest row of a policy, those of terminal states left out; None without rows."""
    tables = policy.values() if isinstance(policy, Mapping) else [policy]
    listed = [Reader().listed(table, "behaviour") for table in tables if is_list(table)]
    lives = [row for table in listed for s, row in enumerate(table) if s not in terminal and is_list(row)]
    return max((len(Reader().listed(row, "behaviour")) for row in lives), default=None)


def _listed(array: Any, key: str) -> list[list[Any]]:
    listed = Reader().listed
    return [listed(part, f"{key}, entry {i}") for i, part in enumerate(listed(array, key))]


def _order(P: list[list[Any]], order: str | None, states: int, actions: int | None) -> str:
    """Return the order of P: the one that is named, or the only one that its shape allows."""
    if order is not None and order not in _MEANS:
        raise BadProblem(f"order: {shown(order)} is neither 'SAS', {_MEANS['SAS']}, nor 'ASS', {_MEANS['ASS']}")
    possible = [each for each in _MEANS if _fits(P, each, states, actions)]
    if (order or "SAS") not in possible and (order is not None or not possible):
        A = "A" if actions is None else actions
        sizes = {"SAS": f"({states}, {A}, {states})", "ASS": f"({A}, {states}, {states})"}
        allowed = " or ".join(f"({', '.join(each)}) = {sizes[each]}" for each in ([order] if order else _MEANS))
        where = f"features have {states} rows" + ("" if actions is None else f", behaviour {actions} actions")
        raise BadProblem(f"P: its shape is {_shape(P)}; allowed: {allowed}, since {where}")
    if order is None and len(possible) > 1 and states > 1:
        choices = ", or ".join(f"order='{each}' for {meaning}" for each, meaning in _MEANS.items())
        raise BadProblem(
            f"P: its shape {_shape(P)} is (S, A, S) and (A, S, S) alike, since S = A = {states}; write {choices}"
        )
    return order or possible[0]


def _fits(array: list[list[Any]], order: str, states: int, actions: int | None) -> bool:
    """Return whether the first two axes of an array have the sizes of an order; A may be open."""
    lengths = {len(part) for part in array}
    if order == "SAS":
        return len(array) == states and (actions is None or max(lengths, default=0) <= actions)
    return actions in (None, len(array)) and lengths == {states}


def _by_state(array: list[list[Any]], order: str) -> list[Any]:
    return array if order == "SAS" else list(zip(*array, strict=True))


def _shape(array: list[list[Any]]) -> str:
    """Return the shape as text; an axis whose length varies is shown with both ends."""
    values = [value for part in array for value in part]
    axes = [{len(array)}, {len(part) for part in array}]
    if any(is_list(value) for value in values):
        axes.append({len(Reader().listed(value, "an entry")) if is_list(value) else 1 for value in values})
    shown_axes = [str(min(axis)) if len(axis) == 1 else f"{min(axis)} to {max(axis)}" for axis in axes if axis]
    return f"({', '.join(shown_axes)})"
