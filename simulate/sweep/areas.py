"""What a grid of configurations gave, and which of them is the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from simulate.sweep.case import Configuration
from simulate.work import Array


@dataclass(frozen=True, eq=False)
class Areas:
    """The area under the learning curve of every run of every configuration.

    Attributes:
        configurations: L configurations.
        area: (runs, L), the RMSPBE of a run averaged over the points read; inf where it diverged.
    """

    configurations: Sequence[Configuration]
    area: Array

    @cached_property
    def means(self) -> Array:
        """Return (L,): the mean over the runs, inf where one of them diverged."""
        with np.errstate(over="ignore"):
            return np.asarray(self.area.mean(axis=0))

    @property
    def best(self) -> int:
        """Return the number of the configuration with the lowest mean."""
        return int(np.argmin(self.means))

    @property
    def configuration(self) -> Configuration:
        """Return the configuration with the lowest mean."""
        return self.configurations[self.best]

    @property
    def mean(self) -> float:
        """Return the lowest mean, inf where every configuration diverged."""
        return float(self.means[self.best])

    @property
    def runs(self) -> Array:
        """Return (runs,): the areas of the best configuration."""
        return np.asarray(self.area[:, self.best])

    @property
    def diverged(self) -> int:
        """Return the number of configurations that diverged in some run, and so are not chosen."""
        return int(np.isinf(self.means).sum())

    def values(self, axis: str) -> list[Fraction]:
        """Return the values of alpha or a parameter, in increasing order; none where there is no such parameter."""
        return sorted({value for one in self.configurations if (value := one.value(axis)) is not None})

    def at(self, axis: str, value: Fraction) -> Areas:
        """Return the configurations in which an axis has a value."""
        kept = [i for i, one in enumerate(self.configurations) if one.value(axis) == value]
        return Areas([self.configurations[i] for i in kept], self.area[:, kept])

    @property
    def edge(self) -> int:
        """Return -1 where the best alpha is the smallest that was tried, 1 where it is the largest, 0 inside."""
        alphas = self.values("alpha")
        return {alphas[0]: -1, alphas[-1]: 1}.get(self.configuration.alpha, 0)
