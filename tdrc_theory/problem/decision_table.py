"""A published table of transitions, of an environment or a model file, and the problem that it becomes.

Such a table has no features and no policies; those are chosen beside it: state aggregation, tile coding, polynomial and
Fourier bases are functions of z = s / (S - 1), the number of a state scaled to [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.cli.files import read_array
from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.problem import END, Problem

Rows = list[list[Any]]

FORMS = "one-hot, aggregate:GROUPS, tiles:TILINGSxTILES, polynomial:ORDER, fourier:ORDER or FILE.npy"
IRRATIONAL = "features: most cosines of a Fourier basis are irrational; each stands for a 64-bit float near it, exactly"
_MOST = 10_000
"""Features of a basis."""


def feature_rows(written: str, states: int) -> tuple[Rows, list[str]]:
    """Return features (S, k), written as FORMS says, and what a reader should know of them.

    Raises:
        BadOption: it is none of the forms, or out of range.
        BadProblem: a file cannot be read, or holds no array of numbers.

    >>> feature_rows("aggregate:2", 5)[0]
    [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]]
    """
    if written == "one-hot":
        return aggregated(states, states), []
    if written.endswith(".npy"):
        return read_array(written, "--features"), []
    kind, _, size = written.partition(":")
    if kind not in _BASES:
        raise BadOption(f"--features: {written!r} is none; allowed: {FORMS}")
    sizes = size.split("x") if kind == "tiles" else [size]
    if len(sizes) != (2 if kind == "tiles" else 1) or not all(part.isdecimal() and len(part) < 7 for part in sizes):
        raise BadOption(f"--features: {written!r} is not of the form; allowed: {FORMS}")
    numbers = [int(part) for part in sizes]
    least, make = _BASES[kind]
    if min(numbers) < least or math.prod(number + 1 for number in numbers) > _MOST:
        raise BadOption(f"--features: {written!r}: from {least} on, and {_MOST} features at most")
    if kind == "aggregate" and numbers[0] > states:
        raise BadOption(f"--features: {written!r}: more groups than the {states} states")
    return make(states, *numbers), [IRRATIONAL] if kind == "fourier" else []


def aggregated(states: int, groups: int) -> Rows:
    """Return (S, groups): consecutive states share a feature, of each group as many as of another, or one less."""
    return [[int(s * groups // states == i) for i in range(groups)] for s in range(states)]


def tiled(states: int, tilings: int, tiles: int) -> Rows:
    """Return (S, tilings (tiles + 1)): one tile of each tiling holds z, each tiling off the last by 1/tilings tile."""
    rows = []
    for z in _scaled(states):
        held = [math.floor(z * tiles + Fraction(i, tilings)) for i in range(tilings)]
        rows.append([int(tile == t) for tile in held for t in range(tiles + 1)])
    return rows


def polynomial(states: int, order: int) -> Rows:
    """Return (S, order + 1): the powers of z from 0 to the order."""
    return [[z**power for power in range(order + 1)] for z in _scaled(states)]


def fourier(states: int, order: int) -> Rows:
    """Return (S, order + 1): cos(pi i z), i from 0 to the order (Konidaris, Osentoski and Thomas, 2011)."""
    return [[_cosine(i * z) for i in range(order + 1)] for z in _scaled(states)]


_BASES: dict[str, tuple[int, Callable[..., Rows]]] = {
    "aggregate": (1, aggregated),
    "tiles": (1, tiled),
    "polynomial": (0, polynomial),
    "fourier": (0, fourier),
}


def _scaled(states: int) -> list[Fraction]:
    return [Fraction(s, max(states - 1, 1)) for s in range(states)]


def _cosine(turns: Fraction) -> Fraction:
    """Return cos(pi x): exactly where it is rational (Niven's theorem), else a float near it."""
    x = turns % 2
    x = min(x, 2 - x)
    if x > Fraction(1, 2):
        return -_cosine(1 - x)
    known = {Fraction(0): Fraction(1), Fraction(1, 3): Fraction(1, 2), Fraction(1, 2): Fraction(0)}
    return known[x] if x in known else Fraction(math.cos(math.pi * float(x)))


DEFAULT_GAMMA = Fraction(99, 100)
UNIFORM, GREEDY = "uniform", "greedy"
POLICIES = (
    "uniform, FILE.npy (probabilities, a row a state, or an action a state), "
    "greedy:FILE.npy (the best action of a table of action values, a row a state)"
)
STATIONARY = "stationary"
WEIGHTS = "stationary, uniform, or FILE.npy (a weight a state)"
_SWEEPS = 100_000
_TOLERANCE = 1e-12
"""Change of a sweep, relative to the largest value, at which value iteration ends: some thousand times eps."""
_TIE = 1e-9
"""Difference of action values, relative to their state's, that is no difference: values are gamma / (1 - gamma) times
the last change from their limit, a thousand times where gamma is 0.999."""


@dataclass(frozen=True, kw_only=True)
class DecisionTable:
    """Transitions, and where episodes start.

    Attributes:
        name: of the problem.
        states, actions: their numbers.
        transitions: `(s, a, s_next, probability, reward)`, s_next may be END.
        start: (S,), or None.
        gamma: the discount that belongs to it, if one does.
        terminal: states in which an episode ends.
        missing: (s, a) that a state lacks; no policy takes them.
        notes: what a reader should know.
        state_names: of each state, where the table has names.
    """

    name: str
    states: int
    actions: int
    transitions: list[tuple[int, int, int, Fraction, Fraction]]
    start: list[Fraction] | None = None
    gamma: Fraction | None = None
    terminal: tuple[int, ...] = ()
    missing: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
    state_names: tuple[str, ...] | None = None

    def problem(
        self,
        *,
        gamma: Fraction | None = None,
        features: Any = None,
        behaviour: Any = None,
        target: Any = None,
        state_weights: Any = None,
        **fields: Any,
    ) -> Problem:
        """Return the problem with these features and policies; None stands for the default.

        Args:
            gamma: discount; default that of the table, else 99/100.
            features: one-hot (default), as `tdrc_theory.problem.decision_table.FORMS` says, or an array (S, k).
            behaviour: uniform (default), as `POLICIES` says, or what `Problem` takes.
            target: greedy (default: by value iteration, the lowest-numbered best action), or as behaviour.
            state_weights: stationary (default), as `WEIGHTS` says, or what `Problem` takes.
            fields: others of a Problem.

        Raises:
            BadOption: a choice has another form.
            BadProblem: the table and the choices contradict each other.
        """
        if gamma is None:
            gamma = DEFAULT_GAMMA if self.gamma is None else self.gamma
        if not 0 <= gamma <= 1:
            raise BadOption(f"--gamma: {gamma} is not in [0, 1]")
        features, notes = self._features(features)
        behaviour = self._policy(UNIFORM if behaviour is None else behaviour, "behaviour")
        if target is None or (isinstance(target, str) and target == GREEDY):
            best = self._greedy(float(gamma))
            target = [[Fraction(int(a == best[s])) for a in range(self.actions)] for s in range(self.states)]
            notes.append("the target policy is greedy for values from floating-point value iteration; it is then exact")
        try:
            return Problem(
                name=self.name,
                gamma=gamma,
                features=features,
                transitions=self.transitions,
                behaviour=behaviour,
                target=self._policy(target, "target"),
                terminal=self.terminal,
                start=self.start,
                state_weights=self._state_weights(state_weights),
                notes=(*self.notes, *notes),
                state_names=self.state_names,
                **fields,
            )
        except BadProblem as error:
            if not str(error).startswith("state_weights:") or state_weights is not None:
                raise
            raise BadProblem(f"{error} (--state-weights)") from None

    def _features(self, asked: Any) -> tuple[Any, list[str]]:
        if asked is not None and not isinstance(asked, str):
            return asked, []
        rows, notes = feature_rows(asked or "one-hot", self.states)
        if not (asked or "").endswith(".npy"):  # those of a file are the user's, and a note says what is not read
            for s in self.terminal:
                rows[s] = [0] * len(rows[s])
        return rows, notes

    def _state_weights(self, asked: Any) -> Any:
        """Return what `Problem` takes; uniform is over the states that are not terminal."""
        if not isinstance(asked, str):
            return asked
        if asked == STATIONARY:
            return None
        if asked == UNIFORM:
            live = self.states - len(self.terminal)
            return [Fraction(int(s not in self.terminal), live) for s in range(self.states)]
        if not asked.endswith(".npy"):
            raise BadOption(f"--state-weights: {asked!r} is none; allowed: {WEIGHTS}")
        return read_array(asked, "--state-weights")

    def _policy(self, asked: Any, key: str) -> Any:
        """Return what `Problem` takes."""
        if not isinstance(asked, str):
            return asked
        if asked == UNIFORM:
            own = [[a for a in range(self.actions) if (s, a) not in self.missing] for s in range(self.states)]
            return [[Fraction(int(a in row), len(row) or 1) for a in range(self.actions)] for row in own]
        form, colon, path = asked.rpartition(":")
        if not asked.endswith(".npy") or (colon and form != GREEDY):
            also = f"{GREEDY}, " if key == "target" else ""
            raise BadOption(f"--{key}: {asked!r} is none; allowed: {also}{POLICIES}")
        array = read_array(path if colon else asked, f"--{key}")
        return {GREEDY: array} if colon else array

    def _greedy(self, gamma: float) -> list[int]:
        """Value iteration; ties within rounding go to the lowest-numbered action."""
        import numpy as np

        s, a, s_next, p, r = (np.array([float(t[i]) for t in self.transitions]) for i in range(5))
        source = (s * self.actions + a).astype(int)
        size = self.states * self.actions
        ended = (s_next == END) | np.isin(s_next, self.terminal)
        arrival = np.where(ended, 0, s_next).astype(int)
        paid = np.bincount(source, p * r, size)
        paid[[at * self.actions + action for at, action in self.missing]] = -np.inf
        value = np.zeros(self.states)
        for _ in range(_SWEEPS):
            ahead = np.bincount(source, p * np.where(ended, 0.0, value[arrival]), size)
            action_values = (paid + gamma * ahead).reshape(self.states, self.actions)
            improved = action_values.max(axis=1)
            improved[list(self.terminal)] = 0
            change = np.abs(improved - value).max()
            value = improved
            if change < _TOLERANCE * max(1.0, np.abs(value).max()):
                break
        else:
            raise BadProblem("--gamma: value iteration does not settle at this discount")
        close = action_values >= action_values.max(axis=1, keepdims=True) - _TIE * (1 + np.abs(value))[:, None]
        return [int(row.argmax()) for row in close]
