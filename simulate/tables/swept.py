"""One row of a table on one problem: the grid of configurations that is tried there."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from simulate.environment import Environment
from simulate.kernels.lanes import lanes
from simulate.piece import Piece
from simulate.step_sizes import StepSize
from simulate.sweep.areas import Areas
from simulate.sweep.case import Setting
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.published import Place

ADDED = 2
"""Powers of 2 by which a grid of alpha is extended at a time."""
LEAST, MOST = -16, 10
"""Powers of 2 at which extending ends: an algorithm whose best alpha is there is at its best without learning."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Swept:
    """A grid of configurations of one algorithm under one rule in one environment.

    Attributes:
        place: where its best is shown.
        algorithm, rule, environment: what is run.
        alphas, etas: exponents of 2.
        betas: of the regulariser.
        parameters: values of the rule's own parameters, by name.
        along: `eta` or `beta` where the best alpha of each of its values matters, None where only the best of all does.
    """

    place: Place
    algorithm: Algorithm
    rule: StepSize
    environment: Environment
    alphas: range
    etas: range
    betas: tuple[Fraction, ...]
    parameters: Mapping[str, tuple[Fraction, ...]]
    along: str | None = None

    @cached_property
    def settings(self) -> list[Setting]:
        """Return every configuration."""
        axes = {"eta": _powers(self.etas), "beta": self.betas, **self.parameters}
        return [
            Setting(alpha, tuple(zip(axes, values, strict=True)))
            for alpha, *values in itertools.product(_powers(self.alphas), *axes.values())
        ]

    def areas_piece(self, runs: int, every: int) -> Piece:
        """Return what gives the areas of all configurations; of the points read only the first is kept."""
        return self._piece(self.settings, runs, every, thin=self.environment.steps)

    def points_piece(self, setting: Setting, runs: int, every: int) -> Piece:
        """Return what gives every point of one configuration."""
        return self._piece([setting], runs, every, thin=1)

    def _piece(self, settings: list[Setting], runs: int, every: int, thin: int) -> Piece:
        own = {name: [setting.value(name) for setting in settings] for name, _ in settings[0].parameters}
        return Piece(
            environment=self.environment,
            algorithm=self.algorithm,
            rule=self.rule,
            lanes=lanes(self.rule, [s.alpha for s in settings], learner=None, **own),
            runs=range(runs),
            first=1,
            every=every,
            thin=thin,
        )

    def extended(self, areas: Areas) -> Swept | None:
        """Return a grid with more of alpha at an end where a best one was found, None where there is to be no more."""
        bests = [areas] if self.along is None else [areas.at(self.along, v) for v in areas.values(self.along)]
        edges = {best.edge for best in bests}
        low, high = self.alphas[0], self.alphas[-1]
        below = ADDED * (-1 in edges and low > LEAST)
        above = ADDED * (1 in edges and high < MOST)
        return replace(self, alphas=range(low - below, high + 1 + above)) if below or above else None


def _powers(exponents: range) -> list[Fraction]:
    return [Fraction(2) ** exponent for exponent in exponents]
