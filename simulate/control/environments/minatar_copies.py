"""MinAtar's games (Young, Tian, 2019), from the package minatar, which is imported only when one is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from simulate.control.environments.replayed import Replayed
from tdrc_theory.errors import MissingExtra, UnknownName

PREFIX = "minatar:"
GAMES = ("breakout", "space_invaders")
STICKY = 0.1


class MinAtarCopies(Replayed):
    """n copies of a game; reward 1 for a brick or an alien, and no time limit unless one is asked for.

    As in the paper, all six actions of MinAtar, of which each game ignores some; an action is replaced by the one
    before it with probability 0.1; Space Invaders grows harder. The observation is channels x 10 x 10, true or false.
    """

    observation_dtype = np.dtype(np.bool_)

    def __init__(self, name: str, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = None) -> None:
        """Make the copies.

        Args:
            name: `minatar:` and one of GAMES.
            seeds: one a copy.
            cutoff: steps an episode at most.

        Raises:
            UnknownName: there is no such game.
            MissingExtra: minatar is not installed.
        """
        game = name.removeprefix(PREFIX)
        if game not in GAMES:
            raise UnknownName("MinAtar game", game, GAMES)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from minatar import Environment
        except ImportError:
            raise MissingExtra(f"{name} needs minatar; install it with: pip install 'tdrc-referee[minatar]'") from None
        self.name = PREFIX + game
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
