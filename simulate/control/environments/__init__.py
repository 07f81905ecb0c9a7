"""The environments of the control experiments, by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulate.control.environments.environment import Environments, Step
from simulate.control.environments.mountain_car import MountainCar
from tdrc_theory.errors import UnknownName

ENVIRONMENTS: tuple[type[MountainCar], ...] = (MountainCar,)

__all__ = ["ENVIRONMENTS", "Environments", "Step", "environments"]


def environments(name: str, seeds: Sequence[np.random.SeedSequence], cutoff: int | None = None) -> Environments:
    """Return copies of the environment of this name, one a seed, each at the start of its first episode.

    Args:
        name: `mountain-car`.
        seeds: one a copy; nothing else decides what is random in that copy.
        cutoff: steps an episode at most; the environment's own by default.

    Raises:
        UnknownName: there is no such environment.
        BadOption: the cut-off is below 1.
    """
    for kind in ENVIRONMENTS:
        if kind.name == name:
            return kind(seeds) if cutoff is None else kind(seeds, cutoff)
    raise UnknownName("environment", name, [kind.name for kind in ENVIRONMENTS])
