"""The environments of the control experiments, by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulate.control.environments.cart_pole import CartPole
from simulate.control.environments.environment import Environments, Step
from simulate.control.environments.mountain_car import MountainCar
from simulate.control.environments.other_packages import GAMES, MINATAR_PREFIX, GymnasiumCopies, MinAtarCopies
from tdrc_theory.errors import UnknownName
from tdrc_theory.problem.environment import FORM, PREFIX

BUILT_IN: tuple[type[MountainCar | CartPole], ...] = (MountainCar, CartPole)
MINATAR = tuple(MINATAR_PREFIX + game for game in GAMES)
NAMES = (*(kind.name for kind in BUILT_IN), *MINATAR)

__all__ = ["BUILT_IN", "MINATAR", "NAMES", "Environments", "Step", "environments"]


def environments(name: str, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = None) -> Environments:
    """Return copies of the environment of this name, one a seed, each at the start of its first episode.

    The name is one of NAMES, or of gymnasium's (`tdrc_theory.problem.environment.FORM`). A copy's own seed decides all
    that is random in it. An episode has `cutoff` steps at most, by default the environment's own limit.

    Raises:
        UnknownName: there is no such environment.
        BadOption: the cut-off is below 1.
        BadProblem: one of gymnasium's that is not there, or has other kinds of actions or observations.
        MissingExtra: the package that the environment comes from is not installed.
    """
    if name.startswith(PREFIX):
        return GymnasiumCopies(name, seeds, cutoff)
    if name.startswith(MINATAR_PREFIX):
        return MinAtarCopies(name, seeds, cutoff)
    for kind in BUILT_IN:
        if kind.name == name:
            return kind(seeds) if cutoff is None else kind(seeds, cutoff)
    raise UnknownName("environment", name, NAMES, also=FORM)
