"""A published table of transitions, of an environment or a model file, and the problem that it becomes.

Such a table has no features and no policies; those are chosen beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.cli.files import read_array
from tdrc_theory.errors import BadOption, BadProblem
from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.features import feature_rows

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
class Choices:
    """What a table is asked with; None stands for the default.

    Attributes:
        gamma: discount; default that of the table, else 99/100.
        features: one-hot (default), as `tdrc_theory.problem.features.FORMS` says, or an array (S, k).
        behaviour: uniform (default), as `POLICIES` says, or what `Problem` takes.
        target: greedy (default: by value iteration, the lowest-numbered best action), or as behaviour.
        state_weights: stationary (default), as `WEIGHTS` says, or what `Problem` takes.
    """

    gamma: Fraction | None = None
    features: Any = None
    behaviour: Any = None
    target: Any = None
    state_weights: Any = None

    def by_option(self) -> dict[str, Any]:
        """Return those that are not left to their defaults, by the option that has them."""
        return {f"--{name.replace('_', '-')}": value for name, value in vars(self).items() if value is not None}


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

    def problem(self, choices: Choices, **fields: Any) -> Problem:
        """Return the problem with these features and policies.

        Args:
            choices: what was asked for.
            fields: others of a Problem.

        Raises:
            BadOption: a choice has another form.
            BadProblem: the table and the choices contradict each other.
        """
        own = DEFAULT_GAMMA if self.gamma is None else self.gamma
        gamma = own if choices.gamma is None else choices.gamma
        if not 0 <= gamma <= 1:
            raise BadOption(f"--gamma: {gamma} is not in [0, 1]")
        features, notes = self._features(choices.features)
        behaviour = self._policy(UNIFORM if choices.behaviour is None else choices.behaviour, "behaviour")
        target = GREEDY if choices.target is None else choices.target
        if isinstance(target, str) and target == GREEDY:
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
                state_weights=self._state_weights(choices.state_weights),
                notes=(*self.notes, *notes),
                state_names=self.state_names,
                **fields,
            )
        except BadProblem as error:
            if not str(error).startswith("state_weights:") or choices.state_weights is not None:
                raise
            raise BadProblem(f"{error} (--state-weights)") from None

    def _features(self, asked: Any) -> tuple[Any, list[str]]:
        if asked is None or isinstance(asked, str):
            rows, notes = feature_rows(asked or "one-hot", self.states)
            if not (asked or "").endswith(".npy"):  # those of a file are the user's, and a note says what is not read
                for s in self.terminal:
                    rows[s] = [0] * len(rows[s])
            return rows, notes
        return asked, []

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
            return [self._uniform(s) for s in range(self.states)]
        form, colon, path = asked.rpartition(":")
        if not asked.endswith(".npy") or (colon and form != GREEDY):
            also = f"{GREEDY}, " if key == "target" else ""
            raise BadOption(f"--{key}: {asked!r} is none; allowed: {also}{POLICIES}")
        array = read_array(path if colon else asked, f"--{key}")
        return {GREEDY: array} if colon else array

    def _uniform(self, s: int) -> list[Fraction]:
        own = [a for a in range(self.actions) if (s, a) not in self.missing]
        return [Fraction(int(a in own), len(own) or 1) for a in range(self.actions)]

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
