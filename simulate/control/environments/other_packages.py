"""Environments of other packages: one object a copy, whose state is what its episode's seed and actions make of it."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from simulate.control.environments.environment import Environments
from tdrc_theory.cli.extras import importing
from tdrc_theory.errors import BadProblem, UnknownName
from tdrc_theory.problem.environment import make_environments, parse_environment_id


class Replayed(Environments):
    """Copies whose insides cannot be written down: a state is the episode's seed and the actions since it began.

    Each episode has a seed of its own, drawn from the copy's stream, so that nothing is carried over from the
    episode before; `restore` plays the episode again.
    """

    def __init__(self, seeds: Sequence[np.random.SeedSequence], cutoff: int | None) -> None:
        """Begin the first episode of each copy; whatever `_begin` needs must be there before."""
        super().__init__(seeds, cutoff)
        self._seeds = np.zeros(len(seeds), dtype=np.int64)
        self._taken: list[list[int]] = [[] for _ in seeds]
        self._seen = np.zeros((len(seeds), *self.observation_shape), dtype=self.observation_dtype)
        self.reset(np.ones(len(seeds), dtype=bool))

    def observe(self) -> np.ndarray:
        """Return (n, *observation_shape) float32."""
        return self._seen.astype(np.float32)

    def state(self) -> dict[str, np.ndarray]:
        """Return the streams, the time elapsed, the seeds and actions of the episodes, and what is seen."""
        taken = np.zeros((len(self), max(map(len, self._taken))), dtype=np.int64)
        for row, actions in zip(taken, self._taken, strict=True):
            row[: len(actions)] = actions
        return super().state() | {"seeds": self._seeds.copy(), "taken": taken, "seen": self._seen.copy()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go back to where `state` was taken, by playing each episode again.

        Raises:
            BadProblem: the environment does not do the same again.
        """
        super().restore(state)
        self._seeds[:] = state["seeds"]
        for copy, (seed, length) in enumerate(zip(self._seeds.tolist(), self._elapsed.tolist(), strict=True)):
            self._taken[copy] = state["taken"][copy, :length].tolist()
            self._seen[copy] = self._begin(copy, seed)
            for action in self._taken[copy]:
                self._seen[copy] = self._act(copy, action)[0]
        if not np.array_equal(self._seen, state["seen"], equal_nan=self._seen.dtype.kind == "f"):
            raise BadProblem(f"{self.name}: cannot be resumed: the same seed and actions lead to something else")

    def _restart(self, chosen: np.ndarray) -> None:
        self._seeds[chosen] = self._streams.words(chosen) >> np.uint64(33)
        for copy in chosen.tolist():
            self._taken[copy] = []
            self._seen[copy] = self._begin(copy, int(self._seeds[copy]))

    def _advance(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | bool]:
        rewards = np.zeros(len(self))
        terminated, truncated = np.zeros((2, len(self)), dtype=bool)
        for copy, action in enumerate(actions.tolist()):
            self._taken[copy].append(action)
            self._seen[copy], rewards[copy], terminated[copy], truncated[copy] = self._act(copy, action)
        return rewards, terminated, truncated

    @abstractmethod
    def _begin(self, copy: int, seed: int) -> np.ndarray:
        """Begin an episode in one copy, decided by a seed below 2^31; return what is seen."""

    @abstractmethod
    def _act(self, copy: int, action: int) -> tuple[np.ndarray, float, bool, bool]:
        """Take a step in one copy; return what is seen, the reward, terminated and truncated."""


class GymnasiumCopies(Replayed):
    """n copies of one of gymnasium's environments, in this process.

    The cut-off is by default the limit that the environment is registered with. Observations are as they
    come, numbered ones as one-hot vectors.
    """

    def __init__(self, name: str, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = None) -> None:
        parsed = parse_environment_id(name)
        self.name = parsed.text
        # Without the limit and the checker, which looks for mistakes in the environment and warns of them.
        options = {"max_episode_steps": -1, "disable_env_checker": True}
        self._copies, limit = make_environments(parsed, len(seeds), **options)
        self._seen_in, actions = self._copies[0].observation_space, self._copies[0].action_space
        self._numbered = type(self._seen_in).__name__ == "Discrete"
        if not self._numbered and (type(self._seen_in).__name__ != "Box" or len(self._seen_in.shape) != 1):
            kind = " ".join(str(self._seen_in).split())
            raise BadProblem(f"{self.name}: observations are {kind}; they must be a vector of numbers, or numbered")
        if type(actions).__name__ != "Discrete":
            kind = " ".join(str(actions).split())
            raise BadProblem(f"{self.name}: actions are {kind}; they must be a finite number")
        self.observation_shape = (int(self._seen_in.n if self._numbered else self._seen_in.shape[0]),)
        self.actions, self._first = int(actions.n), int(actions.start)
        super().__init__(seeds, limit if cutoff is None else cutoff)

    def _vector(self, seen: Any) -> np.ndarray:
        if not self._numbered:
            return seen
        return (np.arange(self._seen_in.n) == int(seen) - self._seen_in.start).astype(np.float32)

    def _begin(self, copy: int, seed: int) -> np.ndarray:
        return self._vector(self._copies[copy].reset(seed=seed)[0])

    def _act(self, copy: int, action: int) -> tuple[np.ndarray, float, bool, bool]:
        seen, reward, terminated, truncated, _ = self._copies[copy].step(self._first + action)
        return self._vector(seen), float(reward), bool(terminated), bool(truncated)


MINATAR_PREFIX = "minatar:"
GAMES = ("breakout", "space_invaders")
STICKY = 0.1


class MinAtarCopies(Replayed):
    """n copies of a game; reward 1 for a brick or an alien, and no time limit unless one is asked for.

    As in the paper, all six actions of MinAtar, of which each game ignores some; an action is replaced by the one
    before it with probability 0.1; Space Invaders grows harder. The observation is channels x 10 x 10, true or false.
    """

    observation_dtype = np.dtype(np.bool_)

    def __init__(self, name: str, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = None) -> None:
        game = name.removeprefix(MINATAR_PREFIX)
        if game not in GAMES:
            raise UnknownName("MinAtar game", game, GAMES)
        with importing(f"{name} needs", "minatar", "minatar"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from minatar import Environment
        self.name = MINATAR_PREFIX + game
        self._copies = [Environment(game, sticky_action_prob=STICKY) for _ in seeds]
        self.actions = self._copies[0].num_actions()
        height, width, channels = self._copies[0].state_shape()
        self.observation_shape = (channels, height, width)
        super().__init__(seeds, cutoff)

    def _begin(self, copy: int, seed: int) -> np.ndarray:
        game = self._copies[copy]
        game.seed(seed)
        game.last_action = 0  # the package carries it over from the episode before
        game.reset()
        return game.state().transpose(2, 0, 1)

    def _act(self, copy: int, action: int) -> tuple[np.ndarray, float, bool, bool]:
        game = self._copies[copy]
        reward, terminated = game.act(action)
        return game.state().transpose(2, 0, 1), float(reward), bool(terminated), False
